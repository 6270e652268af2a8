// The JSON form: how the model is told to answer, also where its provider cannot hold it to a schema.
import { summaryTextNames, summaryTexts } from "../../src/sdk/index.ts";
import type { AnswerFormat } from "../../src/strategy/index.ts";
import { readAnswer } from "./read-answer.ts";
import { observeSchema, summarizeSchema } from "./schema.ts";

const fields = summaryTextNames.map((name) => `"${name}": "${summaryTexts[name]}"`);
const instructions = `HOW TO ANSWER
Answer with one JSON object and nothing around it. For notes:
{"observations": [{"type": "bugfix", "title": "…", "subtitle": "…", "facts": ["…", "…"], "narrative": "…", "concepts": ["…", "…"], "files": ["path/from/the/project/root.ts"], "uses": [1, 3]}]}
When nothing is worth a note: {"observations": []}
For a summary (title and subtitle empty where they are not asked for):
{"title": "the session in 3 to 6 words", "subtitle": "at most 20 words", ${fields.join(", ")}}`;

/** JSON of a fixed schema. */
export const jsonFormat: AnswerFormat = {
  instructions,
  reminders: {
    observe:
      'Answer with one JSON object {"observations": […]}; an empty list when there is nothing to note.',
    summarize: "Answer with one JSON object, the summary.",
  },
  schemas: { observe: observeSchema, summarize: summarizeSchema },
  read: readAnswer,
};

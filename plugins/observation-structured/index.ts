// Built-in plugin `structured`: observations and summaries as JSON, by the provider's structured output where it has one.

import { ofSummaryTexts, summaryTextNames, summaryTexts } from "../../src/sdk/index.ts";
import type { AnswerFormat, RawAnswer } from "../../src/strategy/index.ts";
import {
  emptyAnswer,
  findJson,
  modelStrategy,
  observationTypes,
  rawObservation,
  saysNothing,
} from "../../src/strategy/index.ts";
import { capitalize, nameWords } from "../../src/text/index.ts";

// The JSON that the model is to answer with: strict for the provider, lenient for the reader.

const text = (description: string) => ({ type: "string", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

/** An object of which every property is required and no other is allowed, as structured output wants it. */
function strict(properties: Record<string, object>): Record<string, unknown> {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const observation = strict({
  type: text("One of the types"),
  title: text("3 to 8 words"),
  subtitle: text("At most 24 words"),
  facts: texts("3 to 7 facts of 50 to 150 characters, each understandable alone"),
  narrative: text("The whole story, up to 400 words"),
  concepts: texts("2 to 5 broad lower-case categories"),
  files: texts("Paths as the material names them"),
  uses: {
    type: "array",
    items: { type: "integer" },
    description: "Numbers of the tool uses it rests on",
  },
});

/** What an answer to an observation request must be; an empty list says that there is nothing to note. */
const observeSchema = strict({ observations: { type: "array", items: observation } });

/** What an answer to a summary request must be. */
const summarizeSchema = strict({
  title: text("The session in 3 to 8 words; empty where it is not asked for"),
  subtitle: text("At most 20 words; empty where it is not asked for"),
  ...ofSummaryTexts((name) => text(capitalize(summaryTexts[name]))),
});

/** Texts of a value from a model without structured output: numbers count, of an object its texts, everything else for none. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return [Object.values(value).flatMap(textsIn).join(" ")];
}

/** A field as one text; "" where it is a list or missing. */
function textIn(value: unknown): string {
  return typeof value === "object" ? "" : (textsIn(value)[0] ?? "");
}

// A JSON answer as raw observations and summary, with what was wrong with it in words.

const longestAnswer = 400_000;

/** Never throws. An answer that was cut off gives the observations that are whole. */
function readAnswer(text: string): RawAnswer {
  const answer = emptyAnswer();
  // A list of texts or numbers is a piece of something that could not be read.
  const values = findJson(text.slice(0, longestAnswer)).filter(
    (value) => typeof value === "object" && value !== null && !isPiece(value, text),
  );
  if (values.length === 0) {
    answer.nothing = saysNothing(text);
    if (!answer.nothing) answer.problem = "no JSON object was found in it";
    return answer;
  }
  for (const value of values) take(answer, value ?? {});
  if (answer.observations.length === 0 && answer.summary === undefined && !answer.nothing)
    answer.problem = 'the JSON has neither "observations" nor the fields of a summary';
  return answer;
}

function isPiece(value: object, text: string): boolean {
  if (!Array.isArray(value)) return false;
  return value.length === 0 ? !text.trim().startsWith("[") : typeof value[0] !== "object";
}

function take(answer: RawAnswer, value: object): void {
  const list: unknown = Array.isArray(value) ? value : Reflect.get(value, "observations");
  if (typeof list === "object" && list !== null) {
    const items: unknown[] = Array.isArray(list) ? list : [list];
    if (items.length === 0) answer.nothing = true;
    for (const item of items) takeObservation(answer, item);
    return;
  }
  const inner: unknown = Reflect.get(value, "observation") ?? Reflect.get(value, "summary");
  if (typeof inner === "object" && inner !== null) take(answer, inner);
  else if (Array.isArray(Reflect.get(value, "facts")) || "narrative" in value)
    takeObservation(answer, value);
  else if (summaryTextNames.some((name) => name in value)) takeSummary(answer, value);
}

function takeObservation(answer: RawAnswer, item: unknown): void {
  if (typeof item !== "object" || item === null) return;
  const field = (name: string): unknown => Reflect.get(item, name);
  const found = rawObservation(
    (name) => textIn(field(name)),
    (name) => textsIn(field(name)),
  );
  if (found) answer.observations.push(found);
}

function takeSummary(answer: RawAnswer, value: object): void {
  const field = (name: string) =>
    textIn(Reflect.get(value, name) ?? Reflect.get(value, nameWords(name, "_")));
  answer.summary = { ...ofSummaryTexts(field), filesRead: [], filesEdited: [] };
  if (field("title") !== "") answer.title = field("title");
  if (field("subtitle") !== "") answer.subtitle = field("subtitle");
}

// The JSON form: how the model is asked to answer, also where its provider cannot hold it to a schema.

const fields = summaryTextNames.map((name) => `"${name}": "${summaryTexts[name]}"`);
const instructions = {
  observe: `HOW TO ANSWER
Answer with one JSON object and nothing around it:
{"observations": [{"type": "one of the types", "title": "…", "subtitle": "…", "facts": ["…", "…"], "narrative": "…", "concepts": ["…", "…"], "files": ["path/from/the/project/root.ts"], "uses": [1, 3]}]}
When nothing is worth a note: {"observations": []}`,
  summarize: `HOW TO ANSWER
Answer with one JSON object and nothing around it (title and subtitle empty where they are not asked for):
{"title": "the session in 3 to 8 words", "subtitle": "at most 20 words", ${fields.join(", ")}}`,
};

/** JSON of a fixed schema. */
export const jsonFormat: AnswerFormat = {
  types: observationTypes,
  instructions,
  reminders: {
    observe:
      'Answer with one JSON object {"observations": […]}; an empty list when there is nothing to note.',
    summarize: "Answer with one JSON object, the summary.",
  },
  schemas: { observe: observeSchema, summarize: summarizeSchema },
  read: readAnswer,
};

export default modelStrategy({
  name: "structured",
  description: "Asks the model for observations and summaries as JSON of a fixed schema.",
  format: jsonFormat,
});

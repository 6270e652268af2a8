// The XML form: how the model is told to answer.
import { summaryTextNames, summaryTexts } from "../../src/sdk/index.ts";
import type { AnswerFormat } from "../../src/strategy/index.ts";
import { readAnswer } from "./read-answer.ts";
import { tagOf } from "./tags.ts";

const instructions = `HOW TO ANSWER
Answer with one block for each note and nothing around the blocks. Write "<" as &lt; inside a field.
<observation>
  <type>bugfix</type>
  <title>3 to 8 words</title>
  <subtitle>at most 24 words</subtitle>
  <facts>
    <fact>50 to 150 characters, understandable alone</fact>
    <fact>another one</fact>
  </facts>
  <narrative>the whole story</narrative>
  <concepts>
    <concept>broad-category</concept>
    <concept>another-one</concept>
  </concepts>
  <files>
    <file>path/from/the/project/root.ts</file>
  </files>
  <uses>1, 3</uses>
</observation>
When nothing is worth a note, answer <nothing/> and only that.

When a summary is asked for, answer with one block (title and subtitle only where they are asked for):
<summary>
  <title>the session in 3 to 6 words</title>
  <subtitle>at most 20 words</subtitle>
${summaryTextNames.map((name) => `  <${tagOf(name)}>${summaryTexts[name]}</${tagOf(name)}>`).join("\n")}
</summary>`;

/** Small XML blocks, read by a parser that forgives. */
export const xmlFormat: AnswerFormat = {
  instructions,
  reminders: {
    observe: "Answer with <observation> blocks, or with <nothing/>.",
    summarize: "Answer with one <summary> block.",
  },
  read: readAnswer,
};

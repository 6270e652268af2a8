// Built-in plugin `structured`: observations and summaries as JSON, by the provider's structured output where it has one.

import * as v from "valibot";
import { ofSummaryTexts, summaryTextNames, summaryTexts } from "../../src/sdk/index.ts";
import type { AnswerFormat, RawAnswer } from "../../src/strategy/index.ts";
import {
  emptyAnswer,
  findJson,
  modelStrategy,
  observationTypes,
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

/** A text; a number is taken for one, anything else for none. */
const looseText = v.fallback(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value) => String(value)),
  ),
  "",
);
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
/** A list of texts; one text alone is a list of one, of an object its texts count, what is no text is left out. */
const looseTexts = v.pipe(
  v.unknown(),
  v.transform((value) => listIn(value).flatMap(textsIn)),
);
function textsIn(item: unknown): string[] {
  if (typeof item === "string") return [item];
  if (typeof item !== "object" || item === null) return [];
  return [
    Object.values(item)
      .filter((one) => typeof one === "string")
      .join(" "),
  ];
}
const looseNumbers = v.pipe(
  v.unknown(),
  v.transform((value) =>
    listIn(value).flatMap((item) => (String(item).match(/\d{1,4}/g) ?? []).map(Number)),
  ),
);

/** An observation of a model that has no structured output: every field may be missing. */
const LooseObservation = v.object({
  type: v.optional(looseText, ""),
  title: v.optional(looseText, ""),
  subtitle: v.optional(looseText, ""),
  facts: v.optional(looseTexts, []),
  narrative: v.optional(looseText, ""),
  concepts: v.optional(looseTexts, []),
  files: v.optional(looseTexts, []),
  uses: v.optional(looseNumbers, []),
});

/** A summary of a model that has no structured output. */
const LooseSummary = v.object({
  title: v.optional(looseText, ""),
  subtitle: v.optional(looseText, ""),
  ...ofSummaryTexts(() => v.optional(looseText, "")),
});

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
  const parsed = v.safeParse(LooseObservation, item);
  if (!parsed.success) return;
  const { title, facts, narrative } = parsed.output;
  if (title !== "" || facts.length > 0 || narrative !== "") answer.observations.push(parsed.output);
}

function takeSummary(answer: RawAnswer, value: object): void {
  const field = (name: string) =>
    Reflect.get(value, name) ?? Reflect.get(value, nameWords(name, "_"));
  const renamed = { ...value, ...ofSummaryTexts(field) };
  const parsed = v.safeParse(LooseSummary, renamed);
  if (!parsed.success) return;
  const { title, subtitle, ...summary } = parsed.output;
  answer.summary = { ...summary, filesRead: [], filesEdited: [] };
  if (title !== "") answer.title = title;
  if (subtitle !== "") answer.subtitle = subtitle;
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

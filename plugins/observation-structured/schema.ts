// The JSON that the model is to answer with: strict for the provider, lenient for the reader.
import * as v from "valibot";
import { ofSummaryTexts, summaryTexts } from "../../src/sdk/index.ts";
import { capitalize } from "../../src/text/index.ts";

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
  type: { type: "string", enum: ["decision", "bugfix", "feature", "refactor", "discovery"] },
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
export const observeSchema = strict({ observations: { type: "array", items: observation } });

/** What an answer to a summary request must be. */
export const summarizeSchema = strict({
  title: text("The session in 3 to 6 words; empty where it is not asked for"),
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
/** A list of texts; one text alone is a list of one, what is no text is left out. */
const looseTexts = v.pipe(
  v.unknown(),
  v.transform((value): string[] => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.filter((item) => typeof item === "string");
  }),
);
const looseNumbers = v.pipe(
  v.unknown(),
  v.transform((value): number[] => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map(Number).filter((number) => Number.isInteger(number) && number > 0);
  }),
);

/** An observation of a model that has no structured output: every field may be missing. */
export const LooseObservation = v.object({
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
export const LooseSummary = v.object({
  title: v.optional(looseText, ""),
  subtitle: v.optional(looseText, ""),
  ...ofSummaryTexts(() => v.optional(looseText, "")),
});

// The examples of each rule: texts in which it finds what stands between « and », and texts in which it finds nothing.
import examples from "./examples.json" with { type: "json" };

/** Templates of `fake`, so that no file holds anything that looks like a secret. */
export interface Examples {
  gone: readonly string[];
  stay: readonly string[];
}

/** By the rule's id; none where nobody wrote any. */
export const examplesOf = (id: string): Examples =>
  (examples as Readonly<Record<string, Examples>>)[id] ?? { gone: [], stay: [] };

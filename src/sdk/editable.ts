// What a user may write otherwise, and a record as it was before. Apart from the contract: only memoir itself asks for it.
import { summaryTextNames } from "./model.ts";
import type { Marks } from "./turn.ts";

/** Texts that were derived, by kind. Prompts and turns are evidence, and stay as they were said. */
export const editable = {
  observation: ["title", "subtitle", "facts", "narrative"],
  summary: summaryTextNames,
  session: ["title", "subtitle"],
  memory: ["content", "context"],
  prompt: [],
  turn: [],
} as const;

/** A record as it was before the user edited it. */
export function originalOf<Value extends Marks>(record: Value): Value {
  return { ...record, ...record.edited?.was };
}

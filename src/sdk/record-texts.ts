// The texts and lists of a record by their kind: what a user may edit, what it is called in a list, what else is shown. Apart from the contract: only memoir itself asks for it.

import { summaryTextNames } from "./model.ts";
import type { StoredRecord } from "./storage.ts";

/** Texts that were derived, by kind. Prompts and turns are evidence, and stay as they were said. */
export const editable = {
  observation: ["title", "subtitle", "facts", "narrative"],
  summary: summaryTextNames,
  session: ["title", "subtitle"],
  memory: ["content", "context"],
  prompt: [],
  turn: [],
} as const;

/** Its title, or what it says first. */
export function firstWords(stored: StoredRecord): string {
  switch (stored.kind) {
    case "observation":
    case "session":
      return stored.record.title;
    case "summary":
      return stored.record.completed || stored.record.request;
    case "prompt":
      return stored.record.text;
    case "memory":
      return stored.record.content;
    case "turn":
      return stored.record.pieces[0]?.text ?? "";
  }
}

/** Its lists beside what it says, as readers call them: on a screen and in an agent's text. */
export function listsOf(stored: StoredRecord): Array<[name: string, items: readonly string[]]> {
  switch (stored.kind) {
    case "observation":
      return [
        ["files read", stored.record.filesRead],
        ["files changed", stored.record.filesModified],
        ["concepts", stored.record.concepts],
      ];
    case "summary":
      return [
        ["files read", stored.record.filesRead],
        ["files changed", stored.record.filesEdited],
      ];
    default:
      return [];
  }
}

// What people read for kinds of records and of what is kept across sessions, on the page and in the terminal.
import type { MemoryItem } from "./model.ts";

/** What people read for each kind of what is kept across sessions. */
export const itemWords: Readonly<Record<MemoryItem["kind"], string>> = {
  decisions: "Decision",
  preferences: "Preference",
  projects: "About the project",
  facts: "Fact",
  workflows: "Works here",
  gotchas: "Failure and fix",
};

/** What people read for each kind of record. */
export const kindNames: Readonly<Record<string, string>> = {
  observation: "Observation",
  summary: "Summary",
  prompt: "Prompt",
  session: "Session",
  memory: "Decision",
  turn: "Turn",
};

/** What people read for a result: its type where it has one, else its kind. */
export const typeWords = (kind: string, type: string): string =>
  (kind === "memory" ? itemWords[type as MemoryItem["kind"]] : undefined) ??
  (type === kind ? kindNames[kind] : undefined) ??
  type;

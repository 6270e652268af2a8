// The texts and lists of a record by their kind: what a user may edit, what it is called in a list, what else is shown. Apart from the contract: only memoir itself asks for it.

import { type MemoryItem, summaryTextNames } from "./model.ts";
import type { RecordPart, StoredRecord } from "./storage.ts";
import type { Marks } from "./turn.ts";

/**
 * Texts that were derived, by kind: what it is called, then the rest as it is read. Shown, edited and searched by this list. Prompts and
 * turns are evidence, and stay as they were said.
 */
export const editable = {
  observation: ["title", "subtitle", "facts", "narrative"],
  summary: summaryTextNames,
  session: ["title", "subtitle"],
  memory: ["content", "context"],
  prompt: [],
  turn: [],
} as const;

/** Those of a record, by field; a list is one of facts. */
export type Texts = Record<string, string | string[]>;

/** All of them in their order; empty where it has none. */
export function textsOf({ kind, record }: StoredRecord): Texts {
  const names: readonly string[] = editable[kind];
  return Object.fromEntries(names.map((name) => [name, Reflect.get(record, name) ?? ""]));
}

/** The same without what it is called. */
export function furtherTexts(stored: StoredRecord): Array<string | string[]> {
  return Object.values(textsOf(stored)).slice(1);
}

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

/** What a record is called among those of its turn: an observation by its type. */
export function typeOf({ kind, record }: StoredRecord): string {
  if (kind === "observation") return record.type;
  return kind === "summary" ? `${record.scope} summary` : kind;
}

/** It as one of the records of a turn. */
export function partOf(stored: StoredRecord): RecordPart {
  const { kind, record } = stored;
  const newer = kind === "observation" ? record.supersededBy : undefined;
  return {
    ...{ id: record.id, kind, type: typeOf(stored) },
    title: firstLine(firstWords(stored)),
    ...(newer !== undefined && { supersededBy: newer }),
    ...marksOf(record),
  };
}

/** What the user made of it. */
export function marksOf({ pinned, hidden, merged, edited }: Marks): {
  marks?: Array<keyof Marks>;
} {
  const marks = Object.entries({ pinned, hidden, merged, edited }).flatMap(([mark, is]) =>
    is ? (mark as keyof Marks) : [],
  );
  return marks.length > 0 ? { marks } : {};
}

/** The observation that says what came of a turn: the one that was found, else the first that holds. */
export function namesTurn(parts: readonly RecordPart[], found?: string): RecordPart | undefined {
  const all = parts.filter(({ kind }) => kind === "observation");
  return (
    all.find(({ id }) => id === found) ??
    all.find(({ supersededBy, marks = [] }) => !supersededBy && !marks.includes("hidden")) ??
    all[0]
  );
}

/** `records o12, s3`: those of a turn beside its own, which has its prompt. */
export function partIds(parts: readonly RecordPart[] = [], id: string): string {
  const others = parts.filter((part) => part.id !== id && part.kind !== "prompt");
  return others.length === 0 ? "" : `records ${others.map((part) => part.id).join(", ")}`;
}

/** So many of a turn's failures stand with it in a list. */
export const shownFailures = 2;

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

const titleLength = 120;

/** One line of at most 120 characters. */
export function firstLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= titleLength) return line;
  return `${line
    .slice(0, titleLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}

// The words of texts, and whether a text has a word that only some of them have.

/** A turn, as far as it says something. */
interface Saying {
  pieces: ReadonlyArray<{ text: string; about?: string | undefined }>;
  files: ReadonlyArray<{ path: string }>;
}

/** What turns say, whatever it is. */
export function textOf(turns: readonly Saying[]): string {
  return turns
    .flatMap(({ pieces, files }) => [
      ...pieces.flatMap(({ text, about = "" }) => [text, about]),
      ...files.map(({ path }) => path),
    ])
    .join("\n");
}

/** Of three characters and more, in lower case. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));
}

/** Tells of a text whether it has a word of `some` that the `rest` has not. */
export function onlyIn(some: string, rest: string): (text: string) => boolean {
  const [own, others] = [wordsOf(some), wordsOf(rest)];
  return (text) => [...wordsOf(text)].some((word) => own.has(word) && !others.has(word));
}

// What people read for kinds, on the page and in the terminal.

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

// A record as what others can be related by: its files, its words and names, what failed in it and what it committed.
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import type { StoredRecord } from "../../../sdk/storage.ts";
import type { Turn } from "../../../sdk/turn.ts";
import { codeNames } from "../../../text/prose/plain.ts";
import type { Asked } from "../ask-timeline.ts";

/** What a record is about. */
export interface Subject {
  /** Undefined for a memory item that was written outside of any session. */
  session: string | undefined;
  project: string;
  /** Prompts of the session that are the record itself; undefined: all of them. */
  prompts: ReadonlySet<number> | undefined;
  /** Epoch ms. */
  time: number;
  /** Changed files first. */
  files: Array<{ path: string; changed: boolean }>;
  names: string[];
  /** What was asked and answered, to be looked for by its rare words. */
  words: string[];
  errors: string[];
  commits: string[];
}

const mostTurns = 40;
const most = { files: 8, names: 20, errors: 3, commits: 5 };
const wordsLength = 500;

/** Reads the turns that the record comes from. */
export async function subjectOf(runtime: Asked, stored: StoredRecord): Promise<Subject> {
  const turns = await turnsOf(runtime, stored);
  const own = ownOf(stored);
  const pieces = turns.flatMap((turn) => turn.pieces);
  const ofKind = (...kinds: string[]) => pieces.filter(({ kind }) => kinds.includes(kind));
  const files = new Map(own.files.map((path) => [path, true]));
  for (const { path, changed } of turns.flatMap((turn) => turn.files))
    files.set(path, changed || (files.get(path) ?? false));
  const texts = [...own.texts, ...ofKind("prompt", "typed", "closing").map(({ text }) => text)];
  const symbols = turns.flatMap((turn) => turn.files.flatMap((file) => file.symbols ?? []));
  return {
    ...placeOf(stored),
    files: [...files]
      .map(([path, changed]) => ({ path, changed }))
      .sort((a, b) => Number(b.changed) - Number(a.changed))
      .slice(0, most.files),
    names: distinct([...symbols, ...texts.flatMap(codeNames)]).slice(0, most.names),
    words: [texts[0], texts.at(-1)].flatMap((text) => (text ? text.slice(0, wordsLength) : [])),
    errors: distinct(ofKind("failure", "repair").flatMap(({ text }) => errorLine(text))).slice(
      -most.errors,
    ),
    commits: distinct(ofKind("commit").flatMap(({ about }) => about ?? [])).slice(-most.commits),
  };
}

async function turnsOf(runtime: Asked, { kind, record }: StoredRecord): Promise<Turn[]> {
  if (kind === "turn") return [record];
  const session = kind === "session" ? record.id : record.session;
  if (kind === "memory" || !session) return [];
  const one = kind === "session" ? {} : { promptNumber: record.promptNumber };
  return askStorage(runtime.hooks, "storage.turns", { session, ...one, limit: mostTurns });
}

function ownOf({ kind, record }: StoredRecord): { texts: string[]; files: string[] } {
  switch (kind) {
    case "observation":
      return {
        texts: [record.title, record.facts.join("\n")],
        files: [...record.filesModified, ...record.filesRead],
      };
    case "summary":
      return { texts: [record.request, record.completed], files: record.filesEdited };
    case "memory":
      return { texts: [record.content], files: [] };
    case "prompt":
      return { texts: [record.text], files: [] };
    case "session":
      return { texts: [record.title], files: [] };
    case "turn":
      return { texts: [], files: [] };
  }
}

function placeOf(stored: StoredRecord) {
  const { kind, record } = stored;
  if (kind === "session")
    return {
      session: record.id,
      project: record.project.id,
      prompts: undefined,
      time: record.startedAt,
    };
  if (kind === "memory")
    return {
      session: undefined,
      project: record.project,
      prompts: undefined,
      time: Date.parse(record.date),
    };
  const { session, project, promptNumber } = record;
  const time = kind === "turn" ? record.startedAt : record.time;
  return { session, project, prompts: new Set([promptNumber]), time };
}

/** The line that says what went wrong: the last that names an error, else the last. */
function errorLine(text: string): string[] {
  const lines = text.split("\n").flatMap((line) => (line.trim().length > 8 ? line.trim() : []));
  const line = lines.findLast((one) => /error|fail|exception|panic/i.test(one)) ?? lines.at(-1);
  return line === undefined ? [] : [line.slice(0, 200)];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ""))];
}

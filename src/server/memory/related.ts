// What else belongs to a record: asked of the storage in force, by files, names, errors and commits.

import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { namesTurn, partOf } from "../../sdk/record-texts.ts";
import type { RecordFilter, RecordKind, SearchResult, StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { codeNames } from "../../text/prose/plain.ts";
import { cut, oneLine } from "../../text/text.ts";
import { all, list, momentOf, projectOf, recordOf, stored, type WithHooks } from "./records.ts";

/** What narrows the answer. */
interface RelatedQuery extends Pick<RecordFilter, "project" | "client" | "since" | "until"> {
  kinds?: RecordKind[];
  /** Default 20. */
  limit?: number;
}

/** A record that may belong. */
interface Found {
  id: string;
  kind: RecordKind;
  type: string;
  session: string;
  project: string;
  title: string;
  /** Epoch ms. */
  createdAt: number;
  promptNumber: number;
  supersededBy?: string;
}

const perFile = 50;
const perSearch = 40;
/** Of one session at most so many, so that others are seen. */
const perSession = 3;
const reasons = 6;
/** Of the weightiest word; what adds less says little. */
const telling = 0.4;
const ownSession = 0.6;
const overtaken = 0.5;
const week = 7 * 86_400_000;

/**
 * Best first, with the reasons; scores are comparable inside one answer only. What was found in several records of a turn is one
 * entry: its turn's, unless other kinds were asked for. Throws `record_not_found`.
 */
export async function askRelated(runtime: WithHooks, id: string, query: RelatedQuery) {
  const { kinds, limit = 20 } = query;
  const subject = await subjectOf(runtime, await recordOf(runtime, id));
  const found = new Map<string, Found>();
  const signs = (
    await Promise.all([
      byFiles(runtime, subject, query, found),
      bySearch(runtime, subject, query, found),
    ])
  ).flat();
  const wanted = (one: Found) =>
    one.id !== id &&
    (kinds?.includes(one.kind) ?? true) &&
    !(
      one.session === subject.session &&
      (subject.prompts === undefined || subject.prompts.has(one.promptNumber))
    );
  const keyOf = (one: Found) =>
    (kinds?.includes("turn") ?? true) && isOfTurn(one)
      ? JSON.stringify([one.session, one.promptNumber])
      : one.id;
  const entries = Map.groupBy([...found.values()].filter(wanted), keyOf);
  const superseded = await supersededOf(runtime, [...found.keys()]);
  const weighed = weighSigns(
    signs.flatMap((sign) => {
      const one = found.get(sign.id);
      return one ? { ...sign, id: keyOf(one) } : [];
    }),
    (key) => {
      const [first, ...others] = entries.get(key) ?? [];
      if (!first) return 0;
      const isOvertaken = [first, ...others].every((one) => superseded.has(one.id));
      return (first.session === subject.session ? ownSession : 1) * (isOvertaken ? overtaken : 1);
    },
  );
  const shown = new Map<string, number>();
  const best = weighed.flatMap(({ id: key, score, signs: because }) => {
    const [first] = entries.get(key) ?? [];
    if (!first) return [];
    const count = (shown.get(first.session) ?? 0) + 1;
    shown.set(first.session, count);
    return count > perSession ? [] : { first, isTurn: key !== first.id, score, because };
  });
  return Promise.all(
    best.slice(0, limit).map(async ({ first, isTurn, score, because }) => {
      const { promptNumber: _, ...record } = isTurn ? await turnOf(runtime, first) : first;
      const newer = superseded.get(record.id) ?? record.supersededBy;
      return {
        ...record,
        score: Math.round(score * 1_000) / 1_000,
        because: because.slice(0, reasons),
        ...(newer === undefined ? {} : { supersededBy: newer }),
      };
    }),
  );
}

function isOfTurn({ kind }: Found): boolean {
  return kind !== "session" && kind !== "memory";
}

/** The turn that a record is of, called as lists call it; the record itself where no turn was kept. */
async function turnOf(runtime: WithHooks, one: Found): Promise<Found> {
  const { session, promptNumber, project } = one;
  const place = { session, promptNumber, project };
  const [[turn], observations] = await Promise.all([
    list(runtime, "turn", place),
    all(runtime, "observation", { session, project }),
  ]);
  if (!turn) return one;
  // A list of observations is of a whole session.
  const own = observations.filter((observation) => observation.promptNumber === promptNumber);
  const main = namesTurn(stored("observation", own).map(partOf));
  if (!main) return foundTurn(turn);
  const { type, title, supersededBy } = main;
  return { ...foundTurn(turn), type, title, ...(supersededBy !== undefined && { supersededBy }) };
}

/** Turns that touched the same files, and whether their session went on with what was changed. */
async function byFiles(
  runtime: WithHooks,
  subject: Subject,
  { project = subject.project, since, until, client }: RelatedQuery,
  found: Map<string, Found>,
): Promise<Sign[]> {
  const lists = await Promise.all(
    subject.files.map(async ({ path, changed }) => {
      const asked = { project, file: path, limit: perFile, client, since, until };
      const turns = await list(runtime, "turn", asked);
      return turns.flatMap((turn): Sign[] => {
        const touched = turn.files.find((file) => isSame(file.path, path));
        const isChanged = changed && touched?.changed === true;
        found.set(turn.id, foundTurn(turn));
        const sign: Sign = {
          id: turn.id,
          kind: "file",
          what: path,
          worth: fileWorth(turns.length, isChanged),
        };
        const isNear = Math.abs(turn.startedAt - subject.time) <= week;
        const wentOn = isChanged && isNear && turn.session !== subject.session;
        return wentOn
          ? [sign, { id: turn.id, kind: "continued", what: turn.session, worth: 1 }]
          : [sign];
      });
    }),
  );
  return lists.flat();
}

function isSame(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

function foundTurn({ id, session, project, pieces, startedAt, promptNumber }: Turn): Found {
  const title = cut(oneLine(pieces[0]?.text ?? ""), 120);
  const of = { session, project, title, createdAt: startedAt, promptNumber };
  return { id, kind: "turn", type: "turn", ...of };
}

/** What the search finds by the record's rare words, its errors and its commits. */
async function bySearch(
  runtime: WithHooks,
  subject: Subject,
  { limit: _limit, kinds: _kinds, ...filter }: RelatedQuery,
  found: Map<string, Found>,
): Promise<Sign[]> {
  const { names, words, errors, commits } = subject;
  const search = (texts: readonly string[]) =>
    askStorage(runtime.hooks, "storage.search", {
      ...filter,
      project: filter.project ?? subject.project,
      text: texts[0] ?? "",
      also: texts.slice(1),
      by: "record",
      explain: true,
      swift: true,
      limit: perSearch,
    });
  const about = [names.join(" "), ...words].filter((text) => text.trim() !== "");
  const none: SearchResult[] = [];
  const [alike, failed, committed] = await Promise.all([
    about.length > 0 ? search(about) : none,
    errors.length > 0 ? search(errors) : none,
    commits.length > 0 ? search(commits.map((commit) => `"${commit}"`)) : none,
  ]);
  for (const result of [...alike, ...failed, ...committed])
    found.set(result.id, foundResult(result));
  const best = mostAdded(alike);
  const worst = mostAdded(failed);
  return [
    ...alike.flatMap((result) =>
      addedBy(result)
        .filter(({ adds }, _, [first]) => adds >= telling * (first?.adds ?? 0))
        .slice(0, 4)
        .map(({ word, adds }) => sign(result, "name", asWritten(word, about), adds / best)),
    ),
    ...failed.flatMap((result) => {
      const [said] = saidIn(result, errors);
      return said === undefined || result.why?.field !== "failure"
        ? []
        : sign(result, "error", said, sum(result) / worst);
    }),
    // A commit that stands nowhere else was looked for by what is like it.
    ...committed.flatMap((result) =>
      saidIn(result, commits).map((commit) => sign(result, "commit", commit, 1)),
    ),
  ];
}

/** A word as it stands in the texts: what was searched for is its stem, or a name without its separators. */
function asWritten(stem: string, texts: readonly string[]): string {
  const plain = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const words = texts.flatMap(
    (text) => text.match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? [],
  );
  // A stem lacks a few letters; what lacks more is one part of a longer name.
  const begins = (start: string) =>
    words
      .filter((word) => plain(word).startsWith(start) && plain(word).length <= start.length + 5)
      .sort((a, b) => a.length - b.length)[0];
  // `summary` has the stem `summari`.
  return begins(plain(stem)) ?? begins(plain(stem).slice(0, -1)) ?? stem;
}

/** Those of the texts of which a word was found. */
function saidIn(result: SearchResult, texts: readonly string[]): string[] {
  const words = addedBy(result).map(({ word }) => word.toLowerCase());
  return texts.filter((text) => words.some((word) => text.toLowerCase().includes(word)));
}

function sign(result: SearchResult, kind: Sign["kind"], what: string, worth: number): Sign {
  return { id: result.id, kind, what, worth };
}

function addedBy({ why }: SearchResult): Array<{ word: string; adds: number }> {
  return why?.words ?? [];
}

function sum(result: SearchResult): number {
  return addedBy(result).reduce((total, { adds }) => total + adds, 0);
}

function mostAdded(results: readonly SearchResult[]): number {
  return results.reduce((most, result) => Math.max(most, sum(result)), Number.MIN_VALUE);
}

function foundResult(result: SearchResult): Found {
  const { id, kind, type, session, project, title, createdAt, promptNumber } = result;
  return { id, kind, type, session, project, title, createdAt, promptNumber };
}

async function supersededOf(
  runtime: WithHooks,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const records = await askStorage(runtime.hooks, "storage.get", { ids: [...ids] });
  return new Map(
    records.flatMap((one) =>
      one.kind === "observation" && one.record.supersededBy !== undefined
        ? [[one.record.id, one.record.supersededBy] as const]
        : [],
    ),
  );
}

// A record as what others can be related by: its files, its words and names, what failed in it and what it committed.

/** What a record is about. */
interface Subject {
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
export async function subjectOf(runtime: WithHooks, stored: StoredRecord): Promise<Subject> {
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

async function turnsOf(runtime: WithHooks, { kind, record }: StoredRecord): Promise<Turn[]> {
  if (kind === "turn") return [record];
  const session = kind === "session" ? record.id : record.session;
  if (kind === "memory" || !session) return [];
  const promptNumber = kind === "session" ? undefined : record.promptNumber;
  return list(runtime, "turn", { session, promptNumber, limit: mostTurns });
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
  const place = { project: projectOf(stored), time: momentOf(stored), prompts: undefined };
  if (kind === "session") return { ...place, session: record.id };
  if (kind === "memory") return { ...place, session: undefined };
  return { ...place, session: record.session, prompts: new Set([record.promptNumber]) };
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

// What belongs together, from the signs of it. Pure.

/** Why a record belongs to another one. */
export const signKinds = ["file", "name", "error", "commit", "continued"] as const;
/**
 * `file`: both touched it. `name`: a rare word or name stands in both. `error`: it failed alike. `commit`: both name it.
 * `continued`: another session went on with the files that were changed, before or after.
 */
type SignKind = (typeof signKinds)[number];

/** One sign that a record belongs. */
interface Sign {
  /** Of the record. */
  id: string;
  kind: SignKind;
  /** The path, word, error or commit; for `continued` the other session. */
  what: string;
  /** From 0 to about 1. */
  worth: number;
}

/** A record with all its signs, the weightiest first. */
interface Weighed {
  id: string;
  score: number;
  signs: Array<Pick<Sign, "kind" | "what">>;
}

const kindWorth: Record<SignKind, number> = {
  commit: 1.5,
  error: 1.2,
  file: 1,
  name: 1,
  continued: 0.5,
};
/** Of one kind each further sign adds that much of the one before. */
const further = 0.6;

/** A file that everything touches says little. `turns`: how many have it. */
export function fileWorth(turns: number, isChangedInBoth: boolean): number {
  return (isChangedInBoth ? 1 : 0.5) / Math.log2(2 + turns);
}

/** Best first; several kinds of signs outweigh many of one. `factor` scales a record's score; 0 leaves it out. */
export function weighSigns(signs: readonly Sign[], factor: (id: string) => number): Weighed[] {
  return [...Map.groupBy(signs, ({ id }) => id)]
    .map(([id, own]) => {
      const unique = new Map<string, Sign>();
      for (const sign of own) {
        const key = `${sign.kind} ${sign.what}`;
        if ((unique.get(key)?.worth ?? -1) < sign.worth) unique.set(key, sign);
      }
      const sorted = [...unique.values()].sort((a, b) => worthOf(b) - worthOf(a));
      const score = [...Map.groupBy(sorted, ({ kind }) => kind).values()]
        .flatMap((alike) => alike.map((sign, rank) => worthOf(sign) * further ** rank))
        .reduce((sum, worth) => sum + worth, 0);
      return {
        id,
        score: score * factor(id),
        signs: sorted.map(({ kind, what }) => ({ kind, what })),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id.localeCompare(b.id));
}

function worthOf({ kind, worth }: Sign): number {
  return kindWorth[kind] * worth;
}

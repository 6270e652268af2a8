// What would be forgotten, said before it is done: the records, whole sessions among them, what was derived from them, and copies that hold them.

import { copiesOf, removeCopies } from "../../home/old-copies.ts";
import { hasWordsOnlyOf } from "../../runtime/events/forgotten.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type MemoryItem, type Session, summaryTextNames } from "../../sdk/model.ts";
import { firstWords } from "../../sdk/record-texts.ts";
import type { RecordFilter, StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { cut, oneLine, plural } from "../../text/text.ts";
import { wordsOf } from "../../text/words-of.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { all, list, momentOf, partKinds, projectOf, stored, type WithHooks } from "./records.ts";

/** Looks up what is meant; a prompt means its turn. Throws `usage` or `record_not_found`; see `select`. */
export async function whatGoes(runtime: WithHooks, selection: Selection) {
  const { records: selected, isOpen } = await select(runtime, selection);
  const records = await withTurns(runtime, selected);
  const lines = await Promise.all(
    records.map((stored) =>
      stored.kind === "session" ? sessionLine(runtime, stored.record) : line(stored),
    ),
  );
  const ids = records.map(({ record }) => record.id);
  const since = Math.min(...records.map(momentOf));
  return {
    ids,
    /** For a person, one for each. */
    lines,
    /** Ids of what was made of them and stays. */
    derived: await derivedFrom(runtime, records),
    /** By words alone: somebody has to choose ids. */
    isOpen,
    /** Epoch ms of the oldest of it. */
    since,
  };
}
type Going = Awaited<ReturnType<typeof whatGoes>>;

/** Forgets what was looked up; with it what was derived from it, and backups and set-aside files that hold it, where that is said. Throws `usage` where nobody chose among what words found. */
export async function forget(
  runtime: Pick<ServerRuntime, "forget" | "home">,
  { ids, derived, since, isOpen }: Going,
  more: { derived?: boolean; backups?: boolean } = {},
) {
  const { home } = runtime;
  if (isOpen)
    throw new MemoirError("usage", `Words alone found ${plural(ids.length, "record")}.`, {
      fix: "Look at them in a dry run, and name those to forget by their ids.",
    });
  const { deleted } = await runtime.forget(more.derived ? [...ids, ...derived] : ids);
  if (more.backups) await removeCopies(home, since);
  return {
    deleted,
    derived: more.derived ? [] : derived,
    /** Paths, below the home, of backups and set-aside files that still hold it. */
    copies: await copiesOf(home, since),
  };
}

/** What somebody typed stands in its turn too. */
async function withTurns(
  runtime: WithHooks,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const found = new Map(records.map((stored) => [stored.record.id, stored]));
  for (const { kind, record } of records) {
    if (kind !== "prompt") continue;
    const { session, client, promptNumber } = record;
    const turns = await list(runtime, "turn", { session, client, promptNumber });
    for (const turn of turns) found.set(turn.id, { kind: "turn", record: turn });
    // The turn takes it with it.
    if (turns.length > 0) found.delete(record.id);
  }
  return [...found.values()];
}

function line({ kind, record }: Exclude<StoredRecord, { kind: "session" }>): string {
  return `${record.id} ${kind}: ${cut(oneLine(firstWords({ kind, record } as StoredRecord)), 120)}`;
}

async function sessionLine(runtime: WithHooks, session: Session): Promise<string> {
  const asked = { session: session.id };
  const [turns, observations, summaries, memory] = await Promise.all([
    all(runtime, "turn", asked),
    all(runtime, "observation", asked),
    all(runtime, "summary", asked),
    all(runtime, "memory", asked),
  ]);
  const counts = [
    plural(turns.length, "turn"),
    plural(observations.length, "observation"),
    plural(summaries.length, "summary", "summaries"),
    plural(memory.length, "memory item"),
  ];
  const title = cut(oneLine(session.title || "untitled"), 120);
  return `the whole session ${session.id} (${title}): ${counts.join(", ")}`;
}

// What a person means to have deleted: by ids, session, project, words, file and time; all of it must hold.

/** At least one field. */
export interface Selection extends Pick<RecordFilter, "project" | "file" | "since" | "until"> {
  /** As search gives them; a session's may be its beginning. */
  ids?: string[];
  session?: string;
  /** Words: what a search finds. Nothing is forgotten by words alone, see `whatGoes`. */
  query?: string;
}

/** What a person can look through. */
const hits = 50;

/** Throws `usage` where nothing is said, `record_not_found` where nothing fits. */
export async function select(
  runtime: WithHooks,
  selection: Selection,
): Promise<{ records: StoredRecord[]; isOpen: boolean }> {
  const { ids, query, ...filter } = selection;
  const narrows = Object.values(filter).some((value) => value !== undefined);
  if (!ids?.length && query === undefined && !narrows)
    throw new MemoirError("usage", "Nothing says what to forget.", {
      fix: "Name ids, a session, a project, a file, a time or words.",
    });
  const records = ids?.length
    ? await named(runtime, ids)
    : query === undefined
      ? await fitting(runtime, filter)
      : await found(runtime, query, filter);
  const fits =
    ids?.length && (narrows || query !== undefined)
      ? await among(runtime, records, query, filter)
      : records;
  if (fits.length === 0)
    throw new MemoirError("record_not_found", notFound(selection), {
      fix: "Copy an id from `memoir search` or `memoir sessions`.",
    });
  return { records: fits, isOpen: query !== undefined && !ids?.length };
}

function notFound({ ids, ...rest }: Selection): string {
  const narrowed = Object.values(rest).some((value) => value !== undefined);
  if (!ids?.length) return "There is nothing to forget that fits.";
  return `There is no record ${ids.join(", ")} to forget${narrowed ? " that fits" : ""}.`;
}

/** Records by their ids, a session also by the beginning of its own; unknown ones are left out. */
export async function named(runtime: WithHooks, ids: readonly string[]): Promise<StoredRecord[]> {
  const records = await askStorage(runtime.hooks, "storage.get", { ids: [...ids] });
  const known = new Set(records.map(({ record }) => record.id));
  for (const id of ids) {
    if (known.has(id) || id.length < 4 || /^[osmpt]\d+$/.test(id)) continue;
    const [session] = await askStorage(runtime.hooks, "storage.sessions", {
      session: id,
      limit: 1,
    });
    if (session) records.push({ kind: "session", record: session });
  }
  return records;
}

type Filter = Omit<Selection, "ids" | "query">;

/** Of a session, a project or a time: whole sessions where all of one fits, else what of it does. */
async function fitting(runtime: WithHooks, filter: Filter): Promise<StoredRecord[]> {
  const { file, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  const whole =
    file === undefined
      ? (await all(runtime, "session", filter)).filter(
          ({ startedAt, lastActiveAt }) => startedAt >= since && lastActiveAt < until,
        )
      : [];
  const ids = new Set(whole.map(({ id }) => id));
  const rest = await Promise.all(
    partKinds.map(async (kind) => {
      // A memory item is of no file.
      if (file !== undefined && (kind === "memory" || kind === "prompt")) return [];
      const parts = await all(runtime, kind, filter);
      return stored(
        kind,
        parts.filter(({ session }) => !ids.has(session)),
      );
    }),
  );
  return [...stored("session", whole), ...rest.flat()];
}

async function found(runtime: WithHooks, text: string, filter: Filter): Promise<StoredRecord[]> {
  const results = await askStorage(runtime.hooks, "storage.search", {
    ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    ...{ text, by: "record" as const, limit: hits },
  });
  const ids = [...new Set(results.map(({ id }) => id))];
  return askStorage(runtime.hooks, "storage.get", { ids });
}

/** Those that also fit what else was said. */
async function among(
  runtime: WithHooks,
  records: readonly StoredRecord[],
  query: string | undefined,
  filter: Filter,
): Promise<StoredRecord[]> {
  const fit = await (query === undefined
    ? fitting(runtime, filter)
    : found(runtime, query, filter));
  const ids = new Set(fit.map(({ record }) => record.id));
  const whole = new Set(fit.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])));
  return records.filter(
    ({ kind, record }) => ids.has(record.id) || (kind !== "session" && whole.has(record.session)),
  );
}

// What was made of turns that go, or quotes them, and would stay.

interface Quoting {
  session: string;
  evidence?: Array<{ session?: string | undefined; turn: number }> | undefined;
}

/** Ids of what stays and says something of it; none of what goes itself. */
export async function derivedFrom(
  runtime: WithHooks,
  going: readonly StoredRecord[],
): Promise<string[]> {
  const sessions = new Set(
    going.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])),
  );
  const turns = going.flatMap(({ kind, record }) => (kind === "turn" ? [record] : []));
  const ids = new Set(going.map(({ record }) => record.id));
  const derived: string[] = [];
  for (const [session, own] of Map.groupBy(turns, (turn) => turn.session))
    derived.push(...(await ofTurns(runtime, session, own)));
  const whole = await Promise.all(
    [...sessions].map((session) => all(runtime, "turn", { session })),
  );
  const gone = [...turns, ...whole.flat()];
  const projects = new Set([
    ...gone.map(({ project }) => project),
    ...going.flatMap((one) => (one.kind === "session" ? projectOf(one) : [])),
  ]);
  for (const project of projects) {
    const items = (await all(runtime, "memory", { project })).filter(
      ({ id, session }) => !ids.has(id) && !sessions.has(session),
    );
    derived.push(...(await quoting(runtime, items, gone, sessions)));
  }
  return [...new Set(derived)].filter((id) => !ids.has(id));
}

/** Of a prompt, and of its session as a whole. */
async function ofTurns(
  runtime: WithHooks,
  session: string,
  turns: readonly Turn[],
): Promise<string[]> {
  const numbers = new Set(turns.map(({ promptNumber }) => promptNumber));
  const [observations, summaries] = await Promise.all([
    all(runtime, "observation", { session }),
    all(runtime, "summary", { session }),
  ]);
  const says = await hasWordsOnlyOf(runtime.hooks, session, turns);
  return [
    ...observations.filter((one) => numbers.has(one.promptNumber) || isFrom(one, numbers, session)),
    ...summaries.filter((one) =>
      one.scope === "prompt"
        ? numbers.has(one.promptNumber)
        : isFrom(one, numbers, session) ||
          says(summaryTextNames.map((name) => one[name]).join("\n")),
    ),
  ].map(({ id }) => id);
}

function isFrom(
  { session, evidence = [] }: Quoting,
  turns: ReadonlySet<number>,
  of: string,
): boolean {
  return evidence.some((place) => (place.session ?? session) === of && turns.has(place.turn));
}

/** By their evidence; or by a word that what goes has, and their own session has not once that is gone. */
async function quoting(
  runtime: WithHooks,
  items: readonly MemoryItem[],
  gone: readonly Turn[],
  sessions: ReadonlySet<string>,
): Promise<string[]> {
  const isGone = new Set(gone.map(({ session, promptNumber }) => `${session} ${promptNumber}`));
  const words = wordsOf(gone.flatMap(({ pieces }) => pieces.map(({ text }) => text)).join("\n"));
  const tellers = new Map<string, (text: string) => boolean>();
  const found: string[] = [];
  for (const item of items) {
    const { evidence = [], session, content, quote = "", context } = item;
    const places = evidence.map((place) => [place.session ?? session, place.turn] as const);
    if (places.some(([of, turn]) => sessions.has(of) || isGone.has(`${of} ${turn}`))) {
      found.push(item.id);
      continue;
    }
    // What a person stored by their own word quotes nobody.
    const text = [content, quote, context].join("\n");
    if (evidence.length === 0 || ![...wordsOf(text)].some((word) => words.has(word))) continue;
    const says = tellers.get(session) ?? (await hasWordsOnlyOf(runtime.hooks, session, gone));
    tellers.set(session, says);
    if (says(text)) found.push(item.id);
  }
  return found;
}

// What would be forgotten, said before it is done: the records, whole sessions among them, what was derived from them, and copies that hold them.

import { copiesOf, removeCopies } from "../../home/old-copies.ts";
import { hasWordsOnlyOf } from "../../runtime/events/forgotten.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type Session, summaryTextNames } from "../../sdk/model.ts";
import { firstWords, onlyIn, textOf } from "../../sdk/record-texts.ts";
import type { RecordFilter, StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { cut, oneLine, plural } from "../../text/text.ts";
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
  const { made, repeats } = await derivedFrom(runtime, records);
  return {
    ids,
    /** For a person, one for each. */
    lines,
    /** Ids of what was made of them alone and stays unless it is to go too. */
    derived: made,
    /** Ids of what may repeat them and stays. */
    repeats,
    /** A line, as those above, for each of these two. */
    named: Object.fromEntries(
      (await askStorage(runtime.hooks, "storage.get", { ids: [...made, ...repeats] })).map(
        (stored) => [stored.record.id, line(stored as Exclude<StoredRecord, { kind: "session" }>)],
      ),
    ),
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
  { ids, derived, repeats, named, since, isOpen }: Going,
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
    repeats,
    named,
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

// What says something of turns that go, and would stay.

interface Resting {
  session: string;
  evidence?: Array<{ session?: string | undefined; turn: number }> | undefined;
}

/** Ids, none of them of what goes itself. */
interface Staying {
  /** Rests on what goes alone, by its evidence, or by its prompt where it has none; a session's summary also by its words. */
  made: string[];
  /** Rests on other turns too, or is an item with a word of what goes that no other turn has; it is never deleted along. */
  repeats: string[];
}

/** What stays and says something of it. Where nothing else is left of a record it was made of what goes, else it may repeat it. */
export async function derivedFrom(
  runtime: WithHooks,
  going: readonly StoredRecord[],
): Promise<Staying> {
  const sessions = new Set(
    going.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])),
  );
  const turns = going.flatMap(({ kind, record }) => (kind === "turn" ? [record] : []));
  const whole = await Promise.all(
    [...sessions].map((session) => all(runtime, "turn", { session })),
  );
  const gone = [...turns, ...whole.flat()];
  const projects = new Set([
    ...gone.map(({ project }) => project),
    ...going.flatMap((one) => (one.kind === "session" ? projectOf(one) : [])),
  ]);
  const of = [...new Set(turns.map(({ session }) => session))].filter((id) => !sessions.has(id));
  const lists = await Promise.all([
    ...of.map((session) => ofTurns(runtime, session, gone)),
    ...[...projects].map((project) => itemsOf(runtime, project, { gone, sessions })),
  ]);
  const ids = new Set(going.map(({ record }) => record.id));
  const stays = (name: keyof Staying) => [
    ...new Set(lists.flatMap((list) => list[name]).filter((id) => !ids.has(id))),
  ];
  return { made: stays("made"), repeats: stays("repeats") };
}

/** Observations and summaries of a session of which some turns go. */
async function ofTurns(
  runtime: WithHooks,
  session: string,
  gone: readonly Turn[],
): Promise<Staying> {
  const own = gone.filter((turn) => turn.session === session);
  const numbers = new Set(own.map(({ promptNumber }) => promptNumber));
  const [observations, summaries] = await Promise.all([
    all(runtime, "observation", { session }),
    all(runtime, "summary", { session }),
  ]);
  const says = await hasWordsOnlyOf(runtime.hooks, session, own);
  const isGone = goneFrom(gone);
  return sorted([...observations, ...summaries], (one) => {
    const rests = restsOn(one, isGone);
    if ("scope" in one && one.scope === "session")
      // It cannot lose a piece of itself: with a word that nothing else of its session has, it goes as a whole.
      return says(summaryTextNames.map((name) => one[name]).join("\n")) ? "alone" : rests;
    if (rests !== "no" || !numbers.has(one.promptNumber)) return rests;
    return one.evidence?.length ? "too" : "alone";
  });
}

/** Memory items of a project; those of sessions that go as a whole go with them. */
async function itemsOf(
  runtime: WithHooks,
  project: string,
  { gone, sessions }: { gone: readonly Turn[]; sessions: ReadonlySet<string> },
): Promise<Staying> {
  const items = (await all(runtime, "memory", { project })).filter(
    ({ session }) => !sessions.has(session),
  );
  const isGone = goneFrom(gone, sessions);
  const ids = new Set(gone.map(({ id }) => id));
  const left = (await all(runtime, "turn", { project })).filter(({ id }) => !ids.has(id));
  const says = onlyIn(textOf(gone), textOf(left));
  return sorted(items, (item) => {
    const { content, quote = "", context } = item;
    // What a person stored by their own word quotes nobody.
    if (!item.evidence?.length) return "no";
    const rests = restsOn(item, isGone);
    return rests === "no" && says([content, quote, context].join("\n")) ? "too" : rests;
  });
}

/** On what goes: alone, beside other turns too, or not at all. */
type Rests = "alone" | "too" | "no";

function restsOn(
  { session, evidence = [] }: Resting,
  isGone: (session: string, turn: number) => boolean,
): Rests {
  const going = evidence.filter((place) => isGone(place.session ?? session, place.turn));
  return going.length === 0 ? "no" : going.length === evidence.length ? "alone" : "too";
}

function goneFrom(gone: readonly Turn[], sessions: ReadonlySet<string> = new Set()) {
  const places = new Set(gone.map(({ session, promptNumber }) => `${session} ${promptNumber}`));
  return (session: string, turn: number) =>
    sessions.has(session) || places.has(`${session} ${turn}`);
}

function sorted<One extends { id: string }>(
  ones: readonly One[],
  rests: (one: One) => Rests,
): Staying {
  const by = Map.groupBy(ones, rests);
  const ids = (which: Rests) => (by.get(which) ?? []).map(({ id }) => id);
  return { made: ids("alone"), repeats: ids("too") };
}

// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database/intact.ts";
import { type Database, parsedObject, type Row } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  type AnyRecord,
  contentHash,
  identityOf,
  identityOfParts,
  itemsIdentity,
  originalOf,
  wordsOf,
} from "../sdk/identity.ts";
import {
  type NewMemoryItem,
  type NewObservation,
  type NewPrompt,
  type NewSummary,
  RecordsSchema,
} from "../sdk/model.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import type { NewTurn } from "../sdk/turn.ts";
import { idOf, type RecordOf, titleKey } from "./fields.ts";
import { headOf, identityAt, noteOwn, noteWord } from "./log.ts";
import { settleMarks, uncover } from "./marker.ts";
import { placingBySession, settleFolders } from "./project-choices.ts";
import {
  rowWriter,
  type SessionWriter,
  sessionWriter,
  supersede,
  type WriteHow,
  type Written,
} from "./rows.ts";
import { type Findable, searchDocument } from "./search-index.ts";

/** So many rows of each table get their checksum at a time, beside those that are written: of a memory from before there were any. */
export const sumsAtOnce = 100;

/** The handler of `storage.put` for an open database. Throws `record_invalid` for what breaks the schema. */
export function putter(
  db: Database,
  index: Findable,
  now: () => number,
): (request: PutRequest) => PutResult {
  const writers = createWriters(db, index, now);

  /**
   * As it was derived, then what the user made of it: their edits are lifted off its row, it is written, the change is logged, and they are
   * laid on again.
   */
  function put(one: AnyRecord): Written {
    const { kind, record } = one;
    let identity = identityOf(one);
    const head = headOf(db, identity);
    let known = head?.row ?? undefined;
    if (kind === "memory" && known === undefined) {
      known = writers.sameItem(record);
      identity = (known === undefined ? undefined : identityAt(db, kind, known)) ?? identity;
    }
    if (known !== undefined) uncover(db, { kind, row: known });
    const written = writers[kind](originalOf(record) as never, { known });
    const of = ofSessionOf(one);
    noteOwn(db, { kind, identity, row: written.row, of }, now());
    for (const word of wordsOf(one)) noteWord(db, { record: identity, ...word });
    settleMarks(db, index, { kind, row: written.row }, identity);
    return written;
  }

  return (request) => {
    const { key, records } = clean(parsePut(request));
    const each = (kind: AnyRecord["kind"], list: ReadonlyArray<AnyRecord["record"]> = []) =>
      list.map((record) => put({ kind, record } as AnyRecord));
    const ids = (written: readonly Written[]) => written.map(({ id }) => id);
    return db.transaction(() => {
      const before = db
        .prepare<{ result: string }>("SELECT result FROM puts WHERE key = ?")
        .get([key]);
      if (before) return { ...idsOf(before.result), written: false };
      each("session", records.sessions);
      each("prompt", records.prompts);
      const observations = each("observation", records.observations);
      const result: Ids = {
        observations: ids(observations),
        summaries: ids(each("summary", records.summaries)),
        turns: ids(each("turn", records.turns)),
      };
      each("memory", records.memory);
      settleFolders(db, index);
      writers.settleBare();
      supersede(
        db,
        observations.map(({ row }) => row),
      );
      db.prepare("INSERT INTO puts (key, result, created_at) VALUES (?, ?, ?)").run([
        key,
        JSON.stringify(result),
        now(),
      ]);
      sumRows(db, Object.values(records).flat().length + sumsAtOnce);
      return { ...result, written: true };
    });
  };
}

/** The identity of a record's session; of an item that of all items of its session. */
export function ofSessionOf({ kind, record }: AnyRecord): string {
  if (kind === "memory") return itemsIdentity(record.session);
  const id = kind === "session" ? record.id : record.session;
  return identityOfParts("session", [record.client, id]);
}

const PutSchema = v.object({
  key: v.pipe(v.string(), v.nonEmpty()),
  records: RecordsSchema,
});

/** The request, where it holds what a put may hold; else throws `record_invalid`, which names the field. */
export function parsePut(request: PutRequest): PutRequest {
  const result = v.safeParse(PutSchema, request);
  if (result.success) return result.output as PutRequest;
  const [issue] = result.issues;
  throw new MemoirError("record_invalid", `${v.getDotPath(issue) ?? "put"}: ${issue.message}`);
}

type Ids = Omit<PutResult, "written">;

/** What a put of the first schema was answered had no turns. */
function idsOf(result: string): Ids {
  const ids = JSON.parse(result) as Omit<Ids, "turns"> & Partial<Ids>;
  return { ...ids, turns: ids.turns ?? [] };
}

/** A copy in which lone surrogates and NUL characters have become U+FFFD. */
export function clean<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd");
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}

/** How a record of its kind is written. */
interface How extends WriteHow {
  /** Epoch ms; of a memory item of another memory. */
  createdAt?: number;
}

/** A writer for each kind in an open database. */
export function createWriters(db: Database, index: Findable, now: () => number) {
  const sessions = sessionWriter(db, index);
  /** Rows of sessions that are known by their records alone. */
  const bare = new Set<number>();
  const link: SessionWriter["link"] = (record, how) => {
    const found = sessions.link(record, how);
    if (found.isBare) bare.add(found.session);
    return found;
  };

  /** For what is one row of its session: a later one replaces the earlier and keeps its id. */
  function ofSession<Kind extends "prompt" | "summary" | "turn">(kind: Kind) {
    const write = rowWriter(db, kind);
    return (record: NewRecord[Kind], how: How): Written => {
      const { session, root, project } = link(record, how);
      const row = write({ ...record, project }, { session_id: session }, how);
      const id = idOf(kind, row);
      index.put(id, () =>
        searchDocument(kind, { ...record, project, id } as RecordOf<Kind>, { row, root }),
      );
      return { id, row };
    };
  }

  return {
    session: sessions.update,
    prompt: ofSession("prompt"),
    summary: ofSession("summary"),
    turn: ofSession("turn"),
    observation: observationWriter(db, index, link),
    ...memoryWriter(db, index, sessions, now),
    bare,
    /** Once all is written that a call writes. */
    settleBare(): void {
      for (const row of bare) sessions.settleBare(row);
      bare.clear();
    },
  };
}

interface NewRecord {
  prompt: NewPrompt;
  summary: NewSummary;
  turn: NewTurn;
}

/** Writes memory items: one row a project, kind and content; a repeat renews its date and context. */
function memoryWriter(db: Database, index: Findable, sessions: SessionWriter, now: () => number) {
  const write = rowWriter(db, "memory");
  const placed = placingBySession(db);
  const find = db.prepare<{ id: number }>(
    "SELECT id FROM memory WHERE project = ? AND kind = ? AND content = ?",
  );

  return {
    memory(said: NewMemoryItem, how: How): Written {
      const project = how.isExact ? said.project : placed(said.project, said.session);
      const item = { ...said, project };
      const day = Date.parse(item.date);
      // A day says no time; what is of today is as new as it is.
      const isToday = new Date(now()).toISOString().startsWith(item.date);
      const dated = Number.isNaN(day) || isToday ? now() : day;
      const createdAt = how.createdAt ?? dated;
      const row = write(item, { created_at: createdAt }, how);
      const id = idOf("memory", row);
      sessions.knowProject(project);
      index.put(id, () => searchDocument("memory", { ...item, id }, { row, createdAt }));
      return { id, row };
    },
    /** The row of an item that says it now, in whose words ever. */
    sameItem({ project, session, kind, content }: NewMemoryItem): number | undefined {
      return find.get([placed(project, session), kind, content])?.id;
    },
  };
}

// Writes observations: a repeat in its session is merged, and an older one of the same thing is marked superseded.

/** Its lists, which a repeat adds to, and their columns. */
const lists = {
  concepts: "concepts",
  filesRead: "files_read",
  filesModified: "files_modified",
  toolUseIds: "tool_use_ids",
} as const;

type Known = Row & {
  id: number;
  created_at: number;
  discovery_tokens: number | null;
  observer_tokens: number | null;
};

/** Writes observations; gives the first one's id for a repeat. */
function observationWriter(db: Database, index: Findable, link: SessionWriter["link"]) {
  const find = db.prepare<Known>(
    `SELECT id, created_at, evidence, discovery_tokens, observer_tokens, ${Object.values(lists).join(", ")} FROM observations WHERE session_id = ? AND content_hash = ?`,
  );
  const write = rowWriter(db, "observation");

  return (observation: NewObservation, how: How): Written => {
    const { session, root, project } = link(observation, how);
    const hash = contentHash(observation);
    const known = how.isExact ? undefined : find.get([session, hash]);
    const merged = { ...(known ? union(known, observation) : observation), project };
    const key = titleKey(observation.title);
    const beside = { session_id: session, content_hash: hash, title_key: key };
    const row = write(merged, beside, { ...how, known: known?.id ?? how.known });
    const time = Math.max(observation.time, known?.created_at ?? observation.time);
    const id = idOf("observation", row);
    index.put(id, () => searchDocument("observation", { ...merged, id, time }, { row, root }));
    return { id, row };
  };
}

/** Both as one: what both rest on, and what both took. Of the same tool uses put again, the tokens count once. */
function union(known: Known, observation: NewObservation): NewObservation {
  // A column that does not parse is written anew by the repeat.
  const before = (column: string) => Object.values(parsedObject(String(known[column])) ?? {});
  const both = (name: keyof typeof lists) => {
    const strings = before(lists[name]).filter((one) => typeof one === "string");
    // What was stored stays as it is: the same record put again changes nothing.
    return [...strings, ...observation[name].filter((one) => !strings.includes(one))];
  };
  const places = [...before("evidence"), ...(observation.evidence ?? [])];
  const toolUseIds = both("toolUseIds");
  const isNewWork = toolUseIds.length > before(lists.toolUseIds).length;
  const tokens = (first: number | null, repeat: number | null) => {
    if (!isNewWork || repeat === null) return first;
    return (first ?? 0) + repeat;
  };
  return {
    ...observation,
    concepts: both("concepts"),
    filesRead: both("filesRead"),
    filesModified: both("filesModified"),
    toolUseIds,
    discoveryTokens: tokens(known.discovery_tokens, observation.discoveryTokens),
    observerTokens: tokens(known.observer_tokens, observation.observerTokens),
    evidence: [...new Map(places.map((place) => [JSON.stringify(place), place])).values()],
  };
}

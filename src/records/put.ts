// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database/row-sums.ts";
import { type Database, parsedObject, type Row, type SqlInput } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { contentHash, isBareSession, originalOf } from "../sdk/identity.ts";
import {
  type NewMemoryItem,
  type NewObservation,
  type NewPrompt,
  type NewSummary,
  RecordsSchema,
  type Session,
  type SessionUpdate,
} from "../sdk/model.ts";
import type { PutRequest, PutResult, RecordKind } from "../sdk/storage.ts";
import type { Marks, NewTurn } from "../sdk/turn.ts";
import { baseName } from "../text/text.ts";
import {
  type Field,
  type FileKind,
  filesOf,
  idOf,
  kinds,
  parseId,
  readFields,
  slashed,
  titleKey,
  writeFields,
} from "./fields.ts";
import { linkImported, noteImported } from "./imported.ts";
import type { RecordOf } from "./list.ts";
import { settleMarks } from "./marker.ts";
import { placing, placingBySession, settleFolders } from "./project-choices.ts";
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

  /** As they were before any edit, then what the user made of them. */
  function written<Record extends Marks>(
    list: readonly Record[] = [],
    write: (record: Record, isImported: boolean) => string,
    isImported = false,
  ): string[] {
    return list.map((record) => {
      const id = write(originalOf(record), isImported);
      settleMarks(db, index, id, record);
      return id;
    });
  }

  return (request) => {
    const { key, records, links } = clean(parsePut(request));
    const isImported = links !== undefined;
    return db.transaction(() => {
      const before = db
        .prepare<{ result: string }>("SELECT result FROM puts WHERE key = ?")
        .get([key]);
      if (before) return { ...idsOf(before.result), written: false };
      written(records.sessions, writers.session);
      written(records.prompts, writers.prompt);
      const ids: Ids = {
        observations: written(records.observations, writers.observation, isImported),
        summaries: written(records.summaries, writers.summary),
        turns: written(records.turns, writers.turn),
      };
      const items = written(records.memory, writers.memory, isImported);
      settleFolders(db, index);
      if (links) {
        const imported = noteImported(db, [...ids.observations, ...items], links);
        for (const id of ids.observations) supersede(db, parseId(id)?.row ?? 0, true);
        linkImported(db, imported);
      }
      db.prepare("INSERT INTO puts (key, result, created_at) VALUES (?, ?, ?)").run([
        key,
        JSON.stringify(ids),
        now(),
      ]);
      sumRows(db, Object.values(records).flat().length + sumsAtOnce);
      return { ...ids, written: true };
    });
  };
}

const PutSchema = v.object({
  key: v.pipe(v.string(), v.nonEmpty()),
  records: RecordsSchema,
  links: v.optional(
    v.record(
      v.string(),
      v.object({
        supersededBy: v.optional(v.nullable(v.string())),
        merged: v.optional(v.nullable(v.string())),
      }),
    ),
  ),
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
function clean<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd");
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}

/** A writer for each kind in an open database; each gives the id of its record's document. */
function createWriters(db: Database, index: Findable, now: () => number) {
  const sessions = sessionWriter(db, index);

  /** For what is one row of its session: a later one replaces the earlier and keeps its id. */
  function ofSession<Kind extends "prompt" | "summary" | "turn">(kind: Kind) {
    const write = rowWriter(db, kind);
    return (record: NewRecord[Kind]): string => {
      const { session, root, project } = sessions.link(record);
      const row = write({ ...record, project }, { session_id: session });
      const id = idOf(kind, row);
      index.put(searchDocument(kind, { ...record, project, id } as RecordOf<Kind>, { row, root }));
      return id;
    };
  }

  return {
    session: sessions.update,
    prompt: ofSession("prompt"),
    summary: ofSession("summary"),
    turn: ofSession("turn"),
    observation: observationWriter(db, index, sessions),
    memory: memoryWriter(db, index, sessions, now),
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
  const findOriginal = db.prepare<{ id: number }>(`
    SELECT m.id FROM marks k JOIN memory m ON m.id = k.record
    WHERE k.kind = 'memory' AND m.project = $project AND m.kind = $kind AND k.was ->> '$.content' = $content`);

  return (said: NewMemoryItem, isImported: boolean): string => {
    const item = { ...said, project: placed(said.project, said.session) };
    const { kind, date, content, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is. When it was imported says nothing.
    const isToday = !isImported && new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    // What the user wrote otherwise is not there a second time as it was.
    const original = findOriginal.get({ project, kind, content })?.id;
    const row = write(item, { created_at: createdAt }, original);
    const id = idOf("memory", row);
    sessions.knowProject(project);
    index.put(searchDocument("memory", { ...item, id }, { row, createdAt }));
    return id;
  };
}

// Rows of one kind, and the rows that lead to them.

/**
 * Writes rows of one kind in an open database, and those by which a file or a concept leads to them. `beside` are columns beside the
 * record's fields. Gives the row's number; of `known`, the row that it replaces, the same.
 */
function rowWriter(db: Database, kind: RecordKind) {
  const { table, fields, key, beside: others, files } = kinds[kind];
  const columns = [...Object.values(fields).flatMap((field: Field) => field.columns), ...others];
  const set = columns
    .filter(({ name, repeat }) => repeat !== name)
    .map(({ name, repeat }) => `${name} = ${repeat}`)
    .join(", ");
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})
    VALUES (${columns.map(({ first }) => first).join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set} RETURNING id`);
  const update = db.prepare(`UPDATE ${table} SET ${set} WHERE id = $id`);
  const lookUps = files && lookUpWriter(db, kind as FileKind);
  return (record: object, beside: Record<string, SqlInput>, known?: number): number => {
    const values = { ...writeFields(fields, record), ...beside };
    if (known !== undefined) update.run({ ...values, id: known });
    const row = known ?? upsert.get(values)?.id ?? 0;
    lookUps?.(row, record);
    return row;
  };
}

/** Writes the rows by which a file or a concept leads to the kind's records, in place of those that are there. */
export function lookUpWriter(db: Database, kind: FileKind) {
  const removeFiles = db.prepare(`DELETE FROM ${kind}_files WHERE ${kind}_id = ?`);
  const addFile = db.prepare(
    `INSERT OR IGNORE INTO ${kind}_files (${kind}_id, path, basename, mode) VALUES (?, ?, ?, ?)`,
  );
  const addConcept = db.prepare(
    "INSERT OR IGNORE INTO observation_concepts (observation_id, concept) VALUES (?, ?)",
  );
  return (row: number, record: object): void => {
    removeFiles.run([row]);
    for (const [mode, paths] of Object.entries(filesOf(kind, record)))
      for (const path of paths) addFile.run([row, slashed(path), baseName(path), mode]);
    const { concepts = [] } = record as Partial<NewObservation>;
    for (const concept of concepts) addConcept.run([row, concept]);
  };
}

// Writes sessions and projects, and finds the rows that other records hang on.

/** A record of a session, as far as its session is concerned. */
interface OfSession {
  client: string;
  session: string;
  project: string;
  time: number;
}

/** What other records need of their session. */
interface SessionLink {
  /** Row number. */
  session: number;
  /** The folder of its session, or empty. */
  root: string;
  /** Its project's id, or the folder that a person decided about. */
  project: string;
}

type SessionWriter = ReturnType<typeof sessionWriter>;

/** The writer for one open database. */
function sessionWriter(db: Database, index: Findable) {
  const findProject = db.prepare<{ number: number }>("SELECT number FROM projects WHERE id = ?");
  const addProject = db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)");
  const renameProject = db.prepare(
    "UPDATE projects SET name = $name WHERE id = $id AND name <> $name",
  );
  const placed = placing(db);
  const find = db.prepare("SELECT * FROM sessions WHERE client = ? AND client_session_id = ?");
  const writeRow = rowWriter(db, "session");
  const widen = db.prepare(
    "UPDATE sessions SET project = $project, started_at = $startedAt, last_active_at = $lastActiveAt WHERE id = $row",
  );

  function stored(client: string, id: string): { row: number; session: Session } | undefined {
    const row = find.get([client, id]);
    return row && { row: Number(row.id), session: sessionIn(row) };
  }

  /** Makes a project that has no session. */
  function knowProject(id: string): void {
    if (findProject.get([id]) === undefined) addProject.run([id, baseName(id)]);
  }

  /** Gives its row. */
  function write(session: SessionUpdate): number {
    const before = stored(session.client, session.id);
    const row = writeRow(session, {
      keepEnded: session.endedAt === undefined,
      isFirst: before !== undefined && isBareSession(before.session) && !isBareSession(session),
    });
    const after = stored(session.client, session.id);
    const documents = [before, after].map(
      (one) => one && searchDocument("session", one.session, { row }),
    );
    const [old, now] = documents;
    if (now && JSON.stringify(now) !== JSON.stringify(old)) index.put(now);
    return row;
  }

  /** Of a bare one the project is that of its oldest record, whatever came first. */
  function widenBare(row: number, known: Session, { project, time }: OfSession): void {
    const { startedAt, lastActiveAt } = known;
    const isOlder = time < startedAt || (time === startedAt && project < known.project.id);
    if (!isOlder && time <= lastActiveAt) return;
    widen.run({
      row,
      project: isOlder ? project : known.project.id,
      startedAt: Math.min(startedAt, time),
      lastActiveAt: Math.max(lastActiveAt, time),
    });
  }

  return {
    /**
     * Upserts by client and id: absent fields keep their value, times only widen, `prompts` only grows. Of a session that is known by its
     * records alone, the times are the update's. Gives its document's id.
     */
    update(session: SessionUpdate): string {
      const { name, root } = session.project;
      const id = placed(session.project.id, root);
      knowProject(id);
      if (id === session.project.id) renameProject.run({ id, name });
      return `session ${write({ ...session, project: { ...session.project, id } })}`;
    },
    /** The session a record belongs to; makes a bare one when it is not known yet, as old and as new as what is put of it. */
    link(record: OfSession): SessionLink {
      const { client, session: id, time } = record;
      const known = stored(client, id);
      const project = placed(record.project, known?.session.project.root ?? "");
      knowProject(project);
      if (known && isBareSession(known.session)) widenBare(known.row, known.session, record);
      if (known) return { session: known.row, root: known.session.project.root, project };
      const of = { id, client, project: { id: project, name: "", root: "" } };
      const bare = { ...of, status: "active", startedAt: time, lastActiveAt: time } as const;
      return { session: write(bare), root: "", project };
    },
    knowProject,
  };
}

/** No column of a session is JSON. */
function sessionIn(row: Row): Session {
  return readFields(kinds.session.fields, row, () => undefined) as unknown as Session;
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

/** Writes observations; gives the first one's id for a repeat. What is imported waits for what is known of it there before it supersedes. */
function observationWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const find = db.prepare<Known>(
    `SELECT id, created_at, evidence, discovery_tokens, observer_tokens, ${Object.values(lists).join(", ")} FROM observations WHERE session_id = ? AND content_hash = ?`,
  );
  const write = rowWriter(db, "observation");

  return (observation: NewObservation, isImported: boolean): string => {
    const { session, root, project } = sessions.link(observation);
    const hash = contentHash(observation);
    const known = find.get([session, hash]);
    const merged = { ...(known ? union(known, observation) : observation), project };
    const row = write(
      merged,
      { session_id: session, content_hash: hash, title_key: titleKey(observation.title) },
      known?.id,
    );
    const time = Math.max(observation.time, known?.created_at ?? observation.time);
    if (!isImported) supersede(db, row, false);
    const id = idOf("observation", row);
    index.put(searchDocument("observation", { ...merged, id, time }, { row, root }));
    return id;
  };
}

/**
 * Marks what a new observation makes stale: same project, same words in the title, a file in common (or none in both),
 * another prompt. What the user pinned or edited holds. The newer by time wins, so that a late import of old history supersedes nothing.
 * Of two that were imported, their own memory says which holds.
 */
function supersede(db: Database, id: number, isImported: boolean): void {
  const rivals = db
    .prepare<{ id: number; newer: number }>(`
    SELECT o.id, o.created_at > n.created_at AS newer
    FROM observations n JOIN observations o INDEXED BY observations_by_title ON o.project = n.project AND o.title_key = n.title_key
    WHERE n.id = $id AND o.id <> n.id AND o.superseded_by IS NULL AND n.title_key <> ''
      AND NOT (o.session_id = n.session_id AND o.prompt_number = n.prompt_number)
      AND NOT ($isImported AND EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'observation' AND i.record = o.id))
      AND NOT EXISTS (SELECT 1 FROM marks k WHERE k.kind = 'observation' AND k.record = o.id
        AND (k.pinned = 1 OR k.edited_at IS NOT NULL) AND o.created_at <= n.created_at)
      AND (EXISTS (SELECT 1 FROM observation_files a JOIN observation_files b ON a.path = b.path
                   WHERE a.observation_id = n.id AND b.observation_id = o.id)
        OR NOT EXISTS (SELECT 1 FROM observation_files a WHERE a.observation_id IN (n.id, o.id)))
    ORDER BY o.created_at DESC, o.id DESC LIMIT 50`)
    .all({ id, isImported });
  const mark = db.prepare("UPDATE observations SET superseded_by = ? WHERE id = ?");
  const newer = rivals.find((rival) => rival.newer);
  if (newer) mark.run([newer.id, id]);
  else for (const rival of rivals) mark.run([id, rival.id]);
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

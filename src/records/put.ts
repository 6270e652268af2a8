// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database/row-sums.ts";
import type { Database } from "../host/sqlite.ts";
import { originalOf } from "../sdk/editable.ts";
import { MemoirError } from "../sdk/errors.ts";
import { type AnyRecord, identityOf, identityOfParts, type RecordLinks } from "../sdk/identity.ts";
import {
  type NewMemoryItem,
  type NewPrompt,
  type NewSummary,
  RecordsSchema,
} from "../sdk/model.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import type { Marks, NewTurn } from "../sdk/turn.ts";
import { idOf, parseId } from "./kinds.ts";
import { createMarker } from "./marker.ts";
import { observationWriter } from "./put-observation.ts";
import { type SessionWriter, sessionWriter } from "./put-session.ts";
import { lookUpWriter, readRow, rowWriter } from "./rows.ts";
import {
  memoryDocument,
  promptDocument,
  summaryDocument,
  turnDocument,
} from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** So many rows of each table get their checksum at a time, beside those that are written: of a memory from before there were any. */
export const sumsAtOnce = 100;

/** The handler of `storage.put` for an open database. Throws `record_invalid` for what breaks the schema. */
export function putter(
  db: Database,
  index: Findable,
  now: () => number,
): (request: PutRequest) => PutResult {
  const sessions = sessionWriter(db, index);
  const observations = observationWriter(db, index, sessions);
  const { writePrompt, writeSummary, writeTurn } = simpleWriters(db, index, sessions);
  const writeItem = memoryWriter(db, index, sessions, now);
  const marker = createMarker(db, index);
  const linker = createLinker(db);
  const known = db.prepare<{ result: string }>("SELECT result FROM puts WHERE key = ?");
  const remember = db.prepare("INSERT INTO puts (key, result, created_at) VALUES (?, ?, ?)");

  /** As they were before any edit, then what the user made of them. */
  function written<Record extends Marks>(
    list: readonly Record[] = [],
    write: (record: Record, isImported: boolean) => string,
    isImported = false,
  ): string[] {
    return list.map((record) => {
      const id = write(originalOf(record), isImported);
      marker.settle(id, record);
      return id;
    });
  }

  return (request) => {
    const { key, records, links } = clean(parsePut(request));
    const isImported = links !== undefined;
    return db.transaction(() => {
      const before = known.get([key]);
      if (before) return { ...idsOf(before.result), written: false };
      written(records.sessions, sessions.update);
      written(records.prompts, writePrompt);
      const ids: Ids = {
        observations: written(records.observations, observations.write, isImported),
        summaries: written(records.summaries, writeSummary),
        turns: written(records.turns, writeTurn),
      };
      const items = written(records.memory, writeItem, isImported);
      if (links) {
        const imported = linker.note([...ids.observations, ...items], links);
        for (const id of ids.observations) observations.supersede(id);
        linker.link(imported);
      }
      remember.run([key, JSON.stringify(ids), now()]);
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

/** Writers of what is one row of its session: a later one replaces the earlier and keeps its id, which they give. */
function simpleWriters(db: Database, index: Findable, sessions: SessionWriter) {
  const prompts = rowWriter(db, "prompt");
  const summaries = rowWriter(db, "summary");
  const turns = rowWriter(db, "turn");
  const summaryLookUps = lookUpWriter(db, "summary");
  const turnLookUps = lookUpWriter(db, "turn");
  return {
    writePrompt(prompt: NewPrompt): string {
      const link = sessions.link(prompt);
      const id = idOf("prompt", prompts.write(prompt, { session_id: link.session }));
      index.put(promptDocument({ ...prompt, id }));
      return id;
    },
    writeSummary(summary: NewSummary): string {
      const link = sessions.link(summary);
      const row = summaries.write(summary, { session_id: link.session });
      const id = idOf("summary", row);
      summaryLookUps(row, summary);
      index.put(summaryDocument({ ...summary, id }, link.root));
      return id;
    },
    writeTurn(turn: NewTurn): string {
      const link = sessions.link(turn);
      const row = turns.write(turn, { session_id: link.session });
      const id = idOf("turn", row);
      turnLookUps(row, turn);
      index.put(turnDocument({ ...turn, id }, link.root));
      return id;
    },
  };
}

/** Writes memory items: one row a project, kind and content; a repeat renews its date and context. */
function memoryWriter(db: Database, index: Findable, sessions: SessionWriter, now: () => number) {
  const items = rowWriter(db, "memory");
  const findOriginal = db.prepare<{ id: number }>(`
    SELECT m.id FROM marks k JOIN memory m ON m.id = k.record
    WHERE k.kind = 'memory' AND m.project = $project AND m.kind = $kind AND k.was ->> '$.content' = $content`);

  return (item: NewMemoryItem, isImported: boolean): string => {
    const { kind, date, content, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is. When it was imported says nothing.
    const isToday = !isImported && new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    // What the user wrote otherwise is not there a second time as it was.
    const original = findOriginal.get({ project, kind, content })?.id;
    const id = idOf("memory", items.write(item, { created_at: createdAt }, original));
    sessions.knowProject(project);
    index.put(memoryDocument({ ...item, id }, createdAt));
    return id;
  };
}

// What came from another memory, and what took its place there: named by hashes, so that either of two records may come first.

type Kind = "observation" | "memory";
interface Imported {
  kind: Kind;
  record: number;
  superseder: string | null;
  merged: string | null;
}

/** A record that was just put, with its project and its hash. */
interface Noted {
  one: Imported;
  project: string;
  identity: string;
}

/** Keeps the links of one open database; to be called inside a transaction. Long because its steps share the statements. */
function createLinker(db: Database) {
  const keep = db.prepare<Imported>(`
    INSERT INTO imported (kind, record, identity, superseder, merged)
    VALUES ($kind, $record, $identity, $superseder, $merged)
    ON CONFLICT (kind, record) DO UPDATE SET
      superseder = CASE WHEN $keepsSuperseder THEN superseder ELSE excluded.superseder END,
      merged = CASE WHEN $keepsMerged THEN merged ELSE excluded.merged END
    RETURNING kind, record, superseder, merged`);
  const waiting = db.prepare<Imported>(`
    SELECT kind, record, superseder, merged FROM imported WHERE superseder = $identity
    UNION SELECT kind, record, superseder, merged FROM imported WHERE merged = $identity`);
  const find = db.prepare<{ record: number }>(
    "SELECT record FROM imported WHERE kind = ? AND identity = ?",
  );
  const own = {
    observation: db.prepare<{ id: number }>(`
      SELECT o.id, s.client, s.client_session_id, o.content_hash FROM observations o JOIN sessions s ON s.id = o.session_id
      WHERE o.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'observation' AND i.record = o.id)`),
    memory: db.prepare<{ id: number }>(`
      SELECT m.id, m.project, m.kind, coalesce(k.was ->> '$.content', m.content) AS content
      FROM memory m LEFT JOIN marks k ON k.kind = 'memory' AND k.record = m.id
      WHERE m.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'memory' AND i.record = m.id)`),
  };
  const supersede = db.prepare("UPDATE observations SET superseded_by = $by WHERE id = $id");
  const merge = db.prepare(
    "UPDATE marks SET merged = $by WHERE kind = $kind AND record = $id AND hidden = 1",
  );

  /** Of records that were here before any import, by their hashes. */
  function ownOf(kind: Kind, project: string): Map<string, number> {
    return new Map(
      own[kind]
        .all([project])
        .map(({ id, ...parts }) => [identityOfParts(kind, Object.values(parts)), id]),
    );
  }

  function settle(one: Imported, target: (identity: string) => number | undefined): void {
    const { kind, record: id, superseder, merged } = one;
    const newer = superseder === null ? undefined : target(superseder);
    if (kind === "observation" && newer !== undefined && newer !== id)
      supersede.run({ id, by: newer });
    const into = merged === null ? undefined : target(merged);
    if (into !== undefined && into !== id) merge.run({ kind, id, by: idOf(kind, into) });
  }

  return {
    /** Notes that these records, just put, were imported, and what they name. */
    note(ids: readonly string[], links: Readonly<Record<string, RecordLinks>>): Noted[] {
      return ids.flatMap((id): Noted[] => {
        const of = parseId(id);
        if (of?.kind !== "observation" && of?.kind !== "memory") return [];
        const { kind, row } = of;
        const stored = readRow(db, kind, row);
        if (!stored) return [];
        const identity = identityOf({ kind, record: stored.record } as AnyRecord);
        const { supersededBy, merged } = links[identity] ?? {};
        const one = keep.get({
          ...{ kind, record: row, identity, superseder: supersededBy, merged },
          keepsSuperseder: supersededBy === undefined,
          keepsMerged: merged === undefined,
        });
        return one ? [{ one, project: stored.record.project, identity }] : [];
      });
    },
    /** Links them to what is there, and to them what waited for them. */
    link(noted: readonly Noted[]): void {
      const others = new Map<string, Map<string, number>>();
      for (const { one, project } of noted)
        settle(one, (identity) => {
          const known = find.get([one.kind, identity]);
          if (known) return known.record;
          const place = `${one.kind} ${project}`;
          const here = others.get(place) ?? ownOf(one.kind, project);
          others.set(place, here);
          return here.get(identity);
        });
      const rows = new Map(noted.map(({ one, identity }) => [identity, one.record]));
      for (const identity of rows.keys())
        for (const one of waiting.all({ identity })) settle(one, (of) => rows.get(of));
    },
  };
}

// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database/row-sums.ts";
import type { Database } from "../host/sqlite.ts";
import { originalOf } from "../sdk/editable.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  type NewMemoryItem,
  type NewPrompt,
  type NewSummary,
  RecordsSchema,
} from "../sdk/model.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import type { Marks, NewTurn } from "../sdk/turn.ts";
import { createLinker } from "./imported.ts";
import { idOf } from "./kinds.ts";
import { createMarker } from "./marker.ts";
import { observationWriter } from "./put-observation.ts";
import { type SessionWriter, sessionWriter } from "./put-session.ts";
import { lookUpWriter, rowWriter } from "./rows.ts";
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

// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database-file.ts";
import type { Database } from "../host/sqlite.ts";
import { originalOf } from "../sdk/editable.ts";
import { MemoirError } from "../sdk/errors.ts";
import { RecordsSchema } from "../sdk/model.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";
import { createLinker } from "./imported.ts";
import { createMarker } from "./marker.ts";
import { memoryWriter } from "./put-memory.ts";
import { observationWriter } from "./put-observation.ts";
import { promptWriter } from "./put-prompt.ts";
import { sessionWriter } from "./put-session.ts";
import { summaryWriter } from "./put-summary.ts";
import { turnWriter } from "./put-turn.ts";
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
  const prompts = promptWriter(db, index, sessions);
  const observations = observationWriter(db, index, sessions);
  const summaries = summaryWriter(db, index, sessions);
  const memory = memoryWriter(db, index, sessions, now);
  const turns = turnWriter(db, index, sessions);
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
      written(records.prompts, prompts.write);
      const ids: Ids = {
        observations: written(records.observations, observations.write, isImported),
        summaries: written(records.summaries, summaries.write),
        turns: written(records.turns, turns.write),
      };
      const items = written(records.memory, memory.write, isImported);
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

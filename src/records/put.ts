// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import * as v from "valibot";
import { sumRows } from "../home/database-file.ts";
import type { Database } from "../host/sqlite.ts";
import { originalOf } from "../sdk/editable.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { NewMemoryItem, NewPrompt, NewSummary } from "../sdk/model.ts";
import { RecordsSchema, summaryTextNames } from "../sdk/model.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import type { Marks, NewTurn } from "../sdk/turn.ts";
import { filesWriter } from "./files.ts";
import { idOf } from "./ids.ts";
import { createLinker } from "./imported.ts";
import { createMarker } from "./marker.ts";
import { observationWriter } from "./put-observation.ts";
import type { SessionWriter } from "./put-session.ts";
import { sessionWriter } from "./put-session.ts";
import { placesJson } from "./rows.ts";
import {
  memoryDocument,
  promptDocument,
  summaryDocument,
  turnDocument,
} from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";
import { columnOf } from "./to-record.ts";

// Writes summaries: one row a session, scope and prompt; a later one replaces the earlier and keeps its id.

/** The columns that name a summary, and those that a later one replaces. */
const key = ["session_id", "scope", "prompt_number"];
const replaced = [
  "project",
  ...summaryTextNames.map(columnOf),
  ...["files_read", "files_edited", "observer_tokens", "strategy", "model", "evidence"],
  "created_at",
];

/** The writer for one open database; `write` gives the summary's id. */
function summaryWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO session_summaries (${[...key, ...replaced].join(", ")})
    VALUES (${[...key, ...replaced].map((column) => `$${column}`).join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET
      ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}
    RETURNING id`);
  const files = filesWriter(db, "summary");

  function write(summary: NewSummary): string {
    const link = sessions.link(summary);
    const row = upsert.get({
      session_id: link.session,
      scope: summary.scope,
      prompt_number: summary.promptNumber,
      project: summary.project,
      ...Object.fromEntries(summaryTextNames.map((text) => [columnOf(text), summary[text]])),
      files_read: JSON.stringify(summary.filesRead),
      files_edited: JSON.stringify(summary.filesEdited),
      observer_tokens: summary.observerTokens,
      strategy: summary.provenance.strategy,
      model: summary.provenance.model,
      evidence: placesJson(summary.evidence),
      created_at: summary.time,
    });
    const id = row?.id ?? 0;
    files.replace(id, { read: summary.filesRead, modified: summary.filesEdited });
    index.put(summaryDocument({ ...summary, id: idOf("summary", id) }, link.root));
    return idOf("summary", id);
  }

  return { write };
}

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

// Writes prompts: one row a session and prompt number; a later text replaces the earlier.

/** The writer for one open database; `write` gives the prompt's id. */
function promptWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO prompts (session_id, project, prompt_number, user_prompt, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id, prompt_number) DO UPDATE SET
      project = excluded.project, user_prompt = excluded.user_prompt, created_at = excluded.created_at
    RETURNING id`);

  function write(prompt: NewPrompt): string {
    const link = sessions.link(prompt);
    const { project, promptNumber, text, time } = prompt;
    const row = upsert.get([link.session, project, promptNumber, text, time]);
    const id = idOf("prompt", row?.id ?? 0);
    index.put(promptDocument({ ...prompt, id }));
    return id;
  }

  return { write };
}

// Writes turns: one row a session and prompt number; a later one replaces the earlier and keeps its id.

/** The writer for one open database; `write` gives the turn's id. */
function turnWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO turns (session_id, project, branch, prompt_number, created_at, last_at, ended, pieces, files, left_out, gaps)
    VALUES ($session, $project, $branch, $promptNumber, $startedAt, $time, $end, $pieces, $files, $leftOut, $gaps)
    ON CONFLICT (session_id, prompt_number) DO UPDATE SET
      project = excluded.project, branch = excluded.branch, created_at = excluded.created_at, last_at = excluded.last_at,
      ended = excluded.ended, pieces = excluded.pieces, files = excluded.files, left_out = excluded.left_out,
      gaps = excluded.gaps
    RETURNING id`);
  const files = filesWriter(db, "turn");

  function write(turn: NewTurn): string {
    const link = sessions.link(turn);
    const row = upsert.get({
      session: link.session,
      project: turn.project,
      branch: turn.branch,
      promptNumber: turn.promptNumber,
      startedAt: turn.startedAt,
      time: turn.time,
      end: turn.end,
      pieces: JSON.stringify(turn.pieces),
      files: JSON.stringify(turn.files),
      leftOut: turn.leftOut && JSON.stringify(turn.leftOut),
      gaps: turn.gaps === true,
    });
    const id = row?.id ?? 0;
    const paths = (wanted: boolean) =>
      turn.files.filter(({ changed }) => changed === wanted).map(({ path }) => path);
    files.replace(id, { read: paths(false), modified: paths(true) });
    index.put(turnDocument({ ...turn, id: idOf("turn", id) }, link.root));
    return idOf("turn", id);
  }

  return { write };
}

// Writes memory items: one row a project, kind and content; a repeat renews its date and context.

/** The writer for one open database; `write` gives the item's id. */
function memoryWriter(db: Database, index: Findable, sessions: SessionWriter, now: () => number) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO memory (project, client_session_id, kind, date, content, context, state, quote, evidence, created_at)
    VALUES ($project, $session, $kind, $date, $content, $context, $state, $quote, $evidence, $createdAt)
    ON CONFLICT (project, kind, content) DO UPDATE SET
      client_session_id = excluded.client_session_id, date = excluded.date, context = excluded.context,
      state = coalesce(excluded.state, state), quote = coalesce(excluded.quote, quote),
      evidence = coalesce(excluded.evidence, evidence), created_at = excluded.created_at
    RETURNING id`);
  const findOriginal = db.prepare<{ id: number }>(`
    SELECT m.id FROM marks k JOIN memory m ON m.id = k.record
    WHERE k.kind = 'memory' AND m.project = $project AND m.kind = $kind AND k.was ->> '$.content' = $content`);
  const renew = db.prepare<{ id: number }>(`
    UPDATE memory SET client_session_id = $session, date = $date, context = $context, state = coalesce($state, state),
      quote = coalesce($quote, quote), evidence = coalesce($evidence, evidence), created_at = $createdAt
    WHERE id = $id RETURNING id`);

  function write(item: NewMemoryItem, isImported: boolean): string {
    const { kind, date, content, context, session, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is. When it was imported says nothing.
    const isToday = !isImported && new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    const said = {
      ...{ session, date, context, createdAt },
      state: item.state,
      quote: item.quote,
      evidence: placesJson(item.evidence),
    };
    // What the user wrote otherwise is not there a second time as it was.
    const original = findOriginal.get({ project, kind, content });
    const row = original
      ? renew.get({ ...said, id: original.id })
      : upsert.get({ ...said, project, kind, content });
    const id = idOf("memory", row?.id ?? 0);
    sessions.knowProject(project);
    index.put(memoryDocument({ ...item, id }, createdAt));
    return id;
  }

  return { write };
}

// What was kept, as rows: one content however often it is kept, one reference for each who kept it; and what is too old goes.

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import * as v from "valibot";
import type { Log } from "../../home/log.ts";
import type { Database, Row } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import type { KeepRequest, Kept, ToolPart } from "../../sdk/endless.ts";
import type { Config } from "../config/schema.ts";
import type { TimeOfSession } from "../journal/counts.ts";
import type { EndlessStatus } from "../status-schema.ts";
import { pruneBooks } from "./books.ts";
import { forgetDecisions, pruneDecisions } from "./decisions.ts";
import type { EndlessFile } from "./open-store.ts";

/** Who kept what, without the value itself. */
export interface KeptReference {
  toolUseId: string;
  part: ToolPart;
  session: string;
  strategy: string;
  /** Empty where it is not known. */
  project: string;
  tool: string;
  kind: string;
  /** Epoch ms. */
  keptAt: number;
}

/** The columns of one. */
const reference = `tool_use AS toolUseId, part, session, strategy, ifnull(project, '') AS project, tool, kind, kept_at AS keptAt`;

/** True when it was not kept before. */
export function keepRow(
  db: Database,
  strategy: string,
  request: KeepRequest,
  packed: Packed,
  now: number,
): boolean {
  const { hash, data, characters } = packed;
  const known = db.prepare<{ id: number }>("SELECT id FROM contents WHERE hash = ?").get([hash]);
  const content = known?.id ?? addContent(db, hash, data, characters);
  const { changes } = db
    .prepare(
      `INSERT OR IGNORE INTO refs (tool_use, part, session, strategy, project, agent, tool, kind, content, kept_at)
       VALUES ($toolUseId, $part, $session, $strategy, $project, $agent, $tool, $kind, $content, $now)`,
    )
    .run({
      toolUseId: request.toolUseId,
      part: request.part,
      session: request.session,
      strategy,
      project: request.project,
      agent: request.agent,
      tool: request.tool,
      kind: request.kind ?? "",
      content,
      now,
    });
  return changes > 0;
}

function addContent(db: Database, hash: Uint8Array, data: Uint8Array, characters: number): number {
  const { lastInsertRowid: id } = db
    .prepare("INSERT INTO contents (hash, characters, bytes) VALUES (?, ?, ?)")
    .run([hash, characters, data.byteLength]);
  db.prepare("INSERT INTO blobs (content, data) VALUES (?, ?)").run([id, data]);
  return id;
}

/**
 * The whole original. Of several sessions with this id (not every model's ids are unlike each other) the one that kept
 * last is meant. What names the way back to itself is what already stood in the original's place, in the same session
 * or in the one that it was forked from.
 */
export function keptValue(db: Database, toolUseId: string, part: ToolPart): Kept | undefined {
  const rows = db
    .prepare<KeptReference & Row & { content: number }>(
      `SELECT ${reference}, content FROM refs WHERE tool_use = $toolUseId AND part = $part ORDER BY session =
         (SELECT session FROM refs WHERE tool_use = $toolUseId AND part = $part ORDER BY id DESC LIMIT 1) DESC, id`,
    )
    .all({ toolUseId, part });
  const blob = db.prepare<{ data: Uint8Array }>("SELECT data FROM blobs WHERE content = ?");
  let first: Kept | undefined;
  for (const { session, tool, keptAt, content } of rows) {
    const data = blob.get([content])?.data;
    if (!data) continue;
    const kept = { session, toolUseId, tool, part, value: unpackContent(data), keptAt };
    if (rows.length === 1 || !JSON.stringify(kept.value).includes(` recall ${toolUseId}`))
      return kept;
    first ??= kept;
  }
  return first;
}

/** All references of one tool use, oldest first. */
export function referencesOf(db: Database, toolUseId: string): KeptReference[] {
  return db
    .prepare<KeptReference & Row>(`SELECT ${reference} FROM refs WHERE tool_use = ? ORDER BY id`)
    .all([toolUseId]);
}

/** Something that was taken out of a session. */
export const KeptPartSchema = v.object({
  toolUseId: v.string(),
  tool: v.string(),
  part: v.picklist(["input", "output"]),
  /** Epoch ms. */
  keptAt: v.number(),
  /** All of it. */
  characters: v.number(),
});
export type KeptPart = v.InferOutput<typeof KeptPartSchema>;

const mostTaken = 1_000;

/** What was taken out of a session in a time, the oldest first; each part of a tool use once. */
export function takenOutOf(db: Database, { session, since, until }: TimeOfSession): KeptPart[] {
  return db
    .prepare<
      Row & { tool_use: string; tool: string; part: ToolPart; at: number; characters: number }
    >(
      `SELECT r.tool_use, r.tool, r.part, min(r.kept_at) AS at, max(c.characters) AS characters
       FROM refs r JOIN contents c ON c.id = r.content
       WHERE r.kept_at BETWEEN $since AND $until AND r.session = $session
       GROUP BY r.tool_use, r.part ORDER BY at, r.tool_use LIMIT ${mostTaken}`,
    )
    .all({ session, since, until })
    .map(({ tool_use: toolUseId, tool, part, at: keptAt, characters }) => ({
      ...{ toolUseId, tool, part, keptAt, characters },
    }));
}

/** Ids of tool uses that begin so, at most `most`; the one that is equal alone. */
export function toolUsesLike(db: Database, beginning: string, most: number): string[] {
  const rows = db
    .prepare<{ tool_use: string }>(
      `SELECT DISTINCT tool_use FROM refs WHERE tool_use >= $beginning AND tool_use < $end
       ORDER BY tool_use LIMIT $most`,
    )
    .all({ beginning, end: `${beginning}\u{10ffff}`, most });
  const ids = rows.map(({ tool_use }) => tool_use);
  return ids.includes(beginning) ? [beginning] : ids;
}

/** Counted anew. */
export function keptSize(db: Database): NonNullable<EndlessStatus["kept"]> {
  const contents = db
    .prepare<{ n: number; characters: number; bytes: number }>(
      "SELECT count(*) AS n, ifnull(sum(characters), 0) AS characters, ifnull(sum(bytes), 0) AS bytes FROM contents",
    )
    .get();
  const references = db
    .prepare<{ n: number; oldest: number | null }>(
      "SELECT count(*) AS n, min(kept_at) AS oldest FROM refs",
    )
    .get();
  return {
    contents: contents?.n ?? 0,
    references: references?.n ?? 0,
    characters: contents?.characters ?? 0,
    bytes: contents?.bytes ?? 0,
    oldestAt: references?.oldest ?? null,
  };
}

/**
 * Takes out at most `most` references: those kept before `keepFrom`, then, while there are more than `keepBytes`, the
 * oldest. Contents that nobody refers to go with them. Gives how many references went; fewer than `most` means done.
 */
function pruneKept(
  db: Database,
  { keepFrom, keepBytes }: { keepFrom: number; keepBytes: number },
  most: number,
): number {
  const old = db
    .prepare<{ id: number; content: number }>(
      "SELECT id, content FROM refs WHERE kept_at < ? ORDER BY kept_at, id LIMIT ?",
    )
    .all([keepFrom, most]);
  let gone = 0;
  for (const row of old) gone += remove(db, row);
  let over = keptSize(db).bytes - keepBytes;
  while (over > 0 && gone < most) {
    const oldest = db
      .prepare<{ id: number; content: number; bytes: number }>(
        `SELECT r.id, r.content, c.bytes FROM refs r JOIN contents c ON c.id = r.content
         ORDER BY r.kept_at, r.id LIMIT 1`,
      )
      .get();
    if (!oldest) break;
    gone += remove(db, oldest);
    const left = db.prepare("SELECT 1 FROM contents WHERE id = ?").get([oldest.content]);
    if (!left) over -= oldest.bytes;
  }
  return gone;
}

/** Tool uses of a session, or records. */
export type ForgottenPart =
  | { session: string; toolUses: readonly string[] }
  | { records: readonly string[] };

/** The file is written anew: else the words would stay in it. */
export async function forgetAll(file: EndlessFile, gone: ForgottenPart): Promise<void> {
  if (!(await file.read(() => true))) return;
  const isChanged = await file.write((db) => {
    if ("records" in gone) return forgetDecisions(db, { ...gone, sessions: [], toolUses: [] }) > 0;
    const { session, toolUses } = gone;
    forgetKept(db, session, toolUses);
    const decided = forgetDecisions(db, { sessions: [session], toolUses, records: [] });
    return toolUses.length + decided > 0;
  });
  if (isChanged) await file.read((db) => writeAnew(db));
}

/** Takes out what these tool uses of a session left, whoever kept it. */
function forgetKept(db: Database, session: string, toolUseIds: readonly string[]): void {
  const refs = db.prepare<{ id: number; content: number }>(
    "SELECT id, content FROM refs WHERE tool_use = ? AND session = ?",
  );
  for (const toolUseId of toolUseIds)
    for (const row of refs.all([toolUseId, session])) remove(db, row);
}

/** Takes out what a strategy kept of a session: its original stands in its place again. */
export function forgetStrategy(db: Database, session: string, strategy: string): void {
  const refs = db.prepare<{ id: number; content: number }>(
    "SELECT id, content FROM refs WHERE session = ? AND strategy = ?",
  );
  for (const row of refs.all([session, strategy])) remove(db, row);
}

function remove(db: Database, { id, content }: { id: number; content: number }): 1 {
  db.prepare("DELETE FROM refs WHERE id = ?").run([id]);
  db.prepare(
    "DELETE FROM contents WHERE id = $content AND NOT EXISTS (SELECT 1 FROM refs WHERE content = $content)",
  ).run({ content });
  return 1;
}

// A kept value as bytes: its JSON text, named by its hash, compressed; and back, exactly.

/** What is written. */
interface Packed {
  /** SHA-256 of the JSON text: values that differ in their keys' order are two contents, since both must come back. */
  hash: Uint8Array;
  data: Uint8Array;
  /** Of the JSON text. */
  characters: number;
}

/** Undefined for what is not valid JSON. */
export function packContent(value: unknown): Packed | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    return undefined;
  }
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text);
  return {
    hash: createHash("sha256").update(bytes).digest(),
    data: zstdCompressSync(bytes),
    characters: text.length,
  };
}

/** The value again. Throws when the bytes are damaged. */
export function unpackContent(data: Uint8Array): unknown {
  return JSON.parse(zstdDecompressSync(data).toString());
}

// What was kept for long enough, or is too much, goes in the background and in small steps.

interface RetentionDeps {
  now: () => number;
  log: Log;
  config: () => Pick<Config["endless"], "keepDays" | "keepBytes">;
  /** What costs only the look: a failure is logged. */
  orElse: <Value>(work: () => Promise<Value>, otherwise: Value) => Promise<Value>;
}

const dayMs = 86_400_000;
const everyMs = 60 * 60_000;
/** A server that just starts has better things to do. */
const firstMs = 60_000;
/** So much more kept brings the next look before its time. */
const afterBytes = 4 * 1024 * 1024;
/** References that go at a time; between two steps others may keep. */
const step = 200;
/** The books are kept for a year. */
const bookDays = 366;

/** Looks every hour, also where Endless Mode has been off for long. */
export function createRetention(file: EndlessFile, { now, log, config, orElse }: RetentionDeps) {
  let running: Promise<void> | undefined;
  let newBytes = 0;
  let stopped = false;

  function soon(): void {
    if (running || stopped) return;
    running = orElse(pruneNow, undefined).finally(() => {
      running = undefined;
    });
  }

  async function pruneNow(): Promise<void> {
    newBytes = 0;
    if (!(await file.read(() => true))) return;
    const { keepDays, keepBytes } = config();
    const limits = { keepFrom: now() - keepDays * dayMs, keepBytes };
    let gone = 0;
    for (;;) {
      const went = await file.write((db) => pruneKept(db, limits, step));
      gone += went;
      if (went < step || stopped) break;
      await pause(0);
    }
    await file.write((db) => {
      pruneDecisions(db, limits.keepFrom);
      pruneBooks(db, now() - bookDays * dayMs);
    });
    if (gone === 0) return;
    await file.read((db) => db.exec("PRAGMA incremental_vacuum"));
    log.info("Old originals of Endless Mode were deleted.", { references: gone });
  }

  const every = setInterval(soon, everyMs);
  every.unref?.();
  const first = setTimeout(soon, firstMs);
  first.unref?.();

  return {
    /** So many bytes were kept: it may be time to look. */
    grew(bytes: number): void {
      newBytes += bytes;
      if (newBytes >= afterBytes) soon();
    },
    /** Looks now. */
    async prune(): Promise<void> {
      await running;
      await pruneNow();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(every);
      clearTimeout(first);
      await running;
    },
  };
}

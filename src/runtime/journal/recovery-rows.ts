// What the journal keeps for those who read transcripts: how far each was read, and room given back once its events are worked off.
import type { Database, Row } from "../../host/sqlite.ts";

/** Begins the key of what is made again; the journal knows by it that no model may be asked about it. */
export const againKey = "again:";

/** How far a transcript file was read. */
export interface TranscriptMark {
  /** Absolute. */
  path: string;
  /** Size and time of change when it was read. */
  bytes: number;
  changedAt: number;
  /** Where the newest prompt's line begins, and how many lines stand before it: reading goes on there. */
  offset: number;
  lines: number;
  /** The session's first working directory. */
  cwd?: string;
}

interface MarkRow extends Row {
  path: string;
  bytes: number;
  changed_at: number;
  offset: number;
  lines: number;
  cwd: string | null;
}

/** Marks that one reader (`backfill`, `watch`) left, by path: all, or of these paths. */
export function transcriptMarks(
  db: Database,
  reader: string,
  paths?: readonly string[],
): Map<string, TranscriptMark> {
  const of = db.prepare<MarkRow>("SELECT * FROM transcripts WHERE reader = ? AND path = ?");
  const rows = paths
    ? paths.flatMap((path) => of.all([reader, path]))
    : db.prepare<MarkRow>("SELECT * FROM transcripts WHERE reader = ?").all([reader]);
  return new Map(
    rows.map(({ path, bytes, changed_at: changedAt, offset, lines, cwd }) => [
      path,
      { path, bytes, changedAt, offset, lines, ...(cwd !== null && { cwd }) },
    ]),
  );
}

/** Leaves marks, in place of earlier ones. */
export function markTranscripts(
  db: Database,
  reader: string,
  marks: readonly TranscriptMark[],
): void {
  const upsert = db.prepare(
    `INSERT INTO transcripts (path, reader, bytes, changed_at, offset, lines, cwd)
     VALUES ($path, $reader, $bytes, $changedAt, $offset, $lines, $cwd)
     ON CONFLICT (path, reader) DO UPDATE SET bytes = excluded.bytes, changed_at = excluded.changed_at,
       offset = excluded.offset, lines = excluded.lines, cwd = coalesce(excluded.cwd, cwd)`,
  );
  for (const mark of marks) upsert.run({ cwd: undefined, ...mark, reader });
}

/**
 * Drops the texts of a session's recovered events that are settled and notified of: the transcript still has them. Their
 * rows stay until they are pruned, so that nothing of them is journaled twice.
 */
export function releaseRecovered(db: Database, row: number): void {
  db.prepare(
    `DELETE FROM payloads WHERE seq IN (
       SELECT seq FROM events e WHERE session = ? AND recovered = 1 AND settled_at IS NOT NULL
         AND outcome <> 'parked' AND coalesce(told, 1) = 1
         AND NOT EXISTS (SELECT 1 FROM work_events l JOIN work w ON w.id = l.work
           WHERE l.seq = e.seq AND w.state IN ('pending', 'leased')))`,
  ).run([row]);
}

/** A session that hooks delivered events of. */
export interface HeardSession {
  client: string;
  session: string;
  transcriptPath: string;
  /** When they last did, epoch ms. */
  heardAt: number;
  /** When they first did. */
  firstHeardAt: number;
}

/** Sessions that hooks delivered events of. */
export function heardSessions(db: Database): HeardSession[] {
  return db
    .prepare<HeardSession & Row>(
      `SELECT client, session, transcript_path AS transcriptPath, heard_at AS heardAt,
         coalesce(first_heard_at, heard_at) AS firstHeardAt FROM sessions
       WHERE heard_at IS NOT NULL AND transcript_path IS NOT NULL`,
    )
    .all();
}

/** True when the newest event of a session with this id says that no model may be asked, or what runs for it is made again. */
export function isModelFree(db: Database, session: string): boolean {
  return Boolean(
    db
      .prepare(
        `SELECT 1 FROM sessions s WHERE session = ? AND (model_free = 1 OR EXISTS (
           SELECT 1 FROM work w WHERE w.session = s.id AND w.state = 'leased' AND w.key LIKE '${againKey}%'))`,
      )
      .get([session]),
  );
}

/**
 * What the journal has under an event's key: nothing; something a hook delivered; something that was read from a
 * transcript, or only that it was, its texts being released.
 */
export type KnownKey = "delivered" | "recovered" | "released" | undefined;

/** See `KnownKey`. */
export function knownKey(db: Database, key: string): KnownKey {
  const found = db
    .prepare<{ recovered: number; there: number }>(
      `SELECT recovered, EXISTS (SELECT 1 FROM payloads p WHERE p.seq = e.seq) AS there
       FROM events e WHERE key = ?`,
    )
    .get([key]);
  if (!found) return undefined;
  if (found.recovered !== 1) return "delivered";
  return found.there === 1 ? "recovered" : "released";
}

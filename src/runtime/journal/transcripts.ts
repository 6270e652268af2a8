// What the journal keeps for those who read transcripts: how far each was read, and room given back once its events are worked off.
import type { Database, Row } from "../../host/sqlite.ts";
import { sessionById } from "./sessions.ts";

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
export function releaseRecovered(db: Database, session: string, client: string): void {
  const found = sessionById(db, session, client);
  if (!found) return;
  db.prepare(
    `DELETE FROM payloads WHERE seq IN (
       SELECT seq FROM events e WHERE session = ? AND recovered = 1 AND settled_at IS NOT NULL
         AND outcome <> 'parked' AND coalesce(told, 1) = 1
         AND NOT EXISTS (SELECT 1 FROM work_events l JOIN work w ON w.id = l.work
           WHERE l.seq = e.seq AND w.state IN ('pending', 'leased')))`,
  ).run([found.row]);
}

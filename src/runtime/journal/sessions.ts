// Sessions for whoever looks on or reads their transcripts: which there are, which are open, how far each was read.
import type { Database, Row } from "../../host/sqlite.ts";
import type { Project } from "../../sdk/model.ts";
import { againKey } from "./events.ts";
import { projectOf, sessionById } from "./planning.ts";

/** What storage knows of a session that the journal may have lost. */
export interface AdoptedSession {
  session: string;
  client: string;
  project: Project;
  prompts: number;
  transcriptPath: string | undefined;
  startedAt: number;
  lastActiveAt: number;
}

/** A session continues counting where storage left off: a prompt of today must not take the number of one of before. */
export function adoptSessions(db: Database, sessions: readonly AdoptedSession[]): void {
  const add = db.prepare(
    `INSERT OR IGNORE INTO sessions (client, session, project, project_id, prompts, transcript_path, started_at, opened_at,
       last_event_at, last_received_at, open_prompt)
     VALUES ($client, $session, $json, $projectId, 0, $transcriptPath, $startedAt, $startedAt, $lastActiveAt,
       $lastActiveAt, 0)`,
  );
  const count = db.prepare(
    `UPDATE sessions SET prompts = $prompts, open_prompt = $prompts
     WHERE client = $client AND session = $session AND prompts < $prompts`,
  );
  for (const { project, ...session } of sessions) {
    add.run({ ...session, json: JSON.stringify(project), projectId: project.id });
    count.run(session);
  }
}

/** A session that the journal knows. */
export interface KnownSession {
  session: string;
  client: string;
  prompts: number;
  transcriptPath?: string;
}

/** Every session, the one heard of last first. */
export function knownSessions(db: Database): KnownSession[] {
  return db
    .all<
      Row & { transcript: string | null } & Omit<KnownSession, "transcriptPath">
    >(`SELECT session, client, prompts, transcript_path AS transcript FROM sessions
       ORDER BY last_event_at DESC, id DESC`)
    .map(({ transcript, ...known }) => ({
      ...known,
      ...(transcript !== null && { transcriptPath: transcript }),
    }));
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
  return db.all<
    HeardSession & Row
  >(`SELECT client, session, transcript_path AS transcriptPath, heard_at AS heardAt,
         coalesce(first_heard_at, heard_at) AS firstHeardAt FROM sessions
       WHERE heard_at IS NOT NULL AND transcript_path IS NOT NULL`);
}

/** A session that has not ended, as far as anybody said. */
export interface OpenSession {
  session: string;
  client: string;
  project: Project;
  prompts: number;
  startedAt: number;
  lastEventAt: number;
}

const mostOpen = 20;

/** Those heard of since (epoch ms), the latest first. */
export function openSessions(db: Database, since: number): OpenSession[] {
  return db
    .all<Row & Omit<OpenSession, "project"> & { project: string; project_id: string }>(
      `SELECT session, client, project, project_id, prompts, started_at AS startedAt, last_event_at AS lastEventAt
       FROM sessions WHERE ended_at IS NULL AND heard_at >= ? ORDER BY last_event_at DESC LIMIT ${mostOpen}`,
      [since],
    )
    .map(({ project, project_id, ...one }) => ({
      ...one,
      project: projectOf(db, { session: one.session, project, project_id }, project_id),
    }));
}

/** True when the newest event of a session with this id says that no model may be asked, or what runs for it is made again. */
export function isModelFree(db: Database, session: string): boolean {
  return Boolean(
    db.get(
      `SELECT 1 FROM sessions s WHERE session = ? AND (model_free = 1 OR EXISTS (
           SELECT 1 FROM work w WHERE w.session = s.id AND w.state = 'leased' AND w.key LIKE '${againKey}%'))`,
      [session],
    ),
  );
}

// How far each transcript was read, and room given back once its events are worked off.

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
    : db.all<MarkRow>("SELECT * FROM transcripts WHERE reader = ?", [reader]);
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
  db.run(
    `DELETE FROM payloads WHERE seq IN (
       SELECT seq FROM events e WHERE session = ? AND recovered = 1 AND settled_at IS NOT NULL
         AND outcome <> 'parked' AND coalesce(told, 1) = 1
         AND NOT EXISTS (SELECT 1 FROM work_events l JOIN work w ON w.id = l.work
           WHERE l.seq = e.seq AND w.state IN ('pending', 'leased')))`,
    [found.row],
  );
}

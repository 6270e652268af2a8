// The table of sessions: made by a session's first event, moved on by each that follows, read by planning and by whoever looks on.
import type { Database, Row } from "../../host/sqlite.ts";
import { readObject } from "../../host/unreadable-rows.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Project } from "../../sdk/model.ts";
import { baseName } from "../../text/text.ts";
import type { JournalSession } from "../ports.ts";
import { againKey } from "./events.ts";

/** A session with what planning needs to know. `row` is the journal's own number for it. */
export interface SessionState extends JournalSession {
  row: number;
  /** Epoch ms at which its last event was taken. */
  lastReceivedAt: number;
  /** The newest prompt, tool use or Stop; null before the first. */
  lastActivity: { seq: number; key: string } | null;
  /** Activity up to this seq is in a session summary, planned or done. */
  summarizedSeq: number;
}

/** What filing an event needs of its session. */
export interface OpenRow {
  id: number;
  prompts: number;
  openPrompt: number;
  openPromptId: string | null;
  openedAt: number;
}

/** The session's row, made on its first event. */
export function openSession(db: Database, event: ClientEvent, now: number): OpenRow {
  const find = db.prepare<OpenRow & Row>(
    `SELECT id, prompts, open_prompt AS openPrompt, open_prompt_id AS openPromptId, opened_at AS openedAt
     FROM sessions WHERE client = ? AND session = ?`,
  );
  const { client, session, time } = event;
  const found = find.get([client, session]);
  if (found) return found;
  // Without a capture plugin that knows better, a project is its folder.
  const { cwd } = event;
  const project = event.project ?? { id: cwd, name: baseName(cwd), root: cwd };
  const { lastInsertRowid: id } = db
    .prepare(
      `INSERT INTO sessions (client, session, project, project_id, prompts, started_at, opened_at, last_event_at, last_received_at)
       VALUES ($client, $session, $project, $projectId, 0, $time, $time, $time, $now)`,
    )
    .run({ client, session, time, now, project: JSON.stringify(project), projectId: project.id });
  return { id, prompts: 0, openPrompt: 0, openPromptId: null, openedAt: time };
}

/** An event that was filed. */
interface Filed {
  now: number;
  seq: number;
  promptNumber: number;
  /** A sign of life that a session summary should cover. */
  activity: boolean;
}

/** Moves a session on by an event that was filed. */
export function touchSession(db: Database, session: OpenRow, event: ClientEvent, filed: Filed) {
  const isPrompt = event.name === "UserPromptSubmit";
  const opens = isPrompt || event.name === "SessionStart";
  db.prepare(
    `UPDATE sessions SET
       prompts = prompts + $isPrompt,
       open_prompt = CASE WHEN $isPrompt AND (NOT $isRecovered OR $time >= opened_at) THEN $promptNumber ELSE open_prompt END,
       open_prompt_id = CASE WHEN $isPrompt AND (NOT $isRecovered OR $time >= opened_at) THEN $promptId ELSE open_prompt_id END,
       requests = requests + $isRequest,
       heard_at = CASE WHEN $isRecovered THEN heard_at ELSE $now END,
       first_heard_at = CASE WHEN $isRecovered THEN first_heard_at ELSE min(coalesce(first_heard_at, $time), $time) END,
       model_free = $isModelFree,
       transcript_path = coalesce($transcriptPath, transcript_path),
       started_at = min(started_at, $time),
       last_event_at = max(last_event_at, $time),
       last_received_at = $now,
       ended_at = CASE
         WHEN $ends AND $time >= opened_at THEN $time
         WHEN $opens AND $time >= coalesce(ended_at, 0) THEN NULL
         ELSE ended_at END,
       opened_at = CASE WHEN $opens THEN max(opened_at, $time) ELSE opened_at END,
       activity_seq = CASE WHEN $activity THEN $seq ELSE activity_seq END,
       activity_key = CASE WHEN $activity THEN $key ELSE activity_key END
     WHERE id = $id`,
  ).run({
    id: session.id,
    isPrompt,
    isRequest: !event.recovered && !event.agent && filed.activity && event.name !== "Stop",
    isRecovered: event.recovered !== undefined,
    isModelFree: event.recovered?.modelFree === true,
    opens,
    ends: event.name === "SessionEnd",
    transcriptPath: event.transcriptPath,
    time: event.time,
    key: event.key,
    promptId: event.promptId,
    ...filed,
  });
  // What a transcript tells of the past does not move a session that has gone on since.
  const isNewest = !event.recovered || event.time >= session.openedAt;
  if (opens && isNewest && event.project)
    db.prepare("UPDATE sessions SET project = ?, project_id = ? WHERE id = ?").run([
      JSON.stringify(event.project),
      event.project.id,
      session.id,
    ]);
}

/** Moves a session on by an event of its past: it continues from the newest prompt that is known of it. */
export function widenSession(db: Database, id: number, event: ClientEvent, promptNumber: number) {
  const { name, time, transcriptPath, promptId } = event;
  const isPrompt = name === "UserPromptSubmit";
  const ends = name === "SessionEnd";
  db.prepare(
    `UPDATE sessions SET
       prompts = max(prompts, $promptNumber),
       open_prompt = CASE WHEN $isPrompt AND $time >= opened_at THEN $promptNumber ELSE open_prompt END,
       open_prompt_id = CASE WHEN $isPrompt AND $time >= opened_at THEN $promptId ELSE open_prompt_id END,
       opened_at = CASE WHEN $isPrompt THEN max(opened_at, $time) ELSE opened_at END,
       transcript_path = coalesce(transcript_path, $transcriptPath),
       started_at = min(started_at, $time),
       last_event_at = max(last_event_at, $time),
       ended_at = CASE WHEN $ends AND $time >= opened_at THEN coalesce(ended_at, $time) ELSE ended_at END
     WHERE id = $id`,
  ).run({ id, time, promptNumber, transcriptPath, promptId, isPrompt, ends });
}

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

interface SessionRow extends Row {
  id: number;
  client: string;
  session: string;
  project: string;
  project_id: string;
  prompts: number;
  transcript_path: string | null;
  started_at: number;
  last_event_at: number;
  last_received_at: number;
  ended_at: number | null;
  activity_seq: number | null;
  activity_key: string | null;
  summarized_seq: number;
}

/** By the journal's own number. */
export function sessionState(db: Database, row: number): SessionState | undefined {
  const found = db.prepare<SessionRow>("SELECT * FROM sessions WHERE id = ?").get([row]);
  return found && stateOf(db, found);
}

/** By the client's id; without a client the one heard of last. */
export function sessionById(db: Database, id: string, client?: string): SessionState | undefined {
  const found = db
    .prepare<SessionRow>(
      `SELECT * FROM sessions WHERE session = $id AND ($client IS NULL OR client = $client)
       ORDER BY last_received_at DESC, id DESC LIMIT 1`,
    )
    .get({ id, client });
  return found && stateOf(db, found);
}

function stateOf(db: Database, row: SessionRow): SessionState {
  return {
    row: row.id,
    session: row.session,
    client: row.client,
    project: projectOf(db, row, baseName(row.project_id)),
    prompts: row.prompts,
    ...(row.transcript_path !== null && { transcriptPath: row.transcript_path }),
    startedAt: row.started_at,
    lastEventAt: row.last_event_at,
    lastReceivedAt: row.last_received_at,
    endedAt: row.ended_at,
    lastActivity:
      row.activity_seq !== null && row.activity_key !== null
        ? { seq: row.activity_seq, key: row.activity_key }
        : null,
    summarizedSeq: row.summarized_seq,
  };
}

/** Of a project that does not parse its id is known all the same. */
function projectOf(
  db: Database,
  { session, project, project_id: id }: Pick<SessionRow, "session" | "project" | "project_id">,
  name: string,
): Project {
  const read = readObject<Project>(db, project, () => `session ${session} (project)`);
  return read ?? { id, name, root: "" };
}

/** Journal numbers of the sessions with this client session id, of whatever client. */
export function sessionRows(db: Database, session: string): number[] {
  return ids(db, "SELECT id FROM sessions WHERE session = ?", session);
}

/** Journal numbers of a project's sessions. */
export function projectRows(db: Database, project: string): number[] {
  return ids(db, "SELECT id FROM sessions WHERE project_id = ?", project);
}

/** Sessions with unplanned events, open work, or activity that no summary covers. Steps from session to session: under traffic each has many events. */
export function unfinishedRows(db: Database): number[] {
  return ids(
    db,
    `WITH RECURSIVE unplanned (session) AS (
       SELECT min(session) FROM events WHERE planned = 0
       UNION ALL
       SELECT (SELECT min(session) FROM events WHERE planned = 0 AND session > unplanned.session)
       FROM unplanned WHERE session IS NOT NULL
     )
     SELECT id FROM sessions WHERE activity_seq > summarized_seq
     UNION SELECT session FROM unplanned WHERE session IS NOT NULL
     UNION SELECT session FROM work WHERE state IN ('pending', 'leased')`,
  );
}

function ids(db: Database, sql: string, ...params: string[]): number[] {
  const rows = db.prepare<{ id: number }>(sql).all(params);
  return rows.map(({ id }) => id);
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
    .prepare<Row & { transcript: string | null } & Omit<KnownSession, "transcriptPath">>(
      `SELECT session, client, prompts, transcript_path AS transcript FROM sessions
       ORDER BY last_event_at DESC, id DESC`,
    )
    .all()
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
  return db
    .prepare<HeardSession & Row>(
      `SELECT client, session, transcript_path AS transcriptPath, heard_at AS heardAt,
         coalesce(first_heard_at, heard_at) AS firstHeardAt FROM sessions
       WHERE heard_at IS NOT NULL AND transcript_path IS NOT NULL`,
    )
    .all();
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
    .prepare<Row & Omit<OpenSession, "project"> & { project: string; project_id: string }>(
      `SELECT session, client, project, project_id, prompts, started_at AS startedAt, last_event_at AS lastEventAt
       FROM sessions WHERE ended_at IS NULL AND heard_at >= ? ORDER BY last_event_at DESC LIMIT ${mostOpen}`,
    )
    .all([since])
    .map(({ project, project_id, ...one }) => ({
      ...one,
      project: projectOf(db, { session: one.session, project, project_id }, project_id),
    }));
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

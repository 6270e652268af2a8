// What planning reads and writes: a session as far as the journal knows it, its events that are in no piece of work yet, and the plan.
import type { Database, Row } from "../../host/sqlite.ts";
import { readObject } from "../../host/sqlite.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import type { Project } from "../../sdk/model.ts";
import { baseName } from "../../text/text.ts";
import type { JournalSession, WorkKind } from "../ports.ts";

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
  const found = db.get<SessionRow>("SELECT * FROM sessions WHERE id = ?", [row]);
  return found && stateOf(db, found);
}

/** By the client's id; without a client the one heard of last. */
export function sessionById(db: Database, id: string, client?: string): SessionState | undefined {
  const found = db.get<SessionRow>(
    `SELECT * FROM sessions WHERE session = $id AND ($client IS NULL OR client = $client)
       ORDER BY last_received_at DESC, id DESC LIMIT 1`,
    { id, client },
  );
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
export function projectOf(
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

function ids(db: Database, sql: string, ...params: string[]): number[] {
  const rows = db.all<{ id: number }>(sql, params);
  return rows.map(({ id }) => id);
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

/** A committed event that is in no piece of work yet, without its payload. */
export interface PendingEvent {
  seq: number;
  key: string;
  name: ClientEventName;
  promptNumber: number;
  receivedAt: number;
  /** Payload size. */
  bytes: number;
  /** For tool events. */
  toolUseId?: string;
  /** The subagent's id. */
  agent?: string;
  /** Of a Stop: it carries the assistant's last message. Of a failed tool use: the user stopped it. False for all others. */
  spoken: boolean;
  /** Read from a transcript. */
  recovered: boolean;
}

/** Columns that `lightEvent` reads. */
export const lightColumns =
  "e.seq, e.key, e.name, e.prompt_number, e.received_at, e.bytes, e.tool_use, e.agent, e.spoken, e.recovered";

export interface LightRow extends Row {
  seq: number;
  key: string;
  name: ClientEventName;
  prompt_number: number;
  received_at: number;
  bytes: number;
  tool_use: string | null;
  agent: string | null;
  spoken: number;
  recovered: number;
}

export function lightEvent(row: LightRow): PendingEvent {
  return {
    seq: row.seq,
    key: row.key,
    name: row.name,
    promptNumber: row.prompt_number,
    receivedAt: row.received_at,
    bytes: row.bytes,
    ...(row.tool_use !== null && { toolUseId: row.tool_use }),
    ...(row.agent !== null && { agent: row.agent }),
    spoken: row.spoken === 1,
    recovered: row.recovered === 1,
  };
}

/** Unplanned events of a session, by seq. */
export function pendingEvents(db: Database, session: number): PendingEvent[] {
  return db
    .all<LightRow>(
      `SELECT ${lightColumns} FROM events e WHERE session = ? AND planned = 0 ORDER BY seq`,
      [session],
    )
    .map(lightEvent);
}

/** What is known of a prompt from events that are planned already. */
export interface PromptPast {
  stopped: boolean;
  toolUses: boolean;
}

/** What planned events say of the prompts from `from` on, by number. */
export function promptPasts(db: Database, session: number, from: number): Map<number, PromptPast> {
  const rows = db.all<{ prompt_number: number; stopped: number; tools: number }>(
    `SELECT prompt_number, max(name = 'Stop') AS stopped, max(tool_use IS NOT NULL) AS tools
       FROM events WHERE session = ? AND prompt_number >= ? AND planned = 1 GROUP BY prompt_number`,
    [session, from],
  );
  return new Map(
    rows.map((row) => [
      row.prompt_number,
      { stopped: row.stopped === 1, toolUses: row.tools === 1 },
    ]),
  );
}

/** A piece of work about to be written down. */
export interface PlannedWork {
  kind: WorkKind;
  key: string;
  promptNumber: number;
  seqs: number[];
  waiting: boolean;
}

/** The outcome of planning one session. */
export interface Plan {
  works: PlannedWork[];
  /** Events nothing has to be done for. */
  settled: Array<{ seq: number; reason: string }>;
  /** When time alone makes more work, epoch ms; null for never. */
  dueAt: number | null;
  /** Set when a session summary was planned. */
  summarizedSeq: number | null;
}

/** Writes a plan down: its work, which events belong to it, and the events nothing is done for. */
export function writePlan(db: Database, session: number, plan: Plan, now: number): void {
  const add = (or = "") =>
    db.prepare(
      `INSERT ${or} INTO work (key, kind, session, prompt_number, waiting, state, created_at, updated_at)
       VALUES ($key, $kind, $session, $promptNumber, $waiting, 'pending', $now, $now)`,
    );
  const [addWork, addOnce] = [add(), add("OR IGNORE")];
  const addEvent = db.prepare("INSERT INTO work_events (work, seq) VALUES (?, ?)");
  const planned = db.prepare("UPDATE events SET planned = 1 WHERE seq = ?");
  for (const { seqs, ...work } of plan.works) {
    // A turn has no events of its own: the tool use that asked for it may be unplanned still at the next planning, and asks again.
    const { lastInsertRowid } = (seqs.length === 0 ? addOnce : addWork).run({
      ...work,
      session,
      now,
    });
    for (const seq of seqs) {
      addEvent.run([lastInsertRowid, seq]);
      planned.run([seq]);
    }
  }
  const settle = db.prepare(
    "UPDATE events SET planned = 1, outcome = 'skipped', reason = ?, settled_at = ? WHERE seq = ? AND outcome IS NULL",
  );
  for (const { seq, reason } of plan.settled) settle.run([reason, now, seq]);
  if (plan.summarizedSeq !== null)
    db.run("UPDATE sessions SET summarized_seq = ? WHERE id = ?", [plan.summarizedSeq, session]);
}

/** Plans pieces whose results storage lost. From here on no model may be asked about the session, until its hooks tell of it again. */
export function planAgain(
  db: Database,
  session: number,
  works: readonly PlannedWork[],
  now: number,
): void {
  db.run("UPDATE sessions SET model_free = 1 WHERE id = ?", [session]);
  const plan = { works: [...works], settled: [], dueAt: null, summarizedSeq: null };
  writePlan(db, session, plan, now);
}

/** True while a session has pending or leased work. */
export function hasOpenWork(db: Database, session: number): boolean {
  const find = db.prepare(
    "SELECT 1 FROM work WHERE session = ? AND state IN ('pending', 'leased')",
  );
  return find.get([session]) !== undefined;
}

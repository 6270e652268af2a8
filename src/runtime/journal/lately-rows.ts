// What went on lately, as the journal has it: open sessions, events with how they ended, and what the last session was told.
import type { Database, Row } from "../../host/sqlite.ts";
import { readColumn, readObject } from "../../host/unreadable-rows.ts";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { Project } from "../../sdk/model.ts";
import type { Outcome } from "../ports.ts";

/** A session that has not ended, as far as anybody said. */
export interface OpenSession {
  session: string;
  client: string;
  project: Project;
  prompts: number;
  startedAt: number;
  lastEventAt: number;
}

/** An event that was captured, and how it ended. */
export interface LateEvent {
  seq: number;
  session: string;
  name: ClientEventName;
  /** Epoch ms at which the hook ran. */
  time: number;
  promptNumber: number;
  /** Null while it waits for its work. */
  outcome: Outcome | null;
  reason: string | null;
  /** Ids of what was stored of it. */
  observations: string[];
}

/** What a session was given to read, each time. */
export interface ToldText {
  session: string;
  client: string;
  event: string;
  time: number;
  tokens: number;
  records: string[];
}

type ToldRow = Row & Omit<ToldText, "records"> & { id: number; records: string };

/** A session, and a time that all of it lies in, so that no more is looked through: epoch ms. */
export interface TimeOfSession {
  session: string;
  since: number;
  until: number;
}

/** What a person would call happening; what others repeat or prepare is left out. */
const telling = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"];
const mostOpen = 20;
const mostTold = 12;
const mostToldTo = 2_000;

/** Those heard of since (epoch ms), the latest first. */
export function openSessions(db: Database, since: number): OpenSession[] {
  return db
    .prepare<Row & Omit<OpenSession, "project"> & { project: string; project_id: string }>(
      `SELECT session, client, project, project_id, prompts, started_at AS startedAt, last_event_at AS lastEventAt
       FROM sessions WHERE ended_at IS NULL AND heard_at >= ? ORDER BY last_event_at DESC LIMIT ${mostOpen}`,
    )
    .all([since])
    .map(({ project, project_id: id, ...one }) => {
      const read = readObject<Project>(db, project, () => `session ${one.session} (project)`);
      return { ...one, project: read ?? { id, name: id, root: "" } };
    });
}

/** The newest first. */
export function lateEvents(db: Database, limit: number): LateEvent[] {
  return db
    .prepare<Row & Omit<LateEvent, "observations"> & { observations: string | null }>(
      `SELECT e.seq, s.session, e.name, e.time, e.prompt_number AS promptNumber, e.outcome, e.reason, e.observations
       FROM events e JOIN sessions s ON s.id = e.session
       WHERE e.recovered = 0 AND e.name IN (${telling.map((name) => `'${name}'`).join(", ")})
       ORDER BY e.seq DESC LIMIT ?`,
    )
    .all([limit])
    .map(({ observations, ...one }) => ({
      ...one,
      observations: idsOf(db, observations, one.seq),
    }));
}

function idsOf(db: Database, json: string | null, seq: number): string[] {
  const read = json === null ? [] : readColumn(db, json, () => `event ${seq} (observations)`);
  return Array.isArray(read) ? (read as string[]) : [];
}

/** An event's own texts, where they are there and no larger than this. */
export function lateText(db: Database, seq: number, mostBytes: number): ClientEvent | undefined {
  const found = db
    .prepare<{ json: string }>(
      "SELECT p.json FROM payloads p JOIN events e ON e.seq = p.seq WHERE p.seq = ? AND e.bytes <= ?",
    )
    .get([seq, mostBytes]);
  return found && readObject<ClientEvent>(db, found.json, () => `event ${seq}`);
}

/** All that the session was told to which something was told last; the newest first. */
export function lastTold(db: Database): ToldText[] {
  return db
    .prepare<ToldRow>(
      `SELECT i.id, i.session, i.client, i.event, i.time, i.tokens, i.records FROM injections i
       JOIN (SELECT client, session FROM injections ORDER BY time DESC, id DESC LIMIT 1) last
         ON last.client = i.client AND last.session = i.session
       ORDER BY i.time DESC, i.id DESC LIMIT ${mostTold}`,
    )
    .all()
    .map((row) => toldText(db, row));
}

/** What a session was told in a time, the oldest first. */
export function toldTo(db: Database, { session, since, until }: TimeOfSession): ToldText[] {
  return db
    .prepare<ToldRow>(
      `SELECT id, session, client, event, time, tokens, records FROM injections
       WHERE time BETWEEN $since AND $until AND session = $session ORDER BY time, id LIMIT ${mostToldTo}`,
    )
    .all({ session, since, until })
    .map((row) => toldText(db, row));
}

function toldText(db: Database, { id, records, ...one }: ToldRow): ToldText {
  const read = readColumn(db, records, () => `injection ${id} (records)`);
  return { ...one, records: Array.isArray(read) ? (read as string[]) : [] };
}

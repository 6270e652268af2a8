// The table of events, read: whole events for work, what became of them, and what is past.
import type { Database, Row, SqlParams } from "../../host/sqlite.ts";
import { readColumn, readObject } from "../../host/sqlite.ts";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import type { JournalEvent, Outcome } from "../ports.ts";
import { type LightRow, lightColumns, lightEvent, type PendingEvent } from "./planning.ts";

/** A committed event without its payload, and how it ended. */
export interface PastEvent extends PendingEvent {
  /** Null while it waits for its work. */
  outcome: Outcome | null;
  /** Ids of what was stored of it. */
  observations: string[];
  /** Its payload is there. */
  isWhole: boolean;
  /** Put here from a transcript to be made again. */
  isAgain: boolean;
}

/** A settled tool use of which listeners were not notified yet. */
export interface Unnotified {
  seq: number;
  settled: Settled;
}

/** Begins the key of what is made again; the journal knows by it that no model may be asked about it. */
export const againKey = "again:";

interface PastRow extends LightRow {
  outcome: Outcome | null;
  observations: string | null;
  whole: number;
}

/** All events of a session that are there, by seq; none of prompts that were forgotten. */
export function pastEvents(db: Database, session: number): PastEvent[] {
  return db
    .all<PastRow>(
      `SELECT ${lightColumns}, e.outcome, e.observations, p.seq IS NOT NULL AS whole
       FROM events e LEFT JOIN payloads p ON p.seq = e.seq
       WHERE e.session = $session AND NOT EXISTS (
         SELECT 1 FROM forgotten f WHERE f.session = e.session AND f.prompt_number = e.prompt_number)
       ORDER BY e.seq`,
      { session },
    )
    .map((row) => ({
      ...lightEvent(row),
      outcome: row.outcome,
      observations: observationsOf(db, row.seq, row.observations),
      isWhole: row.whole === 1,
      isAgain: row.key.startsWith(againKey),
    }));
}

interface WholeRow extends Row {
  seq: number;
  promptNumber: number;
  receivedAt: number;
  json: string;
}

function wholeRows(db: Database, rest: string, params: SqlParams): WholeRow[] {
  return db.all<WholeRow>(
    `SELECT e.seq, e.prompt_number AS promptNumber, e.received_at AS receivedAt, p.json
       FROM events e JOIN payloads p ON p.seq = e.seq ${rest}`,
    params,
  );
}

/** Without those that cannot be read. */
function readable(db: Database, rows: readonly WholeRow[]): JournalEvent[] {
  return rows.flatMap(({ json, ...row }) => {
    const event = readEvent(db, row.seq, json);
    return event ? [{ ...row, event }] : [];
  });
}

/** The events of a piece of work, in the order in which they happened; and the numbers of those that cannot be read. */
export function workEvents(
  db: Database,
  work: number,
): { events: JournalEvent[]; unreadable: number[] } {
  const ofWork = "JOIN work_events w ON w.seq = e.seq WHERE w.work = ? ORDER BY e.time, e.seq";
  const rows = wholeRows(db, ofWork, [work]);
  const events = readable(db, rows);
  const read = new Set(events.map(({ seq }) => seq));
  return { events, unreadable: rows.map(({ seq }) => seq).filter((seq) => !read.has(seq)) };
}

/** The newest prompt event with this number. */
export function promptEvent(
  db: Database,
  session: number,
  promptNumber: number,
): JournalEvent | undefined {
  const newest = `WHERE e.session = ? AND e.prompt_number = ? AND e.name = 'UserPromptSubmit'
    ORDER BY e.seq DESC LIMIT 1`;
  return readable(db, wholeRows(db, newest, [session, promptNumber]))[0];
}

/** The newest tool events of a prompt, as many as the limits allow, in the order in which they happened. */
export function toolEvents(
  db: Database,
  session: number,
  promptNumber: number,
  limits: { events: number; bytes: number },
): JournalEvent[] {
  const newest = `JOIN (
      SELECT seq, sum(bytes) OVER (ORDER BY time DESC, seq DESC) AS total FROM events
      WHERE session = $session AND prompt_number = $promptNumber
        AND name IN ('PostToolUse', 'PostToolUseFailure')
      ORDER BY time DESC, seq DESC LIMIT $events
    ) newest ON newest.seq = e.seq WHERE newest.total <= $bytes ORDER BY e.time, e.seq`;
  return readable(db, wholeRows(db, newest, { session, promptNumber, ...limits }));
}

/** The session's newest Stop. */
export function lastStop(db: Database, session: number): JournalEvent | undefined {
  const newest = "WHERE e.session = ? AND e.name = 'Stop' ORDER BY e.seq DESC LIMIT 1";
  return readable(db, wholeRows(db, newest, [session]))[0];
}

/** The prompts after this one, by time, whose texts are still there; at most `limit`. */
export function laterPrompts(
  db: Database,
  session: number,
  { promptNumber, time }: { promptNumber: number; time: number },
  limit: number,
): JournalEvent[] {
  const later = `WHERE e.session = ? AND e.name = 'UserPromptSubmit' AND e.time >= ? AND e.prompt_number <> ?
    ORDER BY e.time, e.seq LIMIT ?`;
  return readable(db, wholeRows(db, later, [session, time, promptNumber, limit]));
}

/**
 * Gives every event of a prompt that tells something of it to `each`, in the order in which they happened; answers
 * how many there were whose texts are gone. Read one by one: a prompt of many hours does not fit into memory at once.
 */
export function turnEvents(
  db: Database,
  session: number,
  promptNumber: number,
  each: (event: ClientEvent) => void,
): number {
  const rows = db
    .prepare<{ seq: number; json: string | null; ends: number }>(
      `SELECT e.seq, p.json, e.name = 'Stop' AND e.recovered = 1 AS ends FROM events e LEFT JOIN payloads p ON p.seq = e.seq
       WHERE e.session = ? AND e.prompt_number = ? AND e.name IN
         ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SubagentStop',
          'PostCompact')
       ORDER BY e.time, e.seq`,
    )
    .iterate([session, promptNumber]);
  let gone = 0;
  for (const { seq, json, ends } of rows) {
    const event = json === null ? undefined : readEvent(db, seq, json);
    if (event) each(event);
    // An end that was made up where a transcript broke off says nothing that the transcript does not.
    else if (ends === 0) gone++;
  }
  return gone;
}

interface SettledRow {
  seq: number;
  row: number;
  session: string;
  tool_use: string;
  outcome: Outcome | null;
  reason: string | null;
  observations: string | null;
}
const settledColumns =
  "SELECT e.seq, e.session AS row, s.session, e.tool_use, e.outcome, e.reason, e.observations FROM events e JOIN sessions s ON s.id = e.session";

/** How a tool use ended and where it belongs; the newest, should two sessions share the id. */
export function toolUse(
  db: Database,
  id: string,
): { row: number; settled: Settled | undefined } | undefined {
  const found = db.get<SettledRow>(
    `${settledColumns} WHERE e.tool_use = ? ORDER BY e.seq DESC LIMIT 1`,
    [id],
  );
  return found && { row: found.row, settled: settledOf(db, found) };
}

/** Settled tool uses of which no listener heard, left over by a crash. */
export function unnotified(db: Database): Unnotified[] {
  return db.all<SettledRow>(`${settledColumns} WHERE e.told = 0 ORDER BY e.seq`).flatMap((row) => {
    const settled = settledOf(db, row);
    return settled ? [{ seq: row.seq, settled }] : [];
  });
}

/** Listeners heard of them. */
export function markNotified(db: Database, seqs: readonly number[]): void {
  const mark = db.prepare("UPDATE events SET told = 1 WHERE seq = ? AND told = 0");
  for (const seq of seqs) mark.run([seq]);
}

function settledOf(db: Database, row: SettledRow): Settled | undefined {
  if (row.outcome === null) return undefined;
  return {
    session: row.session,
    toolUseId: row.tool_use,
    outcome: row.outcome,
    ...(row.reason !== null && { reason: row.reason }),
    observations: observationsOf(db, row.seq, row.observations),
  };
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

/** What a person would call happening; what others repeat or prepare is left out. */
const shownNames = [
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
];

/** The newest first. */
export function lateEvents(db: Database, limit: number): LateEvent[] {
  return db
    .all<Row & Omit<LateEvent, "observations"> & { observations: string | null }>(
      `SELECT e.seq, s.session, e.name, e.time, e.prompt_number AS promptNumber, e.outcome, e.reason, e.observations
       FROM events e JOIN sessions s ON s.id = e.session
       WHERE e.recovered = 0 AND e.name IN (${shownNames.map((name) => `'${name}'`).join(", ")})
       ORDER BY e.seq DESC LIMIT ?`,
      [limit],
    )
    .map((row) => ({ ...row, observations: observationsOf(db, row.seq, row.observations) }));
}

/** An event's own texts, where they are there and no larger than this. */
export function lateText(db: Database, seq: number, mostBytes: number): ClientEvent | undefined {
  const found = db.get<{ json: string }>(
    "SELECT p.json FROM payloads p JOIN events e ON e.seq = p.seq WHERE p.seq = ? AND e.bytes <= ?",
    [seq, mostBytes],
  );
  return found && readEvent(db, seq, found.json);
}

function observationsOf(db: Database, seq: number, json: string | null): string[] {
  return readIds(db, json, () => eventName(db, seq, "observations"));
}

/** A list of ids in a column; none where it does not parse. */
export function readIds(db: Database, json: string | null, name: () => string): string[] {
  const ids = json === null ? [] : readColumn(db, json, name);
  return Array.isArray(ids) ? (ids as string[]) : [];
}

/** Undefined for one that cannot be read: it costs itself, not its session. */
export function readEvent(db: Database, seq: number, json: string): ClientEvent | undefined {
  return readObject<ClientEvent>(db, json, () => eventName(db, seq, "payload"));
}

/** What people call an event's column. */
function eventName(db: Database, seq: number, column: string): string {
  const found = db.get<{ session: string }>(
    "SELECT s.session FROM events e JOIN sessions s ON s.id = e.session WHERE e.seq = ?",
    [seq],
  );
  return `event ${seq}${found ? ` of session ${found.session}` : ""} (${column})`;
}

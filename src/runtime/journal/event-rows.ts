// Reading events out of the journal: light rows for planning, whole events for work.

import type { Database, Row } from "../../host/sqlite.ts";
import { readColumn, readObject } from "../../host/unreadable-rows.ts";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import type { JournalEvent, Outcome } from "../ports.ts";
import type { PendingEvent, PromptPast, Unnotified } from "./journal-types.ts";

interface EventRow extends Row {
  seq: number;
  prompt_number: number;
  received_at: number;
  json: string;
}
const wholeEvent =
  "SELECT e.seq, e.prompt_number, e.received_at, p.json FROM events e JOIN payloads p ON p.seq = e.seq";

/** What `pendingOf` reads of the table `events`. */
export interface PendingRow extends Row {
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

/** An event without its payload. */
export function pendingOf(row: PendingRow): PendingEvent {
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
    .prepare<PendingRow>(
      `SELECT seq, key, name, prompt_number, received_at, bytes, tool_use, agent, spoken, recovered
       FROM events WHERE session = ? AND planned = 0 ORDER BY seq`,
    )
    .all([session])
    .map(pendingOf);
}

/** What planned events say of the prompts from `from` on. */
export function promptPasts(db: Database, session: number, from: number): Map<number, PromptPast> {
  const rows = db
    .prepare<{ prompt_number: number; stopped: number; tools: number }>(
      `SELECT prompt_number, max(name = 'Stop') AS stopped, max(tool_use IS NOT NULL) AS tools
       FROM events WHERE session = ? AND prompt_number >= ? AND planned = 1 GROUP BY prompt_number`,
    )
    .all([session, from]);
  return new Map(
    rows.map((row) => [
      row.prompt_number,
      { stopped: row.stopped === 1, toolUses: row.tools === 1 },
    ]),
  );
}

/** The events of a piece of work, in the order in which they happened; and the numbers of those that cannot be read. */
export function workEvents(
  db: Database,
  work: number,
): { events: JournalEvent[]; unreadable: number[] } {
  const rows = db
    .prepare<EventRow>(
      `${wholeEvent} JOIN work_events w ON w.seq = e.seq WHERE w.work = ? ORDER BY e.time, e.seq`,
    )
    .all([work]);
  const events = whole(db, rows);
  const read = new Set(events.map(({ seq }) => seq));
  return { events, unreadable: rows.map(({ seq }) => seq).filter((seq) => !read.has(seq)) };
}

/** The newest prompt event with this number. */
export function promptEvent(
  db: Database,
  session: number,
  promptNumber: number,
): JournalEvent | undefined {
  return whole(
    db,
    db
      .prepare<EventRow>(
        `${wholeEvent} WHERE e.session = ? AND e.prompt_number = ? AND e.name = 'UserPromptSubmit'
         ORDER BY e.seq DESC LIMIT 1`,
      )
      .all([session, promptNumber]),
  )[0];
}

/** The newest tool events of a prompt, as many as the limits allow, in the order in which they happened. */
export function toolEvents(
  db: Database,
  session: number,
  promptNumber: number,
  limits: { events: number; bytes: number },
): JournalEvent[] {
  return whole(
    db,
    db
      .prepare<EventRow>(
        `${wholeEvent} JOIN (
           SELECT seq, sum(bytes) OVER (ORDER BY time DESC, seq DESC) AS total FROM events
           WHERE session = $session AND prompt_number = $promptNumber
             AND name IN ('PostToolUse', 'PostToolUseFailure')
           ORDER BY time DESC, seq DESC LIMIT $events
         ) newest ON newest.seq = e.seq WHERE newest.total <= $bytes ORDER BY e.time, e.seq`,
      )
      .all({ session, promptNumber, ...limits }),
  );
}

/** The session's newest Stop. */
export function lastStop(db: Database, session: number): JournalEvent | undefined {
  return whole(
    db,
    db
      .prepare<EventRow>(
        `${wholeEvent} WHERE e.session = ? AND e.name = 'Stop' ORDER BY e.seq DESC LIMIT 1`,
      )
      .all([session]),
  )[0];
}

/** See `WorkLedger.turnEvents`. Read one by one: a prompt of many hours does not fit into memory at once. */
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
    // An end that was made up where a transcript broke off told nothing that the transcript does not.
    else if (ends === 0) gone++;
  }
  return gone;
}

/** See `WorkLedger.laterPrompts`. */
export function laterPrompts(
  db: Database,
  session: number,
  { promptNumber, time }: { promptNumber: number; time: number },
  limit: number,
): JournalEvent[] {
  return whole(
    db,
    db
      .prepare<EventRow>(
        `${wholeEvent} WHERE e.session = ? AND e.name = 'UserPromptSubmit' AND e.time >= ? AND e.prompt_number <> ?
         ORDER BY e.time, e.seq LIMIT ?`,
      )
      .all([session, time, promptNumber, limit]),
  );
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
  const found = db
    .prepare<SettledRow>(`${settledColumns} WHERE e.tool_use = ? ORDER BY e.seq DESC LIMIT 1`)
    .get([id]);
  return found && { row: found.row, settled: settledOf(db, found) };
}

/** Tool uses that ended without their listeners having been notified. */
export function unnotified(db: Database): Unnotified[] {
  return db
    .prepare<SettledRow>(`${settledColumns} WHERE e.told = 0 ORDER BY e.seq`)
    .all()
    .flatMap((row) => {
      const settled = settledOf(db, row);
      return settled ? [{ seq: row.seq, settled }] : [];
    });
}

function settledOf(db: Database, row: SettledRow): Settled | undefined {
  if (row.outcome === null) return undefined;
  return {
    session: row.session,
    toolUseId: row.tool_use,
    outcome: row.outcome,
    ...(row.reason !== null && { reason: row.reason }),
    observations: row.observations === null ? [] : observationsOf(db, row.seq, row.observations),
  };
}

function observationsOf(db: Database, seq: number, json: string): string[] {
  const ids = readColumn(db, json, () => eventName(db, seq, "observations"));
  return Array.isArray(ids) ? (ids as string[]) : [];
}

/** Undefined for one that cannot be read: it costs itself, not its session. */
export function readEvent(db: Database, seq: number, json: string): ClientEvent | undefined {
  return readObject<ClientEvent>(db, json, () => eventName(db, seq, "payload"));
}

/** What people call an event's column. */
function eventName(db: Database, seq: number, column: string): string {
  const found = db
    .prepare<{ session: string }>(
      "SELECT s.session FROM events e JOIN sessions s ON s.id = e.session WHERE e.seq = ?",
    )
    .get([seq]);
  return `event ${seq}${found ? ` of session ${found.session}` : ""} (${column})`;
}

function whole(db: Database, rows: readonly EventRow[]): JournalEvent[] {
  return rows.flatMap(({ seq, prompt_number: promptNumber, received_at: receivedAt, json }) => {
    const event = readEvent(db, seq, json);
    return event ? [{ seq, promptNumber, receivedAt, event }] : [];
  });
}

// What sessions were given to read, and how often each went on to read it again.

import type { Database, Row } from "../../host/sqlite.ts";
import { readColumn } from "../../host/unreadable-rows.ts";

/** One context that a session was given. */
export interface Injection {
  client: string;
  session: string;
  /** `Project.id`. */
  project: string;
  /** The event it answered. */
  event: string;
  /** Epoch ms. */
  time: number;
  characters: number;
  /** Estimate. */
  tokens: number;
  /** Ids of the records it names. */
  records: string[];
}

/** With what came after: how many requests of the session carried it along. */
export interface CarriedInjection extends Injection {
  laterRequests: number;
}

/** Writes injections down, each with the session's count of requests so far. */
export function addInjections(db: Database, injections: readonly Injection[]): void {
  const insert = db.prepare(
    `INSERT INTO injections (client, session, project, event, time, characters, tokens, records, requests)
     VALUES ($client, $session, $project, $event, $time, $characters, $tokens, $records,
       coalesce((SELECT requests FROM sessions WHERE client = $client AND session = $session), 0))`,
  );
  for (const injection of injections)
    insert.run({ ...injection, records: JSON.stringify(injection.records) });
}

interface InjectionRow extends Row {
  id: number;
  client: string;
  session: string;
  project: string;
  event: string;
  time: number;
  characters: number;
  tokens: number;
  records: string;
  later: number;
}

/** Injections from `since` (epoch ms) on, oldest first. */
export function injectionsSince(db: Database, since: number): CarriedInjection[] {
  return db
    .prepare<InjectionRow>(
      `SELECT i.*, max(0, coalesce(s.requests, 0) - i.requests) AS later FROM injections i
       LEFT JOIN sessions s ON s.client = i.client AND s.session = i.session
       WHERE i.time >= ? ORDER BY i.time, i.id`,
    )
    .all([since])
    .map(({ id, client, session, project, event, time, characters, tokens, records, later }) => ({
      client,
      session,
      project,
      event,
      time,
      characters,
      tokens,
      records: recordsOf(db, id, records),
      laterRequests: later,
    }));
}

function recordsOf(db: Database, id: number, json: string): string[] {
  const records = readColumn(db, json, () => `injection ${id} (records)`);
  return Array.isArray(records) ? (records as string[]) : [];
}

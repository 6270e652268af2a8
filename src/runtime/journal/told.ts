// What sessions were given to read, how often each carried it along, and what plugins counted of it.
import type { Database, Row } from "../../host/sqlite.ts";
import { readIds } from "./events.ts";

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

/** What a session was given to read, each time. */
export type ToldText = Pick<
  Injection,
  "session" | "client" | "event" | "time" | "tokens" | "records"
>;

/** A session, and a time that all of it lies in, so that no more is looked through: epoch ms. */
export interface TimeOfSession {
  session: string;
  since: number;
  until: number;
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

/** Injections from `since` (epoch ms) on, oldest first. */
export function injectionsSince(db: Database, since: number): CarriedInjection[] {
  return rows<CarriedInjection>(
    db,
    `SELECT i.id, i.client, i.session, i.project, i.event, i.time, i.characters, i.tokens, i.records,
       max(0, coalesce(s.requests, 0) - i.requests) AS laterRequests
     FROM injections i LEFT JOIN sessions s ON s.client = i.client AND s.session = i.session
     WHERE i.time >= $since ORDER BY i.time, i.id`,
    { since },
  );
}

const mostTold = 12;
const mostToldTo = 2_000;
const toldColumns = "i.id, i.session, i.client, i.event, i.time, i.tokens, i.records";

/** All that the session was told to which something was told last; the newest first. */
export function lastTold(db: Database): ToldText[] {
  return rows(
    db,
    `SELECT ${toldColumns} FROM injections i
     JOIN (SELECT client, session FROM injections ORDER BY time DESC, id DESC LIMIT 1) last
       ON last.client = i.client AND last.session = i.session
     ORDER BY i.time DESC, i.id DESC LIMIT ${mostTold}`,
  );
}

/** What a session was told in a time, the oldest first. */
export function toldTo(db: Database, { session, since, until }: TimeOfSession): ToldText[] {
  return rows(
    db,
    `SELECT ${toldColumns} FROM injections i
     WHERE time BETWEEN $since AND $until AND session = $session ORDER BY time, id LIMIT ${mostToldTo}`,
    { session, since, until },
  );
}

function rows<One extends ToldText = ToldText>(
  db: Database,
  sql: string,
  params: Record<string, string | number> = {},
): One[] {
  const found = db.prepare<Row & { id: number; records: string }>(sql).all(params);
  return found.map(({ id, ...one }) => {
    const records = readIds(db, one.records, () => `injection ${id} (records)`);
    return { ...one, records } as unknown as One;
  });
}

/** Something that a plugin counted once of what it told: `failure:told`, `failure:acted-on`. */
export interface Noted {
  /** `Project.id`, or the folder where there is none. */
  project: string;
  /** Epoch ms. */
  time: number;
  /** A kind and what became of it: `failure:told`. */
  name: string;
}

/** How often something was counted in a project. */
export interface NotedCount {
  project: string;
  name: string;
  count: number;
  /** The newest hour, epoch ms. */
  at: number;
}

const hourMs = 60 * 60_000;

/** Adds to the counts. */
export function addNoted(db: Database, noted: readonly Noted[]): void {
  const upsert = db.prepare(
    `INSERT INTO noted (hour, project, name, n) VALUES (?, ?, ?, 1)
     ON CONFLICT (hour, project, name) DO UPDATE SET n = n + 1`,
  );
  for (const { project, time, name } of noted)
    upsert.run([Math.floor(time / hourMs), project, name]);
}

/** From the hour of `since` (epoch ms) on, in all projects. */
export function notedSince(db: Database, since: number): NotedCount[] {
  return db
    .prepare<NotedCount & Row>(
      `SELECT project, name, sum(n) AS count, max(hour) * ${hourMs} AS at FROM noted WHERE hour >= ?
       GROUP BY project, name ORDER BY project, name`,
    )
    .all([Math.floor(since / hourMs)]);
}

/** Deletes what sessions were told, and what was counted of it, before a time in epoch ms. */
export function pruneTold(db: Database, before: number): void {
  db.prepare("DELETE FROM injections WHERE time < ?").run([before]);
  db.prepare("DELETE FROM noted WHERE hour < ?").run([Math.floor(before / hourMs)]);
}

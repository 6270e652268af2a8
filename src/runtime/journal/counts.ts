// What sessions were given to read, how often each carried it along, and what plugins counted of it.
import { statSync } from "node:fs";
import { damagedFiles } from "../../home/database/open-file.ts";
import type { Database, Row } from "../../host/sqlite.ts";
import type { JournalStatus, SilentKind } from "../ports.ts";
import type { Parked } from "../status-schema.ts";
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
export type GivenText = Pick<
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

const mostGiven = 12;
const mostGivenTo = 2_000;
const givenColumns = "i.id, i.session, i.client, i.event, i.time, i.tokens, i.records";

/** All that the session was given that was given something last; the newest first. */
export function lastGiven(db: Database): GivenText[] {
  return rows(
    db,
    `SELECT ${givenColumns} FROM injections i
     JOIN (SELECT client, session FROM injections ORDER BY time DESC, id DESC LIMIT 1) last
       ON last.client = i.client AND last.session = i.session
     ORDER BY i.time DESC, i.id DESC LIMIT ${mostGiven}`,
  );
}

/** What a session was given in a time, the oldest first. */
export function givenTo(db: Database, { session, since, until }: TimeOfSession): GivenText[] {
  return rows(
    db,
    `SELECT ${givenColumns} FROM injections i
     WHERE time BETWEEN $since AND $until AND session = $session ORDER BY time, id LIMIT ${mostGivenTo}`,
    { session, since, until },
  );
}

function rows<One extends GivenText = GivenText>(
  db: Database,
  sql: string,
  params: Record<string, string | number> = {},
): One[] {
  const found = db.all<Row & { id: number; records: string }>(sql, params);
  return found.map(({ id, ...one }) => {
    const records = readIds(db, one.records, () => `injection ${id} (records)`);
    return { ...one, records } as unknown as One;
  });
}

/** Something that a plugin counted once of what it gave: `failure:told`, `failure:acted-on`. */
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
  return db.all<NotedCount & Row>(
    `SELECT project, name, sum(n) AS count, max(hour) * ${hourMs} AS at FROM noted WHERE hour >= ?
       GROUP BY project, name ORDER BY project, name`,
    [Math.floor(since / hourMs)],
  );
}

/** Deletes what sessions were given, and what was counted of it, before a time in epoch ms. */
export function pruneGiven(db: Database, before: number): void {
  db.run("DELETE FROM injections WHERE time < ?", [before]);
  db.run("DELETE FROM noted WHERE hour < ?", [Math.floor(before / hourMs)]);
}

// The journal's part of `memoir status`.

/** What was kept back longer ago says nothing of now. */
const silentMs = 7 * 24 * 60 * 60_000;

/** Counts, the last 20 parked pieces, and sizes. */
export function journalStatus(
  db: Database,
  path: string,
  counters: Record<string, number>,
  now: number,
): JournalStatus {
  const states = db.all<{ state: string; n: number }>(
    "SELECT state, count(*) AS n FROM work GROUP BY state",
  );
  const count = (state: string) => states.find((row) => row.state === state)?.n ?? 0;
  const pending = db.get<{ n: number; oldest: number | null }>(
    "SELECT count(*) AS n, min(received_at) AS oldest FROM events WHERE outcome IS NULL",
  );
  const parked = db.all<Parked>(
    `SELECT w.id, w.kind, s.session, w.reason, w.updated_at AS at FROM work w JOIN sessions s ON s.id = w.session
       WHERE w.state = 'parked' ORDER BY w.updated_at DESC, w.id DESC LIMIT 20`,
  );
  return {
    pendingEvents: pending?.n ?? 0,
    pendingWork: count("pending"),
    leasedWork: count("leased"),
    parkedWork: count("parked"),
    parked,
    silent: silentKinds(notedSince(db, now - silentMs)),
    counters,
    oldestPendingAt: pending?.oldest ?? null,
    bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    damaged: damagedFiles(path),
  };
}

/** By what was counted for each hint kept back. */
function silentKinds(noted: readonly NotedCount[]): SilentKind[] {
  const found = new Map<string, SilentKind>();
  for (const { project, name, count } of noted) {
    const [kind = "", what] = name.split(":");
    if (what !== "silent") continue;
    const key = `${project} ${kind}`;
    const one = found.get(key) ?? { project, kind, keptBack: 0 };
    found.set(key, one);
    one.keptBack += count;
  }
  return [...found.values()];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

// Counters of `status`: gathered in memory, written along with the next transaction, so that counting costs no write of its own.

import { statSync } from "node:fs";
import { damagedFiles } from "../../home/database/set-aside.ts";
import type { Database } from "../../host/sqlite.ts";
import type { JournalStatus, SilentKind, WorkKind } from "../ports.ts";
import { type NotedCount, notedSince } from "./told.ts";

export type Counters = ReturnType<typeof createCounters>;

/** Starts with nothing gathered. */
export function createCounters() {
  let gathered = new Map<string, number>();

  const add = (name: string, by = 1) => {
    gathered.set(name, (gathered.get(name) ?? 0) + by);
  };

  return {
    add,
    /** Stored and gathered together. */
    read(db: Database): Record<string, number> {
      const rows = db
        .prepare<{ name: string; n: number }>("SELECT name, n FROM counters ORDER BY name")
        .all();
      const counts: Record<string, number> = Object.fromEntries(
        rows.map(({ name, n }) => [name, n]),
      );
      for (const [name, n] of gathered) counts[name] = (counts[name] ?? 0) + n;
      return counts;
    },
    /** Runs `work` and writes the counters in one transaction; a throw leaves both as they were. */
    transaction<Result>(db: Database, work: () => Result): Result {
      const before = new Map(gathered);
      try {
        const result = db.transaction(() => {
          const worked = work();
          const upsert = db.prepare(
            "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
          );
          for (const counter of gathered) upsert.run(counter);
          return worked;
        });
        gathered = new Map();
        return result;
      } catch (error) {
        gathered = before;
        throw error;
      }
    },
  };
}

// The journal's part of `memoir status`.

/** What was kept back longer ago says nothing of now. */
const silentMs = 7 * 24 * 60 * 60_000;

/** Counts, the last 20 parked pieces, and sizes. */
export function journalStatus(
  db: Database,
  path: string,
  counters: Counters,
  now: number,
): JournalStatus {
  const states = db
    .prepare<{ state: string; n: number }>("SELECT state, count(*) AS n FROM work GROUP BY state")
    .all();
  const count = (state: string) => states.find((row) => row.state === state)?.n ?? 0;
  const pending = db
    .prepare<{ n: number; oldest: number | null }>(
      "SELECT count(*) AS n, min(received_at) AS oldest FROM events WHERE outcome IS NULL",
    )
    .get();
  const parked = db
    .prepare<{ id: number; kind: WorkKind; session: string; reason: string; at: number }>(
      `SELECT w.id, w.kind, s.session, w.reason, w.updated_at AS at FROM work w JOIN sessions s ON s.id = w.session
       WHERE w.state = 'parked' ORDER BY w.updated_at DESC, w.id DESC LIMIT 20`,
    )
    .all();
  return {
    pendingEvents: pending?.n ?? 0,
    pendingWork: count("pending"),
    leasedWork: count("leased"),
    parkedWork: count("parked"),
    parked,
    silent: silentKinds(notedSince(db, now - silentMs)),
    counters: counters.read(db),
    oldestPendingAt: pending?.oldest ?? null,
    bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    damaged: damagedFiles(path),
  };
}

/** By what was counted when a kind fell silent, and for each hint kept back since. */
function silentKinds(noted: readonly NotedCount[]): SilentKind[] {
  const found = new Map<string, SilentKind>();
  for (const { project, name, count } of noted) {
    const [kind = "", what] = name.split(":");
    if (what !== "silent" && what !== "fell-silent") continue;
    const key = `${project} ${kind}`;
    const one = found.get(key) ?? { project, kind, keptBack: 0 };
    found.set(key, one);
    if (what === "silent") one.keptBack += count;
  }
  return [...found.values()];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

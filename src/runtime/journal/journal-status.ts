// The journal's part of `memoir status`.
import { statSync } from "node:fs";
import { damagedFiles } from "../../home/database-file.ts";
import type { Database } from "../../host/sqlite.ts";
import type { JournalStatus, SilentKind, WorkKind } from "../ports.ts";
import type { Counters } from "./counters.ts";
import type { NotedCount } from "./noted-rows.ts";

/** Counts, the last 20 parked pieces, and sizes. */
export function journalStatus(
  db: Database,
  path: string,
  counters: Counters,
  noted: readonly NotedCount[],
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
    silent: silentKinds(noted),
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

// The worker's side of the journal, over the journal's way of reading and writing.
import type { Database } from "../../host/sqlite.ts";
import type { Counters } from "./counters.ts";
import * as events from "./event-rows.ts";
import { forgetPrompts, isForgotten, leaveNoName } from "./forget-prompts.ts";
import type { WorkLedger } from "./journal-types.ts";
import * as sessions from "./session-rows.ts";
import { bury, isBuried } from "./tombstones.ts";
import * as work from "./work-rows.ts";

/** How the journal is used: damage that shows is its own affair. */
interface JournalAccess {
  use<Result>(access: (db: Database) => Result): Result;
  /** In a transaction. */
  write<Result>(change: (db: Database) => Result): Result;
}

/** Every call is one read or one transaction. Long because it is the list of them. */
export function createWorkLedger(
  { use, write }: JournalAccess,
  counters: Counters,
  now: () => number,
): Omit<WorkLedger, "flushed"> {
  return {
    unfinished: () => use(sessions.unfinishedRows),
    rows: (session) => use((current) => sessions.sessionRows(current, session)),
    rowsOfProject: (project) => use((current) => sessions.projectRows(current, project)),
    state: (row) => use((current) => sessions.sessionState(current, row)),
    pending: (row) => use((current) => events.pendingEvents(current, row)),
    past: (row, from) => use((current) => events.promptPasts(current, row, from)),
    prompt: (row, number) => use((current) => events.promptEvent(current, row, number)),
    toolEvents: (row, number, limits) =>
      use((current) => events.toolEvents(current, row, number, limits)),
    turnEvents: (row, number, each) =>
      use((current) => events.turnEvents(current, row, number, each)),
    laterPrompts: (row, than, limit) =>
      use((current) => events.laterPrompts(current, row, than, limit)),
    lastStop: (row) => use((current) => events.lastStop(current, row)),
    forget: (row, numbers) => forgetForGood({ use, write }, row, numbers),
    forgetSession: (row) =>
      write((db) => {
        const toolUses = forgetPrompts(db, row);
        leaveNoName(db, row);
        return toolUses;
      }),
    bury: (forgotten) => write((db) => bury(db, forgotten)),
    isBuried: (one) => use((db) => isBuried(db, one)),
    isForgotten: (row, number) => use((current) => isForgotten(current, row, number)),
    toolUse: (id) => use((current) => events.toolUse(current, id)),
    unnotified: () => use(events.unnotified),
    markNotified: (seqs) =>
      write((current) => {
        const mark = current.prepare("UPDATE events SET told = 1 WHERE seq = ? AND told = 0");
        for (const seq of seqs) mark.run([seq]);
      }),

    plan: (row, plan) => write((current) => work.writePlan(current, row, plan, now())),
    lease: (row, until, storage) =>
      write((current) => {
        const session = sessions.sessionState(current, row);
        return session
          ? work.leaseNext(current, session, { until, storage, now: now() })
          : { state: "none" };
      }),
    putsIn: (piece, storage) =>
      write((current) => {
        if (!work.holdsLease(current, piece)) return false;
        current.prepare("UPDATE work SET storage = ? WHERE id = ?").run([storage, piece.id]);
        return true;
      }),
    renew: (piece, until) =>
      write((current) => {
        if (!work.holdsLease(current, piece)) return false;
        current.prepare("UPDATE work SET lease_until = ? WHERE id = ?").run([until, piece.id]);
        return true;
      }),
    finish: (piece, outcomes) =>
      write((current) =>
        work.holdsLease(current, piece)
          ? work.finishWork(current, counters, piece, outcomes, now())
          : undefined,
      ),
    fail: (piece, reason, at, mayBeStored = false) =>
      write((current) => {
        if (!work.holdsLease(current, piece)) return undefined;
        if (at === null) return work.parkWork(current, counters, piece, reason, now());
        work.postponeWork(current, piece, reason, at, { now: now(), mayBeStored });
        return [];
      }),
    hasOpenWork: (row) =>
      use((current) =>
        Boolean(
          current
            .prepare("SELECT 1 FROM work WHERE session = ? AND state IN ('pending', 'leased')")
            .get([row]),
        ),
      ),
    retryParked: (ids) => write((current) => work.unparkWork(current, ids, now())),
    releaseLeases: () =>
      write((current) => {
        current.exec("UPDATE work SET lease_until = 0 WHERE state = 'leased'");
      }),
  };
}

/** Overwritten and emptied: else the words would stay in the files. */
function forgetForGood(
  { use, write }: JournalAccess,
  row: number,
  numbers: readonly number[] | undefined,
): string[] {
  use((db) => db.exec("PRAGMA secure_delete = ON"));
  const toolUses = write((db) => forgetPrompts(db, row, numbers));
  use((db) =>
    db.exec(
      "PRAGMA secure_delete = OFF; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)",
    ),
  );
  return toolUses;
}

// Which sessions work now: of those that are ready some at a time; each plans and runs one piece, then others come.
import { setImmediate } from "node:timers";
import type { Log } from "../../home/log.ts";
import type { Journal } from "../journal/journal.ts";

import type { Pieces } from "./piece.ts";
import type { SessionPlanner } from "./plan.ts";
import type { Timers } from "./worker-types.ts";

interface ScheduleDeps {
  journal: Pick<Journal, "hasOpenWork">;
  planner: SessionPlanner;
  pieces: Pieces;
  log: Log;
  /** Epoch ms. */
  now: () => number;
  timers: Timers;
  /** Sessions worked on at the same time. */
  concurrency: number;
  /** Whether somebody waits for what is done here: then nothing goes first. */
  isWanted(): boolean;
  /** Called after each piece. */
  ended(): void;
  /** Called when a look finds nothing under way. */
  idle(): void;
}

/** A journal that cannot be used is asked again after this long. */
export const journalRetryMs = 15_000;

/** Pieces of work let hooks go first for at most this long. */
const hookFirstMs = 200;

export type Schedule = ReturnType<typeof createSchedule>;

/** Nothing begins before `start`. Long because its short steps share which sessions run and what is planned of them. */
export function createSchedule(deps: ScheduleDeps) {
  const { journal, planner, pieces, log, now, concurrency } = deps;
  const agenda = createAgenda(now, deps.timers, (rows) => {
    plans.drop(rows);
    schedule();
  });
  const plans = createStandingPlans(planner, now);
  const running = new Map<number, Promise<void>>();
  let state: "new" | "working" | "stopped" = "new";
  const { schedule, letHookGoFirst, hurry, stop } = createBeginning(deps, begin);

  function begin(): void {
    if (state !== "working") return;
    while (state === "working" && running.size < concurrency) {
      const row = agenda.take((other) => running.has(other));
      if (row === undefined) break;
      const done = serve(row).finally(() => {
        running.delete(row);
        deps.ended();
        schedule();
      });
      running.set(row, done);
    }
    if (running.size === 0) deps.idle();
  }

  /** Plans the session, unless its plan stands, and runs one piece of it. */
  async function serve(row: number): Promise<void> {
    try {
      const { dueAt, stood } = plans.take(row);
      const lease = journal.hasOpenWork(row) ? pieces.lease(row) : { state: "none" as const };
      if (lease.state === "leased") {
        plans.keep(row, dueAt);
        if (!(await pieces.run(lease.work))) plans.drop([row]);
        agenda.add(row);
        return;
      }
      const at = lease.state === "later" ? Math.min(lease.at, dueAt ?? lease.at) : dueAt;
      // What came after a plan that stands has a time of its own.
      if (stood && at !== null) agenda.addBy(row, at);
      else if (!stood) agenda.addAt(row, at);
    } catch (error) {
      plans.drop([row]);
      if (state === "stopped") return;
      log.error("The journal could not be worked on; trying again soon.", { error });
      agenda.addAt(row, now() + journalRetryMs);
    }
  }

  return {
    /** Pieces of work begin from here on. */
    start(): void {
      state = "working";
      schedule();
    },
    /** These sessions are ready. */
    wake(rows: readonly number[]): void {
      plans.drop(rows);
      for (const row of rows) agenda.add(row);
      schedule();
      if (deps.isWanted()) hurry();
    },
    /** Until the returned function is called a hook goes first: pieces begin afterwards, or when they have waited for a moment. */
    letHookGoFirst,
    /** Somebody waits from now on: pieces that let others go first begin. */
    hurry,
    wakeBy: agenda.addBy,
    rank: agenda.rank,
    /** Sessions that work: to the journal one may be finished, while listeners are notified of it. */
    running: () => [...running.keys()],
    /** True while a session waits, works, or has more to do. */
    isBusy: (row: number) => agenda.has(row) || running.has(row) || journal.hasOpenWork(row),
    /** Nothing begins any more; resolves when what runs has ended. */
    async stop(): Promise<void> {
      state = "stopped";
      agenda.clear();
      stop();
      await Promise.all(running.values());
    },
  };
}

/** When pieces begin: at the end of a tick, once nobody goes first any more or has gone first for long enough. */
function createBeginning(
  { timers, isWanted }: Pick<ScheduleDeps, "timers" | "isWanted">,
  begin: () => void,
) {
  let isScheduled = false;
  let held = 0;
  /** Cancels the end of the patience with which pieces let others go first. */
  let patience: (() => void) | undefined;

  function go(): void {
    patience = undefined;
    isScheduled = false;
    begin();
  }

  function hurry(): void {
    if (!patience) return;
    patience();
    patience = undefined;
    setImmediate(go);
  }

  return {
    /** Events of one tick are planned together. */
    schedule(): void {
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        if (held > 0 && !isWanted()) patience = timers.set(go, hookFirstMs);
        else go();
      });
    },
    letHookGoFirst(): () => void {
      held++;
      return () => {
        held--;
        if (held === 0) hurry();
      };
    },
    hurry,
    stop: (): void => patience?.(),
  };
}

/** The plans of sessions of which a piece was taken: each stands until something is added to it or its time has come. */
function createStandingPlans(planner: SessionPlanner, now: () => number) {
  const standing = new Map<number, number | null>();
  return {
    /** When time alone makes more of the session's plan, which is made anew unless it stood. */
    take(row: number): { dueAt: number | null; stood: boolean } {
      const dueAt = standing.get(row);
      standing.delete(row);
      if (dueAt === null || (dueAt !== undefined && dueAt > now())) return { dueAt, stood: true };
      return { dueAt: planner.plan(row), stood: false };
    },
    keep: (row: number, dueAt: number | null) => void standing.set(row, dueAt),
    drop(rows: readonly number[]) {
      for (const row of rows) standing.delete(row);
    },
  };
}

// Which sessions are ready to be worked on, which are being worked on, and which become due by time alone.

/** One alarm is set, for the earliest due time; `ring` is called with the sessions that became ready by it. */
export function createAgenda(
  now: () => number,
  timers: Timers,
  ring: (rows: readonly number[]) => void,
) {
  const ready = new Set<number>();
  const later = new Set<number>();
  const due = new Map<number, number>();
  let alarm: { at: number; cancel: () => void } | undefined;

  function setAlarm(): void {
    const at = Math.min(...due.values());
    if (alarm?.at === at) return;
    alarm?.cancel();
    alarm = Number.isFinite(at)
      ? { at, cancel: timers.set(whenDue, Math.max(0, at - now())) }
      : undefined;
  }

  function whenDue(): void {
    alarm = undefined;
    const time = now();
    const rows = [...due].flatMap(([row, at]) => (at > time ? [] : [row]));
    for (const row of rows) {
      due.delete(row);
      ready.add(row);
    }
    setAlarm();
    ring(rows);
  }

  return {
    /** Work on this session as soon as there is room. */
    add: (row: number): void => {
      ready.add(row);
    },
    /** At this time at the latest; null for never. Replaces an earlier time. */
    addAt(row: number, at: number | null): void {
      if (at === null) due.delete(row);
      else due.set(row, at);
      setAlarm();
    },
    /** At this time at the latest; an earlier time stands. */
    addBy(row: number, at: number): void {
      if ((due.get(row) ?? Number.POSITIVE_INFINITY) <= at) return;
      due.set(row, at);
      if (alarm === undefined || at < alarm.at) setAlarm();
    },
    has: (row: number) => ready.has(row),
    /** Whether this session lets all others go first. */
    rank(row: number, isLater: boolean): void {
      if (isLater) later.add(row);
      else later.delete(row);
    },
    /** Takes the session that has been ready for longest, skipping those `isBusy`; one ranked later only when there is no other. */
    take(isBusy: (row: number) => boolean): number | undefined {
      const free = [...ready].filter((row) => !isBusy(row));
      const row = free.find((one) => !later.has(one)) ?? free[0];
      if (row !== undefined) ready.delete(row);
      return row;
    },
    /** No alarm from here on. */
    clear(): void {
      ready.clear();
      due.clear();
      setAlarm();
    },
  };
}

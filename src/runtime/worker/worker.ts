// The worker: each session's events become stored records, in order; sessions side by side. Woken, never polling.
import { clearTimeout, setTimeout } from "node:timers";
import type { Log } from "../../home/log.ts";
import type { Settled } from "../../sdk/work.ts";
import type { Journal } from "../journal/journal.ts";
import { runObserve } from "./observation.ts";
import { createPieces, defaultRetryDelaysMs, type Pieces } from "./piece.ts";
import { createSessionPlanner } from "./plan.ts";
import { createSchedule, journalRetryMs, type Schedule } from "./schedule.ts";
import { runPrompt, runSummarizePrompt, runSummarizeSession } from "./summary.ts";
import { runTurn } from "./turn.ts";
import type { DrainRequest, Timers, WorkerDeps, WorkerOptions } from "./worker-types.ts";

/** What an absent option means. */
export const workerDefaults: WorkerOptions = {
  quietMs: 10 * 60_000,
  idleMs: 30 * 60_000,
  maxToolUses: 200,
  maxBytes: 4 * 1024 * 1024,
  concurrency: 4,
  leaseMs: 30_000,
  retryDelaysMs: defaultRetryDelaysMs,
  keepMs: 7 * 24 * 60 * 60_000,
};

/** setTimeout fires at once for anything longer. */
const longestAlarmMs = 2 ** 31 - 1;

/** A pending alarm keeps no process alive. One further away than 24 days rings early; whoever set it looks and sets it again. */
const systemTimers: Timers = {
  set(callback, ms) {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), longestAlarmMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * In the order in which a prompt meets them, the last at the session's end. An `observe` that somebody waits for goes before all
 * that was planned.
 */
const runners: Parameters<typeof createPieces>[0]["runners"] = {
  prompt: runPrompt,
  turn: runTurn,
  observe: runObserve,
  "summarize-prompt": runSummarizePrompt,
  "summarize-session": runSummarizeSession,
};

/** Planning reads all that a session has gathered: tool uses that come in a row are planned together. */
const gatherMs = 250;
const stopWaitMs = 5_000;

/** Turns journaled events into stored records: each session in order, several sessions at a time. */
export type Worker = ReturnType<typeof createWorker>;

/** Nothing runs before `start`. Long because it is the list of what a worker does; the doing is in the parts it is made of. */
export function createWorker(deps: WorkerDeps) {
  const { journal, log, now } = deps;
  const timers = deps.timers ?? systemTimers;
  const options: WorkerOptions = { ...workerDefaults, ...deps.options };
  let state: "new" | "working" | "stopped" = "new";

  const drains = createDrains(timers);
  const waiters = createWaiters(timers);
  const pruning = createPruning(journal, options.keepMs, { log, now });
  const planner = createSessionPlanner({ journal, now, limits: options, waiting: waiters.ids });
  const pieces = createPieces({
    ...deps,
    runners,
    timers,
    options,
    random: deps.random ?? Math.random,
    isStopped: () => state === "stopped",
    ended: waiters.settle,
  });
  const schedule = createSchedule({
    ...{ journal, planner, pieces, log, now, timers },
    concurrency: options.concurrency,
    isWanted: () => waiters.isAny() || drains.isAny(),
    ended: drains.look,
    idle: pruning.begin,
  });

  const left = createTakingUp({
    ...{ journal, schedule: schedule, pieces, log, timers },
    isWorking: () => state === "working",
    ended: drains.look,
  });

  const guarded = createGuard(log, () => state === "stopped");

  return {
    /** Takes up what an earlier run left, then works on what it is woken for. */
    start(): void {
      if (state !== "new") return;
      state = "working";
      schedule.start();
      left.takeUp();
    },
    /** Something was appended for this client session id. */
    wake(session: string, how?: WakeHow): void {
      if (state !== "working") return;
      const rows = how?.row === undefined ? guarded(() => journal.rows(session), []) : [how.row];
      for (const row of rows) schedule.rank(row, how?.later === true);
      if (!how?.gathers || waiters.isAny()) schedule.wake(rows);
      else for (const row of rows) schedule.wakeBy(row, now() + gatherMs);
    },
    /** True once the asked scope (everything, when empty) has no open work and nothing to plan; false after `timeoutMs`. */
    async drain(request: DrainRequest): Promise<boolean> {
      if (state === "stopped") return false;
      const rows = guarded(() => unfinishedIn(request, journal, schedule.running()), []);
      if (request.flush) for (const row of rows) planner.flush(row);
      schedule.wake(rows);
      const isBusy = busyIn(request, journal, schedule);
      const isDone = () => !left.notifying() && guarded(() => !isBusy(), false);
      const drained = drains.add(isDone, request.timeoutMs);
      schedule.hurry();
      return drained;
    },
    /**
     * Until the returned function is called a hook is being answered: what nobody waits for begins afterwards, or when it
     * has waited for a moment.
     */
    letHookGoFirst: schedule.letHookGoFirst,
    /** Observes this tool use at once, alone, and resolves with how it ended; undefined after `timeoutMs`. */
    async waitFor(toolUseId: string, timeoutMs: number): Promise<Settled | undefined> {
      const known = guarded(() => journal.toolUse(toolUseId), undefined);
      if (known?.settled) return known.settled;
      if (state === "stopped") return undefined;
      const settled = waiters.add(toolUseId, timeoutMs);
      if (known) schedule.wake([known.row]);
      return settled;
    },
    /** A tool use ended without the worker (a capture plugin dropped it): whoever waits for it is notified. */
    settled: waiters.settle,
    /** Puts parked work back; answers how many pieces. */
    retryParked(ids?: readonly number[]): number {
      const rows = journal.retryParked(ids);
      schedule.wake(rows);
      return rows.length;
    },
    /** Begins nothing new and waits up to 5 s for what runs; a lease that is left expires. */
    async stop(): Promise<void> {
      if (state === "stopped") return;
      state = "stopped";
      const ended = schedule.stop();
      waiters.release();
      drains.release();
      await atMost(stopWaitMs, Promise.all([ended, pruning.idle(), left.notifying()]), timers);
    },
  };
}

/** How a session is woken. */
interface WakeHow {
  /** It may wait until everything else is done. */
  later?: boolean;
  /** Nothing but a tool use that joins others, so that a moment's delay plans many at once. */
  gathers?: boolean;
  /** The journal's number for the session, where it is known. */
  row?: number | undefined;
}

/** Reads the journal where an error must not reach the caller. */
function createGuard(log: Log, isStopped: () => boolean) {
  return <Result>(read: () => Result, otherwise: Result): Result => {
    try {
      return read();
    } catch (error) {
      if (!isStopped()) log.error("The journal could not be read.", { error });
      return otherwise;
    }
  };
}

interface TakingUpDeps {
  journal: Pick<Journal, "releaseLeases" | "unfinished" | "unnotified">;
  schedule: Schedule;
  pieces: Pieces;
  log: Log;
  timers: Timers;
  isWorking(): boolean;
  /** Called once listeners were notified. */
  ended(): void;
}

/** What an earlier run left: its leases, its unfinished sessions, and what it settled and did not say. */
function createTakingUp(deps: TakingUpDeps) {
  const { journal, schedule, pieces, log, timers } = deps;
  let notifying: Promise<void> | undefined;

  function takeUp(): void {
    if (!deps.isWorking()) return;
    try {
      journal.releaseLeases();
      schedule.wake(journal.unfinished());
      notifying = pieces
        .notify(journal.unnotified())
        .catch((error: unknown) =>
          log.error("Listeners could not be notified of settled tool uses.", { error }),
        )
        .finally(() => {
          notifying = undefined;
          deps.ended();
        });
    } catch (error) {
      log.error("The journal could not be taken up; trying again soon.", { error });
      timers.set(takeUp, journalRetryMs);
    }
  }

  return { takeUp, notifying: () => notifying };
}

/** Sessions of the asked scope that have open work or are being worked on. */
function unfinishedIn(
  { session, project }: DrainRequest,
  journal: Pick<Journal, "unfinished" | "rows" | "rowsOfProject">,
  running: readonly number[],
): number[] {
  let rows = new Set([...journal.unfinished(), ...running]);
  if (session !== undefined) rows = rows.intersection(new Set(journal.rows(session)));
  if (project !== undefined) rows = rows.intersection(new Set(journal.rowsOfProject(project)));
  return [...rows];
}

/** Gives what says whether a session of the asked scope is busy. As long as one that was busy still is, the others need not be looked up. */
function busyIn(request: DrainRequest, journal: Journal, schedule: Schedule): () => boolean {
  let busy: number | undefined;
  return () => {
    if (busy === undefined || !schedule.isBusy(busy))
      busy = unfinishedIn(request, journal, schedule.running()).findLast(schedule.isBusy);
    return busy !== undefined;
  };
}

/** Resolves with `work`, or without it, by the clock that the worker was given. */
function atMost(ms: number, work: Promise<unknown>, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.set(resolve, ms);
    work.then(() => {
      cancel();
      resolve();
    });
  });
}

// Who waits: for a tool use to end, or for work to be done.

/** Those who wait for tool uses. */
export function createWaiters(timers: Timers) {
  const waiting = new Map<string, Set<(settled: Settled | undefined) => void>>();

  /** Resolves with how it ended, or undefined after `timeoutMs` or when all are released. */
  function add(toolUseId: string, timeoutMs: number): Promise<Settled | undefined> {
    return new Promise((resolve) => {
      const finish = (settled: Settled | undefined) => {
        cancel();
        const others = waiting.get(toolUseId);
        others?.delete(finish);
        if (others?.size === 0) waiting.delete(toolUseId);
        resolve(settled);
      };
      const cancel = timers.set(() => finish(undefined), timeoutMs);
      const all = waiting.get(toolUseId) ?? new Set();
      waiting.set(toolUseId, all.add(finish));
    });
  }

  return {
    add,
    ids: (): ReadonlySet<string> => new Set(waiting.keys()),
    isAny: () => waiting.size > 0,
    settle(settled: Settled): void {
      for (const finish of [...(waiting.get(settled.toolUseId) ?? [])]) finish(settled);
    },
    release(): void {
      for (const all of [...waiting.values()]) for (const finish of [...all]) finish(undefined);
    },
  };
}

/** Those who wait until work is done. */
export function createDrains(timers: Timers) {
  const waiting = new Set<{ look(): void; finish(isDrained: boolean): void }>();

  return {
    /** Resolves true once `isDone` holds at a look, false after `timeoutMs` or when all are released. */
    add: (isDone: () => boolean, timeoutMs: number) =>
      new Promise<boolean>((resolve) => {
        const wait = {
          look: () => {
            if (isDone()) wait.finish(true);
          },
          finish(isDrained: boolean) {
            waiting.delete(wait);
            cancel();
            resolve(isDrained);
          },
        };
        const cancel = timers.set(() => wait.finish(false), timeoutMs);
        waiting.add(wait);
        wait.look();
      }),
    /** Something ended: everybody looks whether that was all. */
    look(): void {
      for (const wait of [...waiting]) wait.look();
    },
    isAny: () => waiting.size > 0,
    release(): void {
      for (const wait of [...waiting]) wait.finish(false);
    },
  };
}

// What happens last: deletes old events of finished work, now and then, while nothing else is to be done.

const everyMs = 60 * 60_000;

/** `keepMs`: how long events of finished work are kept. */
export function createPruning(
  journal: Pick<Journal, "prune">,
  keepMs: number,
  { log, now }: { log: Log; now: () => number },
) {
  let prunedAt = 0;
  let underWay: Promise<void> | undefined;

  async function prune(): Promise<void> {
    try {
      const events = await journal.prune(keepMs);
      if (events > 0) log.info("Old events of finished work were deleted.", { events });
    } catch (error) {
      log.warn("Old events could not be deleted.", { error });
    } finally {
      underWay = undefined;
    }
  }

  return {
    /** Starts when the last time is long ago and none is under way. */
    begin(): void {
      if (underWay || now() - prunedAt < everyMs) return;
      prunedAt = now();
      underWay = prune();
    },
    /** Resolves when none is under way. */
    idle: async () => underWay,
  };
}

// The worker: each session's events become stored records, in order; sessions side by side. Woken, never polling.
import { setImmediate } from "node:timers";
import { createAgenda } from "./agenda.ts";
import { createPieces } from "./pieces.ts";
import { plan } from "./planner.ts";
import { defaultRetryDelaysMs } from "./retry-delay.ts";
import { systemTimers } from "./timers.ts";
import { createWaiters } from "./waiters.ts";
import type {
  DrainRequest,
  PlanLimits,
  Worker,
  WorkerDeps,
  WorkerOptions,
} from "./worker-types.ts";

export type { Worker, WorkerOptions } from "./worker-types.ts";

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

/** A journal that cannot be used is asked again after this long. */
const journalRetryMs = 15_000;
/** What comes after a session's end came late, out of the spool; there is no prompt left to gather for. */
const stragglerMs = 5_000;
/** Planning reads all that a session has gathered: tool uses that come in a row are planned together. */
const gatherMs = 250;
const pruneEveryMs = 60 * 60_000;
const stopWaitMs = 5_000;

/** Nothing runs before `start`. */
export function createWorker(deps: WorkerDeps): Worker {
  const { journal, log, now } = deps;
  const timers = deps.timers ?? systemTimers;
  const options: WorkerOptions = { ...workerDefaults, ...deps.options };
  const endedLimits: PlanLimits = {
    ...options,
    quietMs: Math.min(options.quietMs, stragglerMs),
    idleMs: Math.min(options.idleMs, stragglerMs),
  };

  const agenda = createAgenda(now, timers, schedule);
  const waiters = createWaiters(timers);
  const pieces = createPieces({
    ...deps,
    timers,
    options,
    random: deps.random ?? Math.random,
    isStopped: () => state === "stopped",
    ended: waiters.settle,
  });
  const running = new Map<number, Promise<void>>();
  /** Sessions whose gathered tool events are closed at their next planning. */
  const flushing = new Set<number>();
  /** Looked at whenever a session has been worked on. */
  const drains = new Set<() => void>();
  let state: "new" | "working" | "stopped" = "new";
  let scheduled = false;
  let prunedAt = 0;
  let pruning: Promise<void> | undefined;
  /** What an earlier run did not notify of. */
  let notifying: Promise<void> | undefined;

  /** Events of one tick are planned together. */
  function schedule(): void {
    if (scheduled || state !== "working") return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startTurns();
    });
  }

  function startTurns(): void {
    while (state === "working" && running.size < options.concurrency) {
      const row = agenda.take((other) => running.has(other));
      if (row === undefined) break;
      const done = turn(row).finally(() => {
        running.delete(row);
        for (const look of [...drains]) look();
        schedule();
      });
      running.set(row, done);
    }
    if (running.size === 0) prune();
  }

  /** Plans the session and runs one piece of it; then others have their turn. */
  async function turn(row: number): Promise<void> {
    try {
      const dueAt = planSession(row);
      const lease = journal.hasOpenWork(row) ? pieces.lease(row) : { state: "none" as const };
      if (lease.state === "leased") {
        await pieces.run(lease.work);
        agenda.add(row);
      } else if (lease.state === "later") agenda.addAt(row, Math.min(lease.at, dueAt ?? lease.at));
      else agenda.addAt(row, dueAt);
    } catch (error) {
      if (state === "stopped") return;
      log.error("The journal could not be worked on; trying again soon.", { error });
      agenda.addAt(row, now() + journalRetryMs);
    }
  }

  /** Answers when time alone makes more of it. */
  function planSession(row: number): number | null {
    const flush = flushing.delete(row);
    const session = journal.state(row);
    if (!session) return null;
    const events = journal.pending(row);
    const first = events.reduce((least, event) => Math.min(least, event.promptNumber), Infinity);
    const planned = plan({
      events,
      past: events.length === 0 ? new Map() : journal.past(row, first),
      prompts: session.prompts,
      lastActivity: session.lastActivity,
      summarizedSeq: session.summarizedSeq,
      lastReceivedAt: session.lastReceivedAt,
      now: now(),
      limits: session.endedAt === null ? options : endedLimits,
      waiting: waiters.ids(),
      flush,
    });
    if (planned.works.length > 0 || planned.settled.length > 0) journal.plan(row, planned);
    return planned.dueAt;
  }

  function prune(): void {
    if (pruning || now() - prunedAt < pruneEveryMs) return;
    prunedAt = now();
    pruning = journal
      .prune(options.keepMs)
      .then(
        (events) => {
          if (events > 0) log.info("Old events of finished work were deleted.", { events });
        },
        (error: unknown) => log.warn("Old events could not be deleted.", { error }),
      )
      .finally(() => {
        pruning = undefined;
      });
  }

  /** Reads the journal where an error must not reach the caller. */
  function guarded<Result>(read: () => Result, otherwise: Result): Result {
    try {
      return read();
    } catch (error) {
      if (state !== "stopped") log.error("The journal could not be read.", { error });
      return otherwise;
    }
  }

  function rowsOf({ session, project }: DrainRequest): number[] {
    const unfinished = journal.unfinished();
    const scopes = [
      ...(session === undefined ? [] : [new Set(journal.rows(session))]),
      ...(project === undefined ? [] : [new Set(journal.rowsOfProject(project))]),
    ];
    return unfinished.filter((row) => scopes.every((scope) => scope.has(row)));
  }

  function isBusy(row: number): boolean {
    return agenda.has(row) || running.has(row) || journal.hasOpenWork(row);
  }

  /** What an earlier run left: its leases, its unfinished sessions, and what it did not come to tell. */
  function takeUp(): void {
    if (state !== "working") return;
    try {
      journal.releaseLeases();
      wakeRows(journal.unfinished());
      notifying = pieces
        .notify(journal.unnotified())
        .catch((error: unknown) =>
          log.error("Listeners could not be notified of settled tool uses.", { error }),
        )
        .finally(() => {
          notifying = undefined;
          for (const look of [...drains]) look();
        });
    } catch (error) {
      log.error("The journal could not be taken up; trying again soon.", { error });
      timers.set(takeUp, journalRetryMs);
    }
  }

  function wakeRows(rows: readonly number[]): void {
    for (const row of rows) agenda.add(row);
    schedule();
  }

  return {
    start() {
      if (state !== "new") return;
      state = "working";
      takeUp();
    },
    wake(session, how) {
      if (state !== "working") return;
      const rows = guarded(() => journal.rows(session), []);
      for (const row of rows) agenda.rank(row, how?.later === true);
      if (!how?.gathers || waiters.ids().size > 0) wakeRows(rows);
      else for (const row of rows) agenda.addBy(row, now() + gatherMs);
    },
    drain(request) {
      return new Promise((resolve) => {
        const finish = (drained: boolean) => {
          drains.delete(look);
          cancel();
          resolve(drained);
        };
        const look = () => {
          if (state === "stopped") finish(false);
          else if (!notifying && guarded(() => !rowsOf(request).some(isBusy), false)) finish(true);
        };
        const cancel = timers.set(() => finish(false), request.timeoutMs);
        drains.add(look);
        const rows = guarded(() => rowsOf(request), []);
        if (request.flush) for (const row of rows) flushing.add(row);
        wakeRows(rows);
        look();
      });
    },
    async waitFor(toolUseId, timeoutMs) {
      const known = guarded(() => journal.toolUse(toolUseId), undefined);
      if (known?.settled) return known.settled;
      if (state === "stopped") return undefined;
      const settled = waiters.add(toolUseId, timeoutMs);
      if (known) wakeRows([known.row]);
      return settled;
    },
    settled: waiters.settle,
    retryParked(ids) {
      const rows = journal.retryParked(ids);
      wakeRows(rows);
      return rows.length;
    },
    async stop() {
      if (state === "stopped") return;
      state = "stopped";
      agenda.clear();
      waiters.letGo();
      for (const look of [...drains]) look();
      const finished = Promise.all([...running.values(), pruning, notifying]);
      await new Promise<void>((resolve) => {
        const cancel = timers.set(resolve, stopWaitMs);
        finished.then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

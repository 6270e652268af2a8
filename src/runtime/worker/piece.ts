// One piece of work from lease to end: run, renewed, finished or tried again or parked, and listeners notified.

import { errorMessage } from "../../home/describe-error.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Settled } from "../../sdk/work.ts";
import type { Unnotified } from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { Lease, LeasedWork } from "../journal/work.ts";
import type { WorkKind } from "../ports.ts";
import { runObserve } from "./observation.ts";
import {
  isForgotten,
  mayBeStored,
  type RunContext,
  type RunResult,
  refuseOtherStorage,
  retryAt,
  StorageChanged,
  storageInForce,
  toToolUse,
} from "./stored.ts";
import { runPrompt, runSummarizePrompt, runSummarizeSession } from "./summary.ts";
import { runTurn } from "./turn.ts";
import type { Timers, WorkerDeps, WorkerOptions } from "./worker-types.ts";

interface PieceDeps extends WorkerDeps {
  options: WorkerOptions;
  timers: Timers;
  random: () => number;
  isStopped: () => boolean;
  /** Called for each tool use as it ends, before any listener. */
  ended: (settled: Settled) => void;
}

const runners: Record<WorkKind, (context: RunContext) => Promise<RunResult>> = {
  prompt: runPrompt,
  turn: runTurn,
  observe: runObserve,
  "summarize-prompt": runSummarizePrompt,
  "summarize-session": runSummarizeSession,
};

const longestReason = 500;

export type Pieces = ReturnType<typeof createPieces>;

/** The life of pieces, over one journal. Long because it is the life of a piece, from lease to end. */
export function createPieces(deps: PieceDeps) {
  const { journal, hooks, log, now, options } = deps;

  /**
   * Resolves when the piece's end is committed and listeners are notified; true when it was done, and was still ours.
   * Rejects only when the journal failed.
   */
  async function run(work: LeasedWork): Promise<boolean> {
    const session = journal.state(work.row);
    if (!session) return false;
    const stopRenewing = renewLease(work, deps);
    try {
      const { contexts, turns } = deps;
      const context = {
        work,
        session,
        journal,
        hooks: hooks(),
        log,
        ...(contexts && { contexts }),
        ...(turns && { turns }),
      };
      let result: RunResult;
      try {
        // A put that outlived a plan would be planned, and put, once more under other keys.
        await journal.planned();
        refuseEndless(work, options.retryDelaysMs.length + 1);
        refuseOtherStorage(work, storageInForce(context.hooks));
        result = isForgotten(journal, work)
          ? leaveOut(work, journal)
          : nothingLeft(work)
            ? { outcomes: new Map() }
            : await runners[work.kind](context);
      } catch (error) {
        await notify(fail(work, error));
        return false;
      }
      // `stored` goes out while the end is written: after a crash in between the piece runs and says it again.
      const stored = result.notice && context.hooks.parallel("stored", result.notice);
      const unnotified = journal.finish(work, result.outcomes);
      if (!unnotified)
        log.warn("A piece of work was taken over before it was finished.", about(work));
      await Promise.all([stored, notify(unnotified ?? [])]);
      return unnotified !== undefined;
    } finally {
      stopRenewing();
    }
  }

  function fail(work: LeasedWork, error: unknown): Unnotified[] {
    const at =
      error instanceof StorageChanged
        ? null
        : retryAt(work.attempt, now(), options.retryDelaysMs, deps.random());
    // A provider that said when to come back is not asked sooner.
    const notBefore = error instanceof MemoirError ? now() + (error.retryAfterMs ?? 0) : 0;
    const fields = { ...about(work), attempt: work.attempt, error };
    if (at === null) log.error("A piece of work was parked.", fields);
    else log.warn("A piece of work failed and will be tried again.", fields);
    return (
      journal.fail(
        work,
        errorMessage(error).slice(0, longestReason),
        at && Math.max(at, notBefore),
        mayBeStored(error),
      ) ?? []
    );
  }

  /** Notifies listeners of tool uses that ended. Marked only afterwards: after a crash a listener may hear of a tool use twice, never not at all. */
  async function notify(unnotified: readonly Unnotified[]): Promise<void> {
    if (unnotified.length === 0) return;
    for (const { settled } of unnotified) deps.ended(settled);
    const current = hooks();
    await Promise.all(unnotified.map(({ settled }) => current.parallel("settled", settled)));
    journal.markNotified(unnotified.map(({ seq }) => seq));
  }

  return {
    /** Takes the session's next piece, if it has one that may run now. */
    lease: (row: number): Lease =>
      journal.lease(row, now() + options.leaseMs, storageInForce(hooks())),
    run,
    notify,
  };
}

/** Renews the lease until the returned function is called. */
function renewLease(work: LeasedWork, deps: PieceDeps): () => void {
  const { journal, log, now, options, timers } = deps;
  const every = options.leaseMs / 3;
  let cancel = timers.set(renew, every);
  function renew(): void {
    if (deps.isStopped()) return;
    try {
      if (!journal.renew(work, now() + options.leaseMs)) return;
    } catch (error) {
      log.warn("A lease could not be renewed.", { ...about(work), error });
    }
    cancel = timers.set(renew, every);
  }
  return () => cancel();
}

/** Of what is forgotten, events that came since are emptied too. */
function leaveOut(work: LeasedWork, journal: Pick<Journal, "forget">): RunResult {
  if (work.kind !== "summarize-session") journal.forget(work.row, [work.promptNumber]);
  const skipped = { outcome: "skipped", reason: "forgotten" } as const;
  return { outcomes: new Map(work.events.map(({ seq }) => [seq, skipped])) };
}

/** A failed attempt is counted when it fails; one that took the whole process with it, only here. */
function refuseEndless({ attempt }: LeasedWork, most: number): void {
  if (attempt > most)
    throw new Error(`Each of ${most} attempts was broken off; the server ended while it ran.`);
}

/** Prompts and tool uses are nothing but their events: where none of those can be read, nobody is asked about them. */
function nothingLeft({ kind, events, unreadable }: LeasedWork): boolean {
  if (unreadable.length === 0) return false;
  if (kind === "observe") return !events.some(({ event }) => toToolUse(event));
  return kind === "prompt" && events.length === 0;
}

function about(work: LeasedWork): Record<string, unknown> {
  return { work: work.id, kind: work.kind, session: work.session };
}

// One piece of work from lease to end: run, renewed, finished or tried again or parked, and listeners notified; and what running one needs
// whatever its kind: when it is tried again, how records are put, what strategies see of tool uses and sessions.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { StoredNotice } from "../../sdk/hooks.ts";
import type {
  NewObservation,
  NewSummary,
  Project,
  Records,
  SessionUpdate,
} from "../../sdk/model.ts";
import type { Settled, ToolUse, WorkSession } from "../../sdk/work.ts";
import { longestRetryAfterMs } from "../budget/breaker.ts";
import type { ReadContexts } from "../context/read-contexts.ts";
import { withoutForgotten } from "../events/forgotten.ts";
import type { Unnotified } from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { SessionState } from "../journal/planning.ts";
import type { Lease, LeasedWork, ToolOutcome } from "../journal/work.ts";
import type { Hooks, JournalEvent, JournalSession, WorkKind } from "../ports.ts";
import type { ReadTurn, Timers, WorkerDeps, WorkerOptions } from "./worker-types.ts";

interface PieceDeps extends WorkerDeps {
  /** What is done for each kind. */
  runners: Record<WorkKind, (context: RunContext) => Promise<RunResult>>;
  options: WorkerOptions;
  timers: Timers;
  random: () => number;
  isStopped: () => boolean;
  /** Called for each tool use as it ends, before any listener. */
  ended: (settled: Settled) => void;
}

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
      const { readContexts, readTurn } = deps;
      const context = {
        work,
        session,
        journal,
        hooks: hooks(),
        log,
        ...(readContexts && { readContexts }),
        ...(readTurn && { readTurn }),
      };
      let result: RunResult;
      try {
        // A put that outlived a plan would be planned, and put, once more under other keys.
        await journal.plansOnDisk();
        refuseEndless(work, options.retryDelaysMs.length + 1);
        refuseOtherStorage(work, storageInForce(context.hooks));
        result = isForgotten(journal, work)
          ? leaveOut(work, journal)
          : nothingLeft(work)
            ? { outcomes: new Map() }
            : await deps.runners[work.kind](context);
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

// Whether and when a piece of work is tried again: a pure policy.

/** So many attempts are made with the model before the next strategy takes over. */
const attempts = 3;

/**
 * True when the piece shall be tried again as a whole, and not be done by whoever comes next in the slot: the fault passes
 * soon, and nobody waits for this piece.
 */
export function canWait(work: Pick<LeasedWork, "attempt" | "waiting">, error: unknown): boolean {
  const retryAfterMs = error instanceof MemoirError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || retryAfterMs > longestRetryAfterMs) return false;
  return !work.waiting && work.attempt < attempts;
}

/** Default waits before the second, third, … attempt. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * The time of the next attempt, or null to park. `attempt` is the one that failed (1 is the first); `random` spreads
 * retries over ± 20 % of the delay, so that sessions that failed together do not return together.
 */
export function retryAt(
  attempt: number,
  now: number,
  delaysMs: readonly number[],
  random: number,
): number | null {
  const delay = delaysMs[attempt - 1];
  return delay === undefined ? null : now + Math.round(delay * (0.8 + 0.4 * random));
}

export interface RunContext {
  work: LeasedWork;
  session: SessionState;
  journal: Journal;
  hooks: Hooks;
  log: Log;
  readContexts?: ReadContexts;
  readTurn?: ReadTurn;
}

/** How the piece ended: its tool uses, by seq, and what was stored. */
export interface RunResult {
  outcomes: ReadonlyMap<number, ToolOutcome>;
  notice?: StoredNotice;
}

/**
 * Stores all of `records` under the piece's key; rejects with `storage_unanswered` when nobody took them. A repeat
 * after a crash writes nothing: the notice then has what was stored the first time, which a model may have worded
 * differently, and its listeners are notified again (at least once, not at most).
 */
export async function putRecords(
  { work, session, hooks, journal }: RunContext,
  project: string,
  made: Records,
): Promise<StoredNotice> {
  if (isForgotten(journal, work))
    return { session: session.session, project, observations: [], summaries: [] };
  // Config may have changed since the lease; a crash after the put must not leave the wrong storage noted.
  const storage = storageInForce(hooks);
  refuseOtherStorage(work, storage);
  if (storage !== work.storage && !journal.putsIn(work, storage))
    throw new MemoirError("internal", "The piece of work was taken over by somebody else.");
  // Work on what a transcript brought again may make what was forgotten by itself.
  const records = journal.hasForgotten() ? withoutForgotten(made, journal) : made;
  // By the slot `storage` (`sqlite` in `plugins/registry.ts`), whose plugin `builtins.ts` imports.
  const answer = await hooks.first("storage.put", { key: work.key, records });
  if (!answer) throw new MemoirError("storage_unanswered", "No storage plugin took the records.");
  const { written, observations, summaries } = answer.result;
  const stored =
    !written && (await hooks.first("storage.get", { ids: [...observations, ...summaries] }));
  if (stored)
    return {
      session: session.session,
      project,
      observations: stored.result.flatMap(({ kind, record }) =>
        kind === "observation" ? [record] : [],
      ),
      summaries: stored.result.flatMap(({ kind, record }) => (kind === "summary" ? [record] : [])),
    };
  return {
    session: session.session,
    project,
    observations: withIds<NewObservation>(records.observations, observations),
    summaries: withIds<NewSummary>(records.summaries, summaries),
  };
}

/** True for work on what the user had forgotten; a session's summary is, once all its prompts are. */
export function isForgotten(
  journal: Pick<Journal, "isForgotten">,
  { kind, row, promptNumber }: LeasedWork,
): boolean {
  return journal.isForgotten(row, kind === "summarize-session" ? undefined : promptNumber);
}

function withIds<New>(
  records: readonly New[] | undefined,
  ids: readonly string[],
): Array<New & { id: string }> {
  return (records ?? []).flatMap((record, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...record, id }];
  });
}

// Who takes records now, and whether a failed put leaves it open where they are.

/** Everybody who listens to `storage.put`, in order: with a plugin around it, a changed storage is still another word. Empty: nobody. */
export function storageInForce(hooks: Pick<Hooks, "subscriptions">): string {
  return hooks
    .subscriptions("storage.put")
    .map(({ plugin }) => plugin)
    .join(", ");
}

/** The storage was broken off, or did not say in time how it went: everything may be written, or nothing. */
const unclear: ReadonlySet<ErrorCode> = new Set([
  "plugin_deadline",
  "plugin_ended",
  "plugin_memory",
]);

/** True when the records of an attempt that failed like this may be stored all the same. */
export function mayBeStored(error: unknown): boolean {
  return error instanceof MemoirError && error.hook === "storage.put" && unclear.has(error.code);
}

/**
 * An attempt that ended with an error stored nothing (a put is atomic), so the next may go anywhere; one that was broken
 * off, by a crash or in its put, may have stored all of it, and storing it again somewhere else is the user's decision.
 */
export function refuseOtherStorage(
  { interruptedIn }: Pick<LeasedWork, "interruptedIn">,
  current: string,
): void {
  if (interruptedIn !== null && interruptedIn !== current)
    throw new StorageChanged(interruptedIn, current);
}

/** Parks at once: no later attempt would end otherwise. */
class StorageChanged extends Error {
  constructor(before: string, current: string) {
    super(
      `A broken-off attempt may have stored this in ${before}, and ${current || "no storage"} is in use now. Retry it once \`slots.storage\` names the one that should get it.`,
    );
  }
}

// A client event as a tool use: what strategies are given.

/** PostToolUse and PostToolUseFailure; undefined for other events. */
export function toToolUse(event: ClientEvent): ToolUse | undefined {
  if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return undefined;
  const shared = {
    id: event.toolUseId,
    name: event.toolName,
    input: event.toolInput,
    time: event.time,
    cwd: event.cwd,
    ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
    ...(event.agent && { agent: event.agent }),
    ...(event.withheld && { withheld: true }),
  };
  if (event.name === "PostToolUse") return { ...shared, response: event.toolResponse };
  return { ...shared, error: event.error, ...(event.isInterrupt && { interrupted: true }) };
}

// A journal session as strategies see it, and as storage keeps it.

/** The session with the checkout (root, branch) of the newest of `events` that lies in its project. */
export function workSession(
  session: JournalSession,
  events: readonly JournalEvent[] = [],
): WorkSession {
  const { id, root } = session.project;
  // Which repository a folder is of may turn out later: what was done in it before lies there too, on the branch of its time.
  const lies = (project?: Project) => project?.id === id || project?.root === root;
  const here = events.findLast(({ event }) => lies(event.project))?.event.project;
  const project: Project = here ? { ...here, id, name: session.project.name } : session.project;
  return {
    id: session.session,
    client: session.client,
    project,
    ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
  };
}

/** What storage should know of the session; title and subtitle only where there are new ones. */
export function sessionUpdate(
  session: JournalSession,
  project: Project,
  titles: { title?: string | undefined; subtitle?: string | undefined } = {},
): SessionUpdate {
  return {
    id: session.session,
    client: session.client,
    project,
    ...(titles.title && { title: titles.title }),
    ...(titles.subtitle && { subtitle: titles.subtitle }),
    prompts: session.prompts,
    status: session.endedAt === null ? "active" : "ended",
    ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
    startedAt: session.startedAt,
    lastActiveAt: session.lastEventAt,
    endedAt: session.endedAt,
  };
}

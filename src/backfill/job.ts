// A backfill under way in the server: sessions one after the other, newest first, with progress, until done or stopped.
import * as v from "valibot";
import { errorMessage } from "../home/describe-error.ts";
import type { Log } from "../home/log.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { SessionFiles } from "../transcript/discover.ts";
import { type Counts, feedSession, type Recoverer } from "./feed-session.ts";

/** What a backfill was asked to do. */
interface BackfillRequest {
  /** As found on the disk, in the order in which they are read. */
  sessions: SessionFiles[];
  /** No model may be asked about them. */
  modelFree: boolean;
}

const doneOf = v.object({ done: v.number(), total: v.number() });

/** How it is doing. */
export const ProgressSchema = v.object({
  state: v.picklist(["running", "done", "stopped", "failed"]),
  sessions: doneOf,
  /** Bytes read, and in all. */
  bytes: doneOf,
  /** Events by what became of them. */
  events: v.object({
    committed: v.number(),
    recovered: v.number(),
    delivered: v.number(),
    dropped: v.number(),
  }),
  /** Sessions whose work goes on after the end: it failed and is tried again later. */
  unsettled: v.number(),
  /** Sessions that could not be read, with the reason; at most 20. */
  failures: v.array(v.object({ session: v.string(), reason: v.string() })),
  /** Epoch ms. */
  startedAt: v.number(),
  endedAt: v.nullable(v.number()),
});
export type BackfillProgress = v.InferOutput<typeof ProgressSchema>;

interface BackfillJob {
  /** Also says that somebody still wants it. */
  progress(): BackfillProgress;
  /** Resolves once the session under way is left where it is. */
  stop(): Promise<void>;
  /** Resolves at the end, whatever the end. */
  ended: Promise<void>;
}

export interface JobDeps {
  runtime: Recoverer;
  home: string;
  log: Log;
  /** Epoch ms. */
  now(): number;
  /** Sessions read at a time. Default 1, so that two runs store the same in the same order. */
  parallel?: number;
}

/** A job that nobody asks after stops after so long: the command that began it is gone. */
const abandonedMs = 60_000;
const mostFailures = 20;

/** Begins at once. */
export function startBackfill(request: BackfillRequest, deps: JobDeps): BackfillJob {
  const { now, log } = deps;
  const stopping = new AbortController();
  const progress: BackfillProgress = {
    state: "running",
    sessions: { done: 0, total: request.sessions.length },
    bytes: { done: 0, total: request.sessions.reduce((sum, { bytes }) => sum + bytes, 0) },
    events: { committed: 0, recovered: 0, delivered: 0, dropped: 0 },
    unsettled: 0,
    failures: [],
    startedAt: now(),
    endedAt: null,
  };
  let askedAt = now();
  const queue = [...request.sessions];

  function checkWanted(): void {
    if (now() - askedAt > abandonedMs) stopping.abort();
    stopping.signal.throwIfAborted();
  }

  async function one(files: SessionFiles): Promise<void> {
    try {
      const fed = await feedSession(files, {
        ...deps,
        reader: "backfill",
        modelFree: request.modelFree,
        signal: stopping.signal,
        onBytes(bytes) {
          progress.bytes.done += bytes;
        },
      });
      for (const kind of Object.keys(fed.counts) as Array<keyof Counts>)
        progress.events[kind] += fed.counts[kind];
      if (!fed.settled) progress.unsettled++;
    } catch (error) {
      stopping.signal.throwIfAborted();
      const { session } = files;
      log.warn("a transcript was not imported", { session, error });
      if (progress.failures.length < mostFailures)
        progress.failures.push({ session, reason: errorMessage(error) });
    }
    progress.sessions.done++;
  }

  async function line(): Promise<void> {
    for (let files = queue.shift(); files; files = queue.shift()) {
      checkWanted();
      await one(files);
    }
  }

  async function run(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: deps.parallel ?? 1 }, line));
      progress.state = "done";
    } catch (error) {
      progress.state = stopping.signal.aborted ? "stopped" : "failed";
      if (progress.state === "failed") log.error("the backfill ended early", { error });
    } finally {
      progress.endedAt = now();
    }
  }

  const ended = run();
  return {
    progress() {
      askedAt = now();
      return structuredClone(progress);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
    ended,
  };
}

// At most one backfill at a time in a server.

export interface Backfills {
  /** Throws MemoirError `backfill_running` while another one runs. */
  start(request: BackfillRequest): BackfillProgress;
  /** Of the one that runs or ran last; undefined before the first. */
  progress(): BackfillProgress | undefined;
  /** Leaves off where it is; does nothing when none runs. */
  stop(): Promise<void>;
}

/** None runs before `start`. */
export function createBackfills(deps: JobDeps): Backfills {
  let job: BackfillJob | undefined;
  return {
    start(request) {
      if (job?.progress().state === "running")
        throw new MemoirError("backfill_running", "A backfill is in progress in this home.");
      job = startBackfill(request, deps);
      return job.progress();
    },
    progress: () => job?.progress(),
    stop: async () => job?.stop(),
  };
}

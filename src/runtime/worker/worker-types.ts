// What the worker is given, and the knobs it has.

import type { Moment, PromptMark } from "../../evidence/moment.ts";
import type { Log } from "../../home/log.ts";
import type { WorkSession } from "../../sdk/work.ts";
import type { ReadContexts } from "../context/read-contexts.ts";
import type { Journal } from "../journal/journal.ts";
import type { Hooks } from "../ports.ts";

/** When accumulated tool events become a batch. */
export interface PlanLimits {
  /** A prompt that has been quiet for this long is observed without its Stop. Default 10 min. */
  quietMs: number;
  /** A session without SessionEnd that has been silent for this long is summarized. Default 30 min. */
  idleMs: number;
  /** Tool uses in one batch. Default 200. */
  maxToolUses: number;
  /** Payload bytes in one batch. Default 4 MB. */
  maxBytes: number;
}

/** Every option has a default. */
export interface WorkerOptions extends PlanLimits {
  /** Sessions worked on at the same time. Default 4. */
  concurrency: number;
  /** A lease that is not renewed ends after this long. Default 30 s. */
  leaseMs: number;
  /** Waits before the second, third, … attempt; parked after the last. Default 1 s, 5 s, 30 s, 2 min, 10 min. */
  retryDelaysMs: readonly number[];
  /** How long events of finished work are kept. Default 7 days. */
  keepMs: number;
}

/** The clock's alarm, replaceable in tests. `set` answers a function that cancels. */
export interface Timers {
  set(callback: () => void, ms: number): () => void;
}

export interface WorkerDeps {
  journal: Journal;
  /** Asked anew for each piece of work, so that a reload takes effect between pieces. */
  hooks: () => Hooks;
  log: Log;
  /** Reads the conversation around tool uses; without it they have none. */
  readContexts?: ReadContexts;
  /** Reads what only the transcript tells of a turn; without it no turns are made. */
  readTurn?: ReadTurn;
  /** Epoch ms. */
  now: () => number;
  options?: Partial<WorkerOptions>;
  timers?: Timers;
  /** 0 ≤ n < 1, for the jitter of retries. */
  random?: () => number;
}

export interface DrainRequest {
  /** Client session id. */
  session?: string;
  /** `Project.id`. */
  project?: string;
  timeoutMs: number;
  /** Also closes what an open prompt has gathered so far. */
  flush?: boolean;
}

/** Which turn is wanted. */
export interface WantedTurn {
  /** Makes the texts' way through capture this piece of work's own. */
  key: string;
  session: WorkSession;
  cwd: string;
  /** The turn's prompt, then those after it. */
  marks: readonly PromptMark[];
  /** Where to begin reading, in bytes: at the prompt's line or before it. */
  from: number;
  /** Where to end; absent where that is not known. */
  to?: number | undefined;
  /** Epoch ms of the newest of its events that a hook brought; absent where none did. */
  heardAt?: number | undefined;
  /** False while only its prompt is known: its client may not have written the file yet, and nobody need hear that it is missing. Absent: true. */
  hasBegun?: boolean;
  relative(path: string): string;
}

/** Moments of the turn in the order of the file; undefined when there is no transcript to be read. */
export type ReadTurn = (wanted: WantedTurn) => Promise<Moment[] | undefined>;

// What the worker promises, and the knobs it has.

import type { Log } from "../../home/log.ts";
import type { Settled } from "../../sdk/work.ts";
import type { ReadContexts } from "../context/read-contexts.ts";
import type { ReadTurn } from "../context/read-turn.ts";
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
  contexts?: ReadContexts;
  /** Reads what only the transcript tells of a turn; without it no turns are made. */
  turns?: ReadTurn;
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

/** Turns journaled events into stored records: each session in order, several sessions at a time. */
export interface Worker {
  /** Takes up what an earlier run left, then works on what it is woken for. */
  start(): void;
  /**
   * Something was appended for this client session id. `later`: it may wait until everything else is done. `gathers`:
   * nothing but a tool use that joins others, so that a moment's delay plans many at once. `row`: the journal's number
   * for the session, where it is known.
   */
  wake(
    session: string,
    how?: { later?: boolean; gathers?: boolean; row?: number | undefined },
  ): void;
  /**
   * Until the returned function is called a hook is being answered: what nobody waits for begins afterwards, or when it
   * has waited for a moment.
   */
  hold(): () => void;
  /** True once the asked scope (everything, when empty) has no open work and nothing to plan; false after `timeoutMs`. */
  drain(request: DrainRequest): Promise<boolean>;
  /** Observes this tool use at once, alone, and resolves with how it ended; undefined after `timeoutMs`. */
  waitFor(toolUseId: string, timeoutMs: number): Promise<Settled | undefined>;
  /** A tool use ended without the worker (a capture plugin dropped it): whoever waits for it is notified. */
  settled(settled: Settled): void;
  /** Puts parked work back; answers how many pieces. */
  retryParked(ids?: readonly number[]): number;
  /** Begins nothing new and waits up to 5 s for what runs; a lease that is left expires. */
  stop(): Promise<void>;
}

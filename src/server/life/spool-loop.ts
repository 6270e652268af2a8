// Keeps the spool empty while the server runs, and lets what waits there go before what comes in.

import type { Log } from "../../home/log.ts";
import { drainSpool, isAnySpooled, spooledFiles } from "../../runtime/events/spool.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";

interface SpoolLoopOptions {
  folder: string;
  handle(event: ClientEvent): Promise<unknown>;
  log: Log;
  now(): number;
  /** Called when events that waited were taken, all of them. Must not reject. */
  emptied?(): Promise<void>;
  /** Told of each file that held no event, once it is kept aside in `rejected`. */
  rejected?(name: string): void;
  /** Called at each look, after the spool. Must not reject. */
  afterLook?(): Promise<void>;
  /** Milliseconds between two looks. Default 2,000. */
  everyMs?: number;
}

export type SpoolLoop = ReturnType<typeof startSpoolLoop>;

const defaultEveryMs = 2_000;
/** How long after a start, or after hooks met a server that did not answer, live events let the spool go first. */
const settlingMs = 10_000;
/** How long one live event waits for the spool. */
const beforeMs = 250;
/** The hook command gives up after this and spools; what a server that hung finds in its sockets is older, in no order, and all of it waits in the spool too. */
const lateMs = 1_000;
const beforeLateMs = 5_000;
/** A spool that cannot be emptied is looked at ever more seldom, up to this. */
const slowestMs = 60_000;

/** Starts looking at once. */
export function startSpoolLoop(options: SpoolLoopOptions) {
  const { folder, handle, log, now } = options;
  const everyMs = options.everyMs ?? defaultEveryMs;
  let settledAt = now() + settlingMs;
  let pause = everyMs;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pass: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      const { drained, rejected, failed } = await drainSpool(folder, handle, log, options.rejected);
      if (drained + rejected > 0) log.info("spool drained", { drained, rejected, failed });
      pause = failed > 0 ? Math.min(pause * 2, slowestMs) : everyMs;
      if (drained > 0 && failed === 0) await whole();
    } catch (error) {
      log.warn("spool not readable", { error });
      pause = Math.min(pause * 2, slowestMs);
    }
  };
  /** A hook that looked just before may be writing its event to the spool still, while the next is answered. */
  const whole = async () => {
    settledAt = now() + settlingMs;
    await options.emptied?.();
  };
  /** Takes everything in that waits now; joins a pass that is under way. Never rejects. */
  const drain = (): Promise<void> => {
    pass ??= run().finally(() => {
      pass = undefined;
    });
    return pass;
  };
  const schedule = () => {
    if (stopped) return;
    timer = setTimeout(async () => {
      await drain();
      await options.afterLook?.();
      schedule();
    }, pause);
  };
  schedule();
  return {
    drain,
    /**
     * Before an event that came in live, with its own time in epoch ms: older events may still wait, in the first
     * seconds after a start, whenever the event was long on its way, and when it `looks` whether a server that did not
     * answer is well again. Takes a bounded time.
     */
    async before(time: number, looks = false): Promise<void> {
      const isLate = looks || now() - time > lateMs;
      if (!isLate && (now() > settledAt || (!pass && !isAnySpooled(folder)))) return;
      await within(isLate ? beforeLateMs : beforeMs, drain(), undefined);
    },
    /** Files that wait. */
    waiting: async () => (await spooledFiles(folder)).length,
    /** Waits for the pass under way and ends the loop. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await pass;
    },
  };
}

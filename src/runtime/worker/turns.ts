// Whose turn it is: sessions that are ready, some at a time; each plans and runs one piece, then others come.
import { setImmediate } from "node:timers";
import type { Log } from "../../home/log.ts";
import type { Journal } from "../journal/journal-types.ts";
import { createAgenda } from "./agenda.ts";
import type { Pieces } from "./pieces.ts";
import type { SessionPlanner } from "./session-planner.ts";
import type { Timers } from "./worker-types.ts";

export interface TurnsDeps {
  journal: Pick<Journal, "hasOpenWork">;
  planner: SessionPlanner;
  pieces: Pieces;
  log: Log;
  /** Epoch ms. */
  now: () => number;
  timers: Timers;
  /** Sessions worked on at the same time. */
  concurrency: number;
  /** Called after each turn. */
  ended(): void;
  /** Called when a look finds nothing under way. */
  idle(): void;
}

export interface Turns {
  /** Turns begin from here on. */
  start(): void;
  /** These sessions are ready. */
  wake(rows: readonly number[]): void;
  /** This session is ready at this time at the latest. */
  wakeBy(row: number, at: number): void;
  /** Whether this session lets all others go first. */
  rank(row: number, later: boolean): void;
  /** True while a session waits for its turn, has it, or has more to do. */
  isBusy(row: number): boolean;
  /** Nothing begins any more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** A journal that cannot be used is asked again after this long. */
export const journalRetryMs = 15_000;

/** Nothing begins before `start`. */
export function createTurns(deps: TurnsDeps): Turns {
  const { journal, planner, pieces, log, now, concurrency } = deps;
  const agenda = createAgenda(now, deps.timers, schedule);
  const running = new Map<number, Promise<void>>();
  let state: "new" | "working" | "stopped" = "new";
  let isScheduled = false;

  /** Events of one tick are planned together. */
  function schedule(): void {
    if (isScheduled || state !== "working") return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
    });
  }

  function begin(): void {
    while (state === "working" && running.size < concurrency) {
      const row = agenda.take((other) => running.has(other));
      if (row === undefined) break;
      const done = turn(row).finally(() => {
        running.delete(row);
        deps.ended();
        schedule();
      });
      running.set(row, done);
    }
    if (running.size === 0) deps.idle();
  }

  /** Plans the session and runs one piece of it. */
  async function turn(row: number): Promise<void> {
    try {
      const dueAt = planner.plan(row);
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

  return {
    start() {
      state = "working";
      schedule();
    },
    wake(rows) {
      for (const row of rows) agenda.add(row);
      schedule();
    },
    wakeBy: agenda.addBy,
    rank: agenda.rank,
    isBusy: (row) => agenda.has(row) || running.has(row) || journal.hasOpenWork(row),
    async stop() {
      state = "stopped";
      agenda.clear();
      await Promise.all(running.values());
    },
  };
}

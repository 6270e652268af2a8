// Who waits: for a tool use to end, or for work to be done.
import type { Settled } from "../../sdk/work.ts";
import type { Timers } from "./worker-types.ts";

/** Those who wait for tool uses. */
interface Waiters {
  /** Resolves with how it ended, or undefined after `timeoutMs` or when all are let go. */
  add(toolUseId: string, timeoutMs: number): Promise<Settled | undefined>;
  ids(): ReadonlySet<string>;
  isAny(): boolean;
  settle(settled: Settled): void;
  letGo(): void;
}

/** Starts with nobody waiting. */
export function createWaiters(timers: Timers): Waiters {
  const waiting = new Map<string, Set<(settled: Settled | undefined) => void>>();

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
    ids: () => new Set(waiting.keys()),
    isAny: () => waiting.size > 0,
    settle(settled) {
      for (const finish of [...(waiting.get(settled.toolUseId) ?? [])]) finish(settled);
    },
    letGo() {
      for (const all of [...waiting.values()]) for (const finish of [...all]) finish(undefined);
    },
  };
}

/** Those who wait until work is done. */
interface Drains {
  /** Resolves true once `isDone` holds at a look, false after `timeoutMs` or when all are let go. */
  add(isDone: () => boolean, timeoutMs: number): Promise<boolean>;
  /** Something ended: everybody looks whether that was all. */
  look(): void;
  isAny(): boolean;
  letGo(): void;
}

/** Starts with nobody waiting. */
export function createDrains(timers: Timers): Drains {
  const waiting = new Set<{ look(): void; finish(isDrained: boolean): void }>();

  return {
    add: (isDone, timeoutMs) =>
      new Promise((resolve) => {
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
    look() {
      for (const wait of [...waiting]) wait.look();
    },
    isAny: () => waiting.size > 0,
    letGo() {
      for (const wait of [...waiting]) wait.finish(false);
    },
  };
}

// Who waits until work is done.
import type { Timers } from "./worker-types.ts";

export interface Drains {
  /** Resolves true once `isDone` holds at a look, false after `timeoutMs` or when all are let go. */
  add(isDone: () => boolean, timeoutMs: number): Promise<boolean>;
  /** Something ended: everybody looks whether that was all. */
  look(): void;
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
    letGo() {
      for (const wait of [...waiting]) wait.finish(false);
    },
  };
}

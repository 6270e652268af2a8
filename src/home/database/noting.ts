// Brings the ledger up to date while a database is written to: at once, then no sooner than five seconds later, and once more after the last write.
import { clearTimeout, setTimeout } from "node:timers";

const everyMs = 5_000;

interface Noting {
  /** Something was written. Resolves when that is noted, where it is noted at once. */
  written(): Promise<void>;
  /** Notes nothing any more. */
  stop(): void;
}

/** `note` is asked for the count of this moment; that it failed costs the knowledge, nothing else. */
export function createNoting(note: () => Promise<unknown>, now: () => number): Noting {
  let notedAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function noteNow(): Promise<void> {
    notedAt = now();
    await note();
  }

  return {
    async written() {
      // A clock that was set back says nothing of how long ago it was.
      if (Math.abs(now() - notedAt) >= everyMs) return await noteNow();
      if (waiting !== undefined) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        noteNow().catch(() => undefined);
      }, everyMs);
      waiting.unref();
    },
    stop: () => clearTimeout(waiting),
  };
}

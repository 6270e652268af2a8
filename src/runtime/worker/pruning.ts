// Deletes old events of finished work, now and then, while nothing else is to be done.
import type { Log } from "../../home/log.ts";
import type { Journal } from "../journal/journal-types.ts";

interface Pruning {
  /** Starts when the last time is long ago and none is under way. */
  begin(): void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

const everyMs = 60 * 60_000;

/** `keepMs`: how long events of finished work are kept. */
export function createPruning(
  journal: Pick<Journal, "prune">,
  keepMs: number,
  { log, now }: { log: Log; now: () => number },
): Pruning {
  let prunedAt = 0;
  let underWay: Promise<void> | undefined;

  async function prune(): Promise<void> {
    try {
      const events = await journal.prune(keepMs);
      if (events > 0) log.info("Old events of finished work were deleted.", { events });
    } catch (error) {
      log.warn("Old events could not be deleted.", { error });
    } finally {
      underWay = undefined;
    }
  }

  return {
    begin() {
      if (underWay || now() - prunedAt < everyMs) return;
      prunedAt = now();
      underWay = prune();
    },
    idle: async () => underWay,
  };
}

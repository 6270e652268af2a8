// Group commit: items that arrive in the same ticks, or while a commit is under way, share the next transaction.
import { setImmediate } from "node:timers/promises";

interface GroupCommitOptions {
  /** Waits until what was committed is on disk, where a commit itself does not. When it fails, the whole group rejects. */
  flush?(): Promise<void>;
  maxGroup?: number;
}

/** How long a group gathers. */
const ticks = 2;

/**
 * `commit` writes a group in one transaction and answers a result for each item, in order. Items that come until a group
 * is on disk are the next group.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  { flush, maxGroup = 512 }: GroupCommitOptions = {},
) {
  interface Queued {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  const queue: Queued[] = [];
  let running: Promise<void> | undefined;

  /** False when a group of several failed: nobody was answered. */
  async function settle(group: Queued[]): Promise<boolean> {
    let results: Result[];
    try {
      results = await commit(group.map(({ item }) => item));
    } catch (error) {
      if (group.length > 1) return false;
      group[0]?.reject(error);
      return true;
    }
    try {
      await flush?.();
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gathered();
      const group = queue.splice(0, maxGroup);
      if (!(await settle(group))) for (const queued of group) await settle([queued]);
    }
    running = undefined;
  }

  /**
   * A commit costs as much for one as for many. But a group that waits for all who are under way leaves nobody to work on
   * while it is brought to the disk: it takes what comes in two ticks, and the next group gathers meanwhile.
   */
  async function gathered(): Promise<void> {
    let seen = 0;
    for (let tick = 0; tick < ticks && queue.length > seen && queue.length < maxGroup; tick++) {
      seen = queue.length;
      await setImmediate();
    }
  }

  return {
    /** Resolves with the item's own result once it is committed and on disk. A group that fails is committed one by one, so that an item rejects for its own reasons only. */
    add: (item: Item) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= run();
      }),
    /** Resolves when nothing is queued or under way. */
    idle: async (): Promise<void> => {
      while (running) await running;
    },
  };
}

// Group commit: items that arrive while a tick or a commit is under way share the next transaction.
import { setImmediate } from "node:timers/promises";

export interface GroupCommit<Item, Result> {
  /** Resolves with the item's own result once it is committed. A group that fails is committed one by one, so that an item rejects for its own reasons only. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void>;
}

/** `commit` writes a group in one transaction and answers a result for each item, in order. */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  maxGroup = 512,
): GroupCommit<Item, Result> {
  interface Queued {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  const queue: Queued[] = [];
  let running: Promise<void> | undefined;

  /** False when a group of several failed: nobody was answered. */
  async function settle(group: Queued[]): Promise<boolean> {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
      return true;
    } catch (error) {
      if (group.length > 1) return false;
      group[0]?.reject(error);
      return true;
    }
  }

  async function run(): Promise<void> {
    await setImmediate();
    while (queue.length > 0) {
      const group = queue.splice(0, maxGroup);
      if (!(await settle(group))) for (const queued of group) await settle([queued]);
      if (queue.length > 0) await setImmediate();
    }
    running = undefined;
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= run();
      }),
    idle: async () => {
      while (running) await running;
    },
  };
}

// When the work in the background goes on after a failure.
import { expect, test } from "bun:test";
import type { VectorStore } from "../../../plugins/semantic-search/store.ts";
import { type Embedding, startWork } from "../../../plugins/semantic-search/work.ts";

import type { StorageClient } from "../../../src/sdk/context.ts";
import type { Turn } from "../../../src/sdk/turn.ts";

test("pauses grow from failure to failure, and are short again after a success", async () => {
  const failures = Promise.withResolvers<number[]>();
  const paused: number[] = [];
  const outcomes = ["fails", "fails", "fails", "succeeds", "fails"];
  const storage = {
    turns: async () => [],
    get: async () => [],
    async stats() {
      if (outcomes.shift() === "fails") throw new Error("locked");
      return { turns: 0 };
    },
  } as unknown as StorageClient;
  const store = {
    note: () => "done",
    turns: () => 0,
    open: () => [],
  } as unknown as VectorStore;
  const work = startWork({
    ...{ storage, store, embedding: {} as Embedding, caughtUp: () => undefined },
    pauses: { start: 0, look: 0, retry: 1 },
    failed(_, pauseMs) {
      paused.push(pauseMs);
      if (paused.length === 4) failures.resolve(paused);
    },
  });
  expect(await failures.promise).toEqual([1, 2, 4, 1]);
  await work.stop();
});

/** Work over so many turns (the newest has the highest time), until all have vectors; what was asked and kept. */
async function caughtUp(count: number, kept: Record<string, string> = {}, known: string[] = []) {
  const turns = Array.from(
    { length: count },
    (_, at) => ({ id: `t${count - at}`, startedAt: count - at }) as Turn,
  );
  const asked: object[] = [];
  const embedded: string[] = [];
  const removed: string[] = [];
  const notes = new Map(Object.entries(kept));
  const done = Promise.withResolvers<void>();
  const storage = {
    async turns(query: { limit: number; offset: number; until?: number }) {
      asked.push(query);
      return turns
        .filter(({ startedAt }) => startedAt < (query.until ?? Infinity))
        .slice(query.offset, query.offset + query.limit);
    },
    get: async ({ ids }: { ids: string[] }) =>
      turns.filter(({ id }) => ids.includes(id)).map((record) => ({ kind: "turn", record })),
    stats: async () => ({ turns: count }),
  } as unknown as StorageClient;
  const store = {
    note: (name: string) => notes.get(name),
    setNote: (name: string, value: string) => notes.set(name, value),
    turns: () => count,
    open: () => [],
    missedBy: () => known,
    remove: (ids: string[]) => removed.push(...ids),
  } as unknown as VectorStore;
  const embedding = {
    keep: async (some: Turn[]) => void embedded.push(...some.map(({ id }) => id)),
  } as unknown as Embedding;
  const work = startWork({
    ...{ storage, store, embedding, caughtUp: done.resolve },
    failed: (error) => done.reject(error),
    pauses: { start: 0, page: 0 },
  });
  await done.promise;
  await work.stop();
  return { asked, embedded, removed, notes: Object.fromEntries(notes) };
}

test.each([0, 1, 49, 50, 51, 120])(
  "of %i turns each is met, the newest first, fifty at once",
  async (count) => {
    const { embedded, notes } = await caughtUp(count);
    expect([...new Set(embedded)]).toEqual(
      Array.from({ length: count }, (_, at) => `t${count - at}`),
    );
    expect(notes).toEqual({ sweep: "1", sweeping: "done" });
  },
);

test("a look that was broken off goes on where it was, under the number that it had", async () => {
  const { asked, embedded, notes } = await caughtUp(120, { sweep: "7", sweeping: "31" });
  expect(asked[0]).toMatchObject({ until: 31, offset: 0, order: "newest" });
  expect([embedded[0], embedded.length, notes.sweep]).toEqual(["t30", 30, "7"]);
});

test("of turns that a look did not meet only those go that storage does not know", async () => {
  const gone = Array.from({ length: 60 }, (_, at) => `gone${at}`);
  expect((await caughtUp(3, {}, ["t2", ...gone])).removed).toEqual(gone);
});

test("a stop waits for what is under way, and nothing is kept afterwards", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const kept: string[] = [];
  const storage = {
    async turns({ session }: { session?: string }) {
      if (session === undefined) return [];
      begun.resolve();
      await go.promise;
      return [{ id: "t1", startedAt: 1 }];
    },
    ...{ get: async () => [], stats: async () => ({ turns: 0 }) },
  } as unknown as StorageClient;
  const work = startWork({
    storage,
    store: { note: () => "done", turns: () => 0, open: () => [] } as unknown as VectorStore,
    embedding: { keep: async () => void kept.push("kept") } as unknown as Embedding,
    ...{ caughtUp: () => undefined, failed: () => undefined },
    pauses: { start: 60_000 },
  });
  work.wake("s1");
  await begun.promise;
  let isStopped = false;
  const stopped = work.stop().then(() => {
    isStopped = true;
  });
  await Bun.sleep(0);
  expect(isStopped).toBe(false);
  go.resolve();
  await stopped;
  expect(kept).toEqual([]);
});

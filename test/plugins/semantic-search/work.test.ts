// When the work in the background goes on after a failure.
import { expect, test } from "bun:test";
import type { Embedding } from "../../../plugins/semantic-search/embedding.ts";
import type { VectorStore } from "../../../plugins/semantic-search/store.ts";
import { startWork } from "../../../plugins/semantic-search/work.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";

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

// A plugin's storage after its stop: refused, once those who are under way were answered.
import { expect, test } from "bun:test";
import { storageForLife } from "../../../src/runtime/hooks/ask-storage.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";

test("its end waits for what is under way, also where that fails, and refuses what comes then", async () => {
  const gate = Promise.withResolvers<never[]>();
  const asked: string[] = [];
  const { storage, end } = storageForLife(
    {
      turns: () => {
        asked.push("turns");
        return gate.promise;
      },
      stats: async () => ({}),
    } as unknown as StorageClient,
    "mine",
  );
  const turns = storage.turns({});
  await storage.stats({});
  let ended = false;
  const ending = end().then(() => {
    ended = true;
  });
  await expect(storage.turns({})).rejects.toMatchObject({
    code: "plugin_failed",
    plugin: "mine",
    message: "plugin mine used storage after its stop",
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([ended, asked]).toEqual([false, ["turns"]]);
  gate.reject(new Error("locked"));
  await expect(turns).rejects.toThrow("locked");
  await ending;
  expect(ended).toBe(true);
});

// What a plugin is given: its own log, a storage and a model that wait for the start to be over, and what is kept from it.
import { expect, test } from "bun:test";
import { bindContext, type ContextTools } from "../../../src/runtime/hooks/ask-storage.ts";
import type { CompletionRequest } from "../../../src/sdk/provider.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";
import { sampleMemory } from "../../support/sample-records.ts";

const result = { written: true, observations: [], summaries: [], turns: [] };
const completion = { text: "ready" } as never;

function room(more: Partial<ContextTools> = {}) {
  const hooks = fakeHooks({
    "storage.put": () => result,
    "storage.get": () => [],
    complete: () => completion,
  });
  const log = keptLog();
  const names: string[] = [];
  const tools: ContextTools = {
    ...{ home: "/home", now: () => 7, hooks: () => hooks },
    log: {
      ...log,
      child: (name: string) => {
        names.push(name);
        return log;
      },
    },
    ...more,
  };
  return { context: bindContext("mine", { size: 3 }, tools), hooks, names };
}
const request = { purpose: "observe" } as unknown as CompletionRequest;

test("it has the plugin's name, config, home and clock, and a log that says whose it is", () => {
  const { context, names } = room();
  expect(context).toMatchObject({ plugin: "mine", config: { size: 3 }, home: "/home" });
  expect([context.now(), names]).toEqual([7, ["plugin.mine"]]);
});

test("a model is asked through the hook, or as memoir says, in the plugin's name; without a provider that is told", async () => {
  const { context, hooks } = room();
  expect(await context.complete(request)).toBe(completion);
  expect(hooks.inputs("complete")).toEqual([request]);
  const asked: unknown[] = [];
  const through = room({
    complete: async (_hooks, plugin, sent) => {
      asked.push([plugin, sent]);
      return completion;
    },
  });
  await through.context.complete(request);
  expect(asked).toEqual([["mine", request]]);
  const nobody = room({ hooks: () => fakeHooks() });
  await expect(nobody.context.complete(request)).rejects.toMatchObject({ code: "provider_none" });
});

test("items that the user had forgotten are not stored again, all else is", async () => {
  const memory = [sampleMemory({ content: "gone" }), sampleMemory({ content: "here" })];
  const { context, hooks } = room({
    itemsLeft: (items) => items.filter(({ content }) => content !== "gone"),
  });
  await context.storage.put({ key: "k", records: { memory, prompts: [] } });
  await context.storage.put({ key: "l", records: { prompts: [] } });
  expect(hooks.inputs("storage.put")).toEqual([
    { key: "k", records: { memory: memory.slice(1), prompts: [] } },
    { key: "l", records: { prompts: [] } },
  ]);
  const all = room();
  await all.context.storage.put({ key: "k", records: { memory } });
  expect(all.hooks.inputs("storage.put")[0]?.records.memory).toEqual(memory);
});

test("where Endless Mode offers nothing, nothing is known and nothing may be taken out", async () => {
  const { endless } = room().context;
  const answers = await Promise.all([
    endless.original("t"),
    endless.keep({} as never),
    endless.kept("t", "input"),
    endless.note({} as never),
    endless.figures(),
    endless.settled("t", 1),
  ]);
  expect(answers).toEqual([undefined, false, undefined, undefined, [], undefined]);
  const own = { keep: async () => true } as never;
  const { context } = room({
    endless: (plugin) => (plugin === "mine" ? own : (undefined as never)),
  });
  expect(context.endless).toBe(own);
});

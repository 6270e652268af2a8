// The host of an author's tests is as strict as memoir: contract, config, filters, deadlines, and the wall of cloned values.
import { expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import * as v from "valibot";
import type { HookSubscriptions } from "../../src/sdk/handlers.ts";
import { definePlugin } from "../../src/sdk/plugin.ts";
import {
  clientEvent,
  fixOfCart,
  sampleBatch,
  sampleObservation,
  testHost,
  testTime,
} from "../../src/testing/index.ts";

const plugin = (hooks: HookSubscriptions) =>
  definePlugin({ name: "tried", description: "Tried.", sdk: 1, hooks });
const stop = clientEvent("Stop");

test("what is no plugin and what is no config are refused as memoir refuses them", async () => {
  const wrong = { ...plugin({}), hooks: { Stopp() {} } };
  await expect(testHost(wrong as never)).rejects.toMatchObject({
    code: "plugin_invalid",
    message: expect.stringContaining('did you mean "Stop"'),
  });
  const strict = { ...plugin({}), config: v.strictObject({ depth: v.optional(v.number(), 3) }) };
  await expect(testHost(strict, { config: { dept: 1 } })).rejects.toMatchObject({
    code: "config_invalid",
  });
});

test("config has its defaults, the clock stands still, and storage is empty and whole", async () => {
  const host = await testHost({
    ...plugin({
      async Stop(_, ctx) {
        const found = await ctx.storage.observations({});
        return { context: `${JSON.stringify(ctx.config)} ${ctx.now()} ${found.length}` };
      },
    }),
    config: v.strictObject({ depth: v.optional(v.number(), 3) }),
  });
  expect(await host.call("Stop", stop)).toEqual({ context: `{"depth":3} ${testTime} 0` });
  await host.storage.put({ key: "1", records: { observations: [sampleObservation()] } });
  expect((await host.call("Stop", stop))?.context).toEndWith(" 1");
  await host.stop();
  await host.stop();
  await expect(stat(host.home)).rejects.toMatchObject({ code: "ENOENT" });
});

test("filters, kinds and what comes after are as in memoir", async () => {
  const host = await testHost(
    plugin({
      PostToolUse: { filter: { tool: ["Read"] }, handler: () => ({ context: "read" }) },
      capture: () => undefined,
      "storage.search": async (query, ctx) => (await ctx.next(query))?.toReversed(),
    }),
  );
  const use = clientEvent("PostToolUse", { toolName: "Bash" });
  expect(await host.call("PostToolUse", use)).toBeUndefined();
  expect(await host.call("PostToolUse", { ...use, toolName: "Read" })).toEqual({ context: "read" });
  expect(await host.call("capture", use)).toEqual(use);
  expect(await host.call("observe", {} as never)).toBeUndefined();
  const next = () => [{ id: "o1" }, { id: "o2" }] as never;
  const found = await host.call("storage.search", { text: "" }, { next });
  expect(found?.map(({ id }) => id)).toEqual(["o2", "o1"]);
  await host.stop();
});

test("lateness, throws and what cannot cross a wall are told", async () => {
  const host = await testHost(
    plugin({
      Stop: { deadlineMs: 5, handler: () => new Promise(() => {}) },
      SessionEnd() {
        throw new TypeError("undefined is no function");
      },
      SessionStart: () => ({ context: "x", records: [{ deep: () => 1 }] }) as never,
      UserPromptSubmit(event) {
        (event as { prompt: string }).prompt = "changed";
      },
    }),
  );
  const told = async (work: Promise<unknown>) =>
    work.then(
      () => "nothing",
      (error) => error.message,
    );
  expect(await told(host.call("Stop", stop))).toBe("plugin tried did not answer Stop within 5 ms");
  expect(await told(host.call("SessionEnd", clientEvent("SessionEnd")))).toContain(
    "plugin tried failed in SessionEnd: undefined is no function",
  );
  expect(await told(host.call("SessionStart", clientEvent("SessionStart")))).toBe(
    "what tried answers to SessionStart cannot be cloned: records.0.deep is no data",
  );
  expect(await told(host.call("UserPromptSubmit", clientEvent("UserPromptSubmit")))).toContain(
    "failed in UserPromptSubmit",
  );
  await host.stop();
});

test("an observation that memoir would leave out, and routes without a Response, are refused", async () => {
  const draft = { ...sampleObservation(), type: "Feature" };
  const host = await testHost({
    ...plugin({ observe: () => ({ observations: [draft] }) }),
    routes: () => undefined as never,
  });
  await expect(host.call("observe", sampleBatch(fixOfCart))).rejects.toThrow(
    "observation 0 of observe: type: must be lower-case letters and hyphens",
  );
  await expect(host.request(new Request("http://x/plugins/tried/"))).rejects.toThrow(
    "the routes of tried answered undefined and no Response",
  );
  await host.stop();
});

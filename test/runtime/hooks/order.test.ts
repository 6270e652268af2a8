// In which order handlers run, and which of a plugin's are in force.
import { describe, expect, test } from "bun:test";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import type { HookOrder } from "../../../src/sdk/handlers.ts";
import { fakePlugin, hooksOf, memoryLog, promptEvent, runningPlugin } from "../../support/hooks.ts";

describe("order", () => {
  const named = (name: string, order?: HookOrder) =>
    fakePlugin(name, {
      hooks: {
        Stop: { handler: () => ({ systemMessage: name }), ...(order ? { order } : {}) },
      },
    });
  const stop = { ...promptEvent(), name: "Stop" as const, stopHookActive: false };

  test.each([
    ["as given", [named("a"), named("b"), named("c")], "abc"],
    ["pre before normal before post", [named("a", "post"), named("b"), named("c", "pre")], "cba"],
    [
      "stable inside each",
      [named("a", "post"), named("b", "pre"), named("c", "post"), named("d", "pre")],
      "bdac",
    ],
  ])("%s", async (_, plugins, expected) => {
    const answers = await hooksOf(plugins).sequence("Stop", stop);
    expect(answers.map(({ result }) => result.systemMessage).join("")).toBe(expected);
    expect(answers.map(({ plugin }) => plugin).join("")).toBe(expected);
  });

  test("a slot's own order beats the order of the plugins", async () => {
    const start = { ...promptEvent(), name: "SessionStart" as const, source: "startup" };
    const say = (name: string) =>
      fakePlugin(name, {
        slot: ["capture", "context-injection"],
        hooks: { SessionStart: () => ({ context: name }) },
      });
    const hooks = createHooks(
      [
        runningPlugin(
          fakePlugin("listener", { hooks: { SessionStart: () => ({ context: "listener" }) } }),
        ),
        runningPlugin(say("second"), { capture: 0, "context-injection": 1 }),
        runningPlugin(say("first"), { "context-injection": 0 }),
      ],
      { log: memoryLog() },
    );
    const answers = await hooks.sequence("SessionStart", start);
    expect(answers.map(({ plugin }) => plugin)).toEqual(["first", "second", "listener"]);
  });
});

describe("in force", () => {
  const both = fakePlugin("both", {
    slot: ["observation", "summarization"],
    hooks: { observe: () => ({ observations: [] }), summarize: () => ({}), settled: () => {} },
  });
  test.each([
    ["only the slots it fills", both, { observation: 0 }, ["observe", "settled"]],
    ["none of them", both, {}, ["settled"]],
    [
      "a listener joins any hook",
      fakePlugin("l", { hooks: { observe: () => undefined } }),
      {},
      ["observe"],
    ],
  ])("%s", (_, plugin, fills, expected) => {
    const hooks = createHooks([runningPlugin(plugin, fills)], { log: memoryLog() });
    expect(hooks.subscriptions().map(({ hook }) => hook)).toEqual(expected as never);
  });
});

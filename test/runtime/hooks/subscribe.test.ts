// Which subscriptions are in force, in which order, and what goes on through a reload.
import { expect, test } from "bun:test";
import { hookFacts } from "../../../src/runtime/hooks/hook-table.ts";
import {
  declarations,
  isInForce,
  type RunningPlugin,
  slotsOf,
  subscribe,
} from "../../../src/runtime/hooks/subscription.ts";
import type { HookName } from "../../../src/sdk/hooks.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import { fakePlugin, runningPlugin } from "../../support/hooks.ts";

const handler = () => undefined;
const on = (hooks: object, rest: Partial<AnyPlugin> = {}, name = "mine") =>
  fakePlugin(name, { hooks: hooks as AnyPlugin["hooks"], ...rest });
const names = (plugins: readonly RunningPlugin[], hook: "Stop" | "storage.get" | "observe") =>
  subscribe(plugins)
    .get(hook)
    ?.map(({ plugin }) => plugin);

test("a plugin goes on being counted through a reload, each hook by itself; another instance begins anew", () => {
  const running = runningPlugin(on({ Stop: handler, PreToolUse: handler }));
  const timing = (one: RunningPlugin, hook: "Stop" | "PreToolUse") =>
    subscribe([one]).get(hook)?.[0]?.timing;
  const before = timing(running, "Stop");
  before?.record(5, true);
  expect(timing(running, "Stop")).toBe(before as never);
  expect(timing(running, "Stop")?.calls).toBe(1);
  expect(timing(running, "PreToolUse")?.calls).toBe(0);
  expect(timing(runningPlugin(running.plugin), "Stop")?.calls).toBe(0);
});

test("first come those that ask for it, then the slot's own in its order, then others as they were loaded", () => {
  const at = (name: string, place: number | undefined, order?: "pre" | "post") => {
    const entry = order ? { handler, order } : handler;
    const plugin = on(
      { "storage.get": entry },
      place === undefined ? {} : { slot: "storage" },
      name,
    );
    return runningPlugin(plugin, place === undefined ? {} : { storage: place });
  };
  const plugins = [
    at("listener", undefined),
    at("late", 0, "post"),
    at("second", 1),
    at("other", undefined),
    at("first", 0),
    at("early", undefined, "pre"),
    at("soon", undefined, "pre"),
  ];
  expect(names(plugins, "storage.get")).toEqual([
    ...["early", "soon", "first", "second", "listener", "other", "late"],
  ]);
});

test("who can fill a slot takes part in its hooks only while it does; anybody else joins; events are everybody's", () => {
  const storage = on({}, { slot: "storage" });
  const both = on({}, { slot: ["storage", "observation"] });
  expect(isInForce("storage.get", storage, {})).toBe(false);
  expect(isInForce("storage.get", storage, { storage: 0 })).toBe(true);
  expect(isInForce("storage.get", both, { observation: 0 })).toBe(false);
  expect(isInForce("observe", storage, {})).toBe(true);
  expect(isInForce("storage.get", on({}), {})).toBe(true);
  expect(isInForce("Stop", storage, {})).toBe(true);
  expect(slotsOf(on({}))).toEqual([]);
  expect(slotsOf(storage)).toEqual(["storage"]);
  expect(slotsOf(both)).toEqual(["storage", "observation"]);
});

test("nobody holds the agent up for more than two seconds; models have longest, then storage, then notices", () => {
  const hooks = Object.keys(hookFacts) as HookName[];
  for (const hook of hooks.filter((name) => /^[A-Z]|^capture$|^request$/.test(name)))
    expect(hookFacts[hook].deadlineMs).toBeLessThanOrEqual(2_000);
  const { observe, summarize, "storage.put": put, stored } = hookFacts;
  expect(observe.deadlineMs).toBe(summarize.deadlineMs);
  expect(observe.deadlineMs).toBeGreaterThan(put.deadlineMs);
  expect(put.deadlineMs).toBeGreaterThan(stored.deadlineMs);
});

test("a deadline is what is declared, or what config makes of it; nonsense is the usual one", () => {
  const usual = declarations(on({ Stop: handler }))[0]?.deadlineMs;
  const deadline = (deadlineMs: unknown, config?: unknown) =>
    declarations(on({ Stop: { handler, deadlineMs } }), config)[0]?.deadlineMs;
  expect(deadline(7)).toBe(7);
  const double = ({ ms }: { ms: number }) => ms * 2;
  expect(deadline(double, { ms: 4 })).toBe(8);
  expect(deadline(double)).toBe(usual);
  for (const ms of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(deadline(double, { ms })).toBe(usual);
  expect(deadline(double, null)).toBe(usual);
});

test("what is declared is told in the order of the plugin's own hooks, with order, filter and place where there are some", () => {
  const hooks = {
    Stop: handler,
    PreToolUse: undefined,
    PostToolUse: { handler, order: "post", filter: { tool: ["Bash"] }, place: "a.ts:3" },
  };
  const [stop, use, ...rest] = declarations(on(hooks));
  expect([stop?.hook, stop?.order, use?.hook, rest]).toEqual(["Stop", "normal", "PostToolUse", []]);
  expect(stop).not.toHaveProperty("filter");
  expect(use).toMatchObject({ order: "post", filter: { tool: ["Bash"] }, place: "a.ts:3" });
});

test("one that runs for some projects is called for these alone", () => {
  const running = { ...runningPlugin(on({ Stop: handler })), projects: ["shop"] };
  const [own] = subscribe([running]).get("Stop") ?? [];
  const wants = (id: string) =>
    own?.wants?.({ name: "Stop", project: { id, name: id, root: "/" } });
  expect([wants("shop"), wants("blog"), own?.filter]).toEqual([true, false, { project: ["shop"] }]);
  const [all] = subscribe([runningPlugin(on({ Stop: handler }))]).get("Stop") ?? [];
  expect([all?.wants, all?.standby, all?.part]).toEqual([undefined, false, "Stop"]);
  const standing = {
    ...runningPlugin(on({ observe: handler }), { observation: 0 }),
    standby: ["observation" as const],
  };
  expect(subscribe([standing]).get("observe")?.[0]).toMatchObject({
    standby: true,
    part: "observation",
  });
});

test("a strategy of Endless Mode is asked where it is switched on, by its name or its path; for another slot everywhere", () => {
  const asked: unknown[] = [];
  const gate = (given: readonly string[], input: unknown) => {
    asked.push(given);
    return input === "on";
  };
  const strategy = on(
    { Stop: handler, observe: handler },
    { slot: ["endless-mode", "observation"] },
  );
  const running = {
    ...runningPlugin(strategy, { "endless-mode": 0, observation: 0 }),
    reference: "/plugins/mine.ts",
  };
  const subscriptions = subscribe([running], gate);
  const [stop] = subscriptions.get("Stop") ?? [];
  expect([stop?.wants?.("on"), stop?.wants?.("off")]).toEqual([true, false]);
  expect(asked[0]).toEqual(["mine", "/plugins/mine.ts"]);
  expect(subscriptions.get("observe")?.[0]?.wants).toBeUndefined();
  expect(subscribe([running]).get("Stop")?.[0]?.wants).toBeUndefined();
  const other = runningPlugin(on({ Stop: handler }), {});
  expect(subscribe([other], gate).get("Stop")?.[0]?.wants).toBeUndefined();
});

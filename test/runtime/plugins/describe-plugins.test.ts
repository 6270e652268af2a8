// What install and `plugin list` are told without a server.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemText, setConfigValue } from "../../../src/runtime/config/config.ts";
import {
  checkPlugins,
  describePlugins,
  neededEvents,
} from "../../../src/runtime/plugins/describe.ts";
import type { ClientEventName } from "../../../src/sdk/events.ts";
import { fakePlugin } from "../../support/hooks.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-describe-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));
const config = (set: unknown) => writeFile(join(home, "config.json"), JSON.stringify(set));

/** Of what turns are made. */
const turnEvents: ClientEventName[] = [
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SubagentStop",
  "SessionEnd",
  "PostCompact",
];

test("events are those subscribed to and lived from, in a session's order, each once", () => {
  const observer = fakePlugin("o", {
    slot: "observation",
    events: ["Stop", "PostToolUse"],
    hooks: { observe: () => undefined },
  });
  const context = fakePlugin("c", {
    hooks: { SessionStart: () => ({}), Stop: () => ({}), Other: () => ({}), settled: () => {} },
  });
  expect(
    neededEvents([
      { plugin: observer, fills: { observation: 0 } },
      { plugin: context, fills: {} },
    ]),
  ).toEqual(["SessionStart", ...turnEvents]);
  expect(neededEvents([])).toEqual(turnEvents);
});

test("the default plugins need no more than they use, and nothing is wrong with them", async () => {
  const { plugins, events, problems, subscriptions } = await describePlugins(home, {});
  expect(problems).toEqual([]);
  expect(plugins.filter(({ state }) => state === "failed")).toEqual([]);
  expect(events).toEqual(
    expect.arrayContaining([
      "SessionStart",
      "UserPromptSubmit",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
      "SessionEnd",
    ]),
  );
  expect(events).not.toContain("Other");
  expect(subscriptions.filter(({ hook }) => hook === "capture").at(-1)?.plugin).toBe(
    "capture-privacy",
  );
});

test("disabling takes a plugin and its events out; it is still listed", async () => {
  const builtins = {
    a: async () => ({
      default: fakePlugin("a", { slot: "context-injection", hooks: { SessionStart: () => ({}) } }),
    }),
    b: async () => ({
      default: fakePlugin("b", {
        slot: "context-injection",
        hooks: { PreToolUse: () => ({}) },
      }),
    }),
  };
  const slots = { "context-injection": ["a", "b"] };
  await config({ slots, plugins: { b: { enabled: false } } });
  const { plugins, events } = await describePlugins(home, {}, builtins);
  expect(plugins.find(({ name }) => name === "a")).toMatchObject({ state: "enabled" });
  expect(plugins.find(({ name }) => name === "b")).toMatchObject({ state: "disabled", fills: [] });
  expect(events).toEqual(["SessionStart", ...turnEvents]);
});

test("everything wrong with options is told at its path", async () => {
  await writeFile(
    join(home, "mine.mjs"),
    'export default { name: "mine", description: "d", sdk: 1, hooks: { Stop: () => ({}) } };',
  );
  await config({
    listeners: ["./mine.mjs", "./gone.ts"],
    plugins: { mine: { x: 1 }, "capture-privcy": {} },
  });
  const { problems, plugins, events } = await describePlugins(home, {});
  expect(problems.map(problemText)).toEqual([
    "plugins.mine.x: unknown key; it has none",
    `listeners (./gone.ts): there is no plugin file ${join(home, "gone.ts")}`,
    'plugins.capture-privcy: unknown plugin; did you mean "capture-privacy"? If it is gone, `memoir config unset plugins.capture-privcy` takes this out',
  ]);
  expect(plugins.find(({ name }) => name === "mine")).toMatchObject({
    state: "failed",
    origin: "file",
  });
  expect(events).toContain("Stop");
});

test("a plugin in a slot that it cannot fill is a problem of that slot", async () => {
  await config({ slots: { storage: "none", provider: ["none"] } });
  const { problems } = await describePlugins(home, {});
  expect(problems.map(problemText)).toEqual([
    "slots.storage: plugin none cannot fill the slot storage",
  ]);
});

test("the check for writers knows plugins' options", async () => {
  const check = checkPlugins(home, {});
  const texts = async (set: Record<string, unknown>) => (await check(set)).map(problemText);
  expect(await texts({ plugins: { "context-indx": {} } })).toEqual([
    expect.stringContaining("unknown plugin"),
  ]);
  expect(await texts({ plugins: { none: { key: "x" } } })).toEqual([
    "plugins.none.key: unknown key; it has none",
  ]);
  expect(await texts({ plugins: { hybrid: { maxTokens: "many" } } })).toEqual([
    'plugins.hybrid.maxTokens: must be a number, but is "many"',
  ]);
  expect(await texts({ log: { level: "debug" } })).toEqual([]);
  expect(await texts({})).toEqual([]);
});

test("what is wrong with a plugin comes with what to do about the plugin", async () => {
  const wrapper =
    'export default { name: "wrapper", description: "d", sdk: 1, slot: "storage", hooks: { "storage.search": () => [] } };';
  await writeFile(join(home, "wrapper.ts"), wrapper);
  const set = () => setConfigValue(home, "slots.storage", "./wrapper.ts", checkPlugins(home, {}));
  await expect(set()).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("it has no storage.put"),
    fix: expect.stringContaining("leave out its `slot`"),
  });
});

test("events that a plugin lives from are needed though it subscribes to none", () => {
  const plugin = fakePlugin("mine", { hooks: {}, events: ["PreCompact", "Other"] });
  const needed = neededEvents([{ plugin, fills: {} }]);
  expect(needed).toContain("PreCompact");
  expect(needed).not.toContain("Other");
});

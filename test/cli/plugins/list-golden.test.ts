// The list of plugins and all about one of them, to the letter: every state and note in its colour, wide and narrow.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pc from "picocolors";
import { listLines, showPlugin } from "../../../src/cli/plugins/list.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import type { PluginInfo, SubscriptionInfo } from "../../../src/runtime/ports.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { expectGolden } from "../../support/golden.ts";
import { ownHome } from "../../support/own-home.ts";
import { painted } from "../../support/painted.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

type PluginList = Parameters<typeof listLines>[0];

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(join(place.home, "plugins"), { recursive: true });
});
afterEach(() => place.end());

const now = 1_000_000;
const plugin = (name: string, part: Partial<PluginInfo> = {}): PluginInfo => ({
  ...{ name, description: `What ${name} does, in one line.`, slots: [], fills: [] },
  ...{ origin: "file", source: `/h/plugins/${name}.ts`, state: "running", ...part },
});
const heard = (by: string, part: Partial<SubscriptionInfo> = {}): SubscriptionInfo => ({
  ...{ plugin: by, hook: "stored", kind: "parallel", order: "normal", deadlineMs: 5_000 },
  ...{ calls: 0, failures: 0, p50: null, p99: null, ...part },
});
const builtIn = { origin: "built-in", source: undefined } as object;
const everything: PluginList = {
  plugins: [
    plugin("sqlite", { ...builtIn, slots: ["storage"], fills: ["storage"], standby: ["storage"] }),
    plugin("hybrid", { ...builtIn, slots: ["observation"], state: "disabled" }),
    plugin("model", { ...builtIn, slots: ["observation"], state: "waiting" }),
    plugin("hears"),
    plugin("mute"),
    plugin("enabled", { state: "enabled", slots: ["capture"], fills: ["capture"] }),
    plugin("sees", { slots: ["observation", "capture"], fills: ["capture"], state: "waiting" }),
    plugin("broken", { description: "", state: "failed", error: "it cannot be loaded" }),
    plugin("fell", { slots: ["observation"], state: "failed", error: "it stopped" }),
    plugin("off", { slots: ["observation"], state: "disabled" }),
    plugin("edited", { error: "line 3: unexpected end" }),
    plugin("rules", { slots: ["observation"], projects: ["shop", "till"], source: "/w/rules.ts" }),
    plugin("weak", {
      paused: [{ part: "Stop", hook: "Stop", error: "too slow", at: 0, until: now + 40_000 }],
    }),
  ] as PluginInfo[],
  subscriptions: [
    heard("hears", {
      ...{ order: "post", filter: { project: ["shop"], tool: ["Bash", "Edit"] } },
      ...{
        calls: 12,
        failures: 1,
        p50: 0.12,
        p99: 3.456,
        lastError: "hears failed in stored: boom",
      },
    }),
    heard("hears", { hook: "settled", calls: 1, p50: 2 }),
    heard("enabled", { hook: "capture", order: "pre" }),
    heard("weak"),
    heard("edited", { calls: 3 }),
  ],
  local: [
    { folder: "/w/.memoir/plugins", state: "untrusted", fix: "Look at its files." },
    { folder: "/v/.memoir/plugins", state: "trusted", fix: "" },
  ],
  overlooked: [{ name: "notes.txt", why: "it ends in no .ts, .js or .mjs" }],
} as PluginList;

test("the list", async () => {
  const list = (width: number | undefined, options = {}, shown = everything) => {
    const look = { colors: pc.createColors(true), width, now: () => now };
    return painted(listLines(shown, "/h", look, options).join("\n"));
  };
  const only = (...names: string[]) => ({
    ...{ ...everything, local: [], overlooked: [] },
    plugins: everything.plugins.filter(({ name }) => names.includes(name)),
  });
  const text = [
    ["all of it", list(undefined)],
    ["narrow", list(44)],
    ["with what is off", list(undefined, { all: true })],
    ["built-in ones alone", list(undefined, {}, only("sqlite", "hybrid"))],
  ].map(([title, lines]) => `== ${title}\n${lines}\n`);
  await expectGolden(join(import.meta.dir, "golden/list.txt"), text.join("\n"));
});

test.each([40, 60, 140])("no line of the list is wider than %i", (width) => {
  const look = { colors: pc.createColors(false), width, now: () => now };
  const lines = listLines(everything, "/h", look, { all: true });
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});

test("two plugins of one name are told apart", () => {
  const twins: PluginList = {
    plugins: [
      plugin("rules", { projects: ["shop"] }),
      plugin("rules", { projects: ["blog"] }),
      plugin("sqlite", { state: "failed", error: "a built-in plugin is called sqlite" }),
      plugin("sqlite", { origin: "built-in", slots: ["storage"], fills: ["storage"] }),
    ],
    subscriptions: [
      heard("rules", { filter: { project: ["shop"] } }),
      heard("rules", { hook: "settled", filter: { project: ["blog"] } }),
      heard("sqlite", { hook: "storage.get" }),
    ],
    local: [],
  };
  const said = listLines(twins, "/h", { colors: pc.createColors(false), width: undefined });
  const hooks = said.filter((line) => /^ {4}(stored|settled|storage)/.test(line));
  expect(hooks).toEqual([
    "    stored  project: shop",
    "    settled  project: blog",
    "    storage.get",
  ]);
});

test("all about one", async () => {
  await publishSdk(memoirPaths(place.home));
  const source = join(place.home, "plugins/mine.ts");
  await writeFile(
    source,
    `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";
export default definePlugin({
  name: "mine", description: "Mine.", sdk: 1,
  config: v.strictObject({
    word: v.pipe(v.optional(v.string(), "hi"), v.description("What it says.")),
    count: v.optional(v.number()),
  }),
  hooks: { stored() {} },
});\n`,
  );
  await utimes(source, 1_000, 1_000);
  await writeFile(join(place.home, "config.json"), '{"plugins":{"mine":{"count":7}}}');
  const mine = plugin("mine", {
    ...{ source, slots: ["observation", "capture"], fills: ["capture"], error: "line 3: no" },
  });
  const projects = plugin("theirs", { projects: ["shop"], slots: ["observation"], source });
  const gone = plugin("gone", { source: join(place.home, "plugins/gone.ts") });
  const subscriptions = [
    heard("mine", {
      ...{
        calls: 12,
        failures: 1,
        p50: 0.12,
        p99: 3.456,
        lastError: "mine failed in stored: boom",
      },
      filter: { tool: ["Bash", "Edit"] },
    }),
    heard("mine", { hook: "settled", kind: "first", order: "pre", calls: 1, p50: 2 }),
    heard("mine", { hook: "Stop" }),
  ];
  const server = await cannedServer(place.home, {
    "/api/plugins": {
      plugins: [mine, projects, gone, plugin("bare", builtIn)],
      subscriptions,
    },
  });
  const about = async (name: string, width?: number) => {
    const terminal = plainTerminal({
      ...{ width, colors: pc.createColors(true), cwd: place.root },
      env: { HOME: place.root, MEMOIR_HOME: place.home },
    });
    expect(await showPlugin(name, {}, terminal)).toBe(0);
    return painted(terminal.out.join("\n"));
  };
  const text = [];
  for (const [name, width] of [["mine"], ["mine", 50], ["theirs"], ["gone"], ["bare"]] as const)
    text.push(`== ${name} ${width ?? ""}\n${await about(name, width)}\n`);
  await server.stop();
  const shown = text
    .join("\n")
    .replaceAll(place.root, "ROOT")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DAY TIME")
    .replace(/[0-9a-f]{16}/g, "HASH");
  expect(shown).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "golden/info.txt"), shown);
});

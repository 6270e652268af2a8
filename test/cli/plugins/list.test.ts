// How the list of plugins looks, wide and narrow.
import { expect, test } from "bun:test";
import pc from "picocolors";
import { listLines, type PluginList } from "../../../src/cli/plugins/list.ts";
import type { PluginInfo, SubscriptionInfo } from "../../../src/runtime/ports.ts";

const plugin = (name: string, part: Partial<PluginInfo>): PluginInfo => ({
  ...{
    name,
    description: `What ${name} does, in one line that says it all.`,
    slots: [],
    fills: [],
  },
  ...{ origin: "file", source: `/h/plugins/${name}.ts`, state: "running" },
  ...part,
});
const heard = (by: string, part: Partial<SubscriptionInfo>): SubscriptionInfo => ({
  ...{ plugin: by, hook: "stored", kind: "parallel", order: "normal", deadlineMs: 5_000 },
  ...{ calls: 0, failures: 0, p50: null, p99: null },
  ...part,
});
const list: PluginList = {
  plugins: [
    plugin("sqlite", { origin: "built-in", slots: ["storage"], fills: ["storage"] }),
    plugin("hybrid", { origin: "built-in", slots: ["observation"], state: "disabled" }),
    plugin("hears", {}),
    plugin("sees", { slots: ["observation"], state: "waiting" }),
    plugin("broken", { description: "", state: "failed", error: "it cannot be loaded" }),
    plugin("edited", { error: "line 3: unexpected end" }),
    plugin("rules", {
      slots: ["context-injection"],
      fills: ["context-injection"],
      projects: ["shop"],
    }),
  ],
  subscriptions: [
    heard("hears", {
      ...{ order: "post", filter: { project: ["shop"] }, calls: 12, failures: 1 },
      ...{ p50: 0.12, p99: 3.456, lastError: "plugin hears failed in stored: boom" },
    }),
  ],
  local: [{ folder: "/w/.memoir/plugins", state: "untrusted", fix: "Look at its files." }],
};
const lines = (width: number | undefined, all = false) =>
  listLines(list, "/h", { colors: pc.createColors(false), width }, { all });

test("yours come first, with state, place, cost and what to do", () => {
  expect(lines(undefined)).toEqual([
    "yours",
    "● hears  listener  ./plugins/hears.ts",
    "    What hears does, in one line that says it all.",
    "    stored  post  project: shop  12 calls, 1 failed  p50 0.1 ms, p99 3.5 ms",
    "    plugin hears failed in stored: boom (1 of 12 calls)",
    "○ sees  observation (waits)  ./plugins/sees.ts",
    "    What sees does, in one line that says it all.",
    "    in force with: memoir config set slots.observation sees",
    "✗ broken (failed)  ./plugins/broken.ts",
    "    it cannot be loaded",
    "● edited  listener  ./plugins/edited.ts",
    "    What edited does, in one line that says it all.",
    "    its change is not in force: line 3: unexpected end",
    "    it has no hook that is in force: it is never called",
    "● rules  context-injection  only in shop  ./plugins/rules.ts",
    "    What rules does, in one line that says it all.",
    "    it has no hook that is in force: it is never called",
    "○ /w/.memoir/plugins: untrusted, not run. Look at its files.",
    "",
    "built in",
    "● sqlite  storage  ./plugins/sqlite.ts",
    "    What sqlite does, in one line that says it all.",
    "○ off: hybrid",
  ]);
});

test("with --all a plugin that is off stands in the list like the others", () => {
  expect(lines(undefined).join("\n")).not.toContain("What hybrid does");
  expect(lines(undefined, true).slice(-5)).toEqual([
    "built in",
    "● sqlite  storage  ./plugins/sqlite.ts",
    "    What sqlite does, in one line that says it all.",
    "○ hybrid  observation (off)  ./plugins/hybrid.ts",
    "    What hybrid does, in one line that says it all.",
  ]);
});

test.each([40, 60, 140])("no line is wider than %i", (width) => {
  const tooWide = lines(width, true).filter((line) => line.length > width);
  expect(tooWide).toEqual([]);
});

test("a narrow line of figures becomes two", () => {
  expect(lines(60).slice(3, 5)).toEqual([
    "    stored post project: shop",
    "      12 calls, 1 failed, p50 0.1 ms, p99 3.5 ms",
  ]);
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

const show = (part: Partial<PluginList>, width?: number) =>
  listLines({ plugins: [], subscriptions: [], local: [], ...part }, "/h", {
    colors: pc.createColors(false),
    width,
    now: () => 0,
  });

test("without plugins of one's own there are no headings; what lies there and is none is named", () => {
  const builtIn = plugin("sqlite", { origin: "built-in", fills: ["storage"], description: "" });
  expect(show({ plugins: [builtIn] })).toEqual(["● sqlite  storage  ./plugins/sqlite.ts"]);
  const overlooked = [{ name: "notes.md", why: "it is no module of a plugin's" }];
  expect(show({ plugins: [builtIn], overlooked }, 30).slice(0, 4)).toEqual([
    "yours",
    "○ notes.md is no plugin:",
    "    it is no module of a",
    "    plugin's.",
  ]);
  const trusted = { folder: "/w", state: "trusted" as const, fix: "" };
  expect(show({ plugins: [builtIn], local: [trusted] })).toEqual([
    ...["", "built in", "● sqlite  storage  ./plugins/sqlite.ts"],
  ]);
});

test("a call is one, a slow one has its figures, and a hook before others says so", () => {
  const own = plugin("own", { description: "", fills: ["capture", "storage"] });
  const subscriptions = [
    heard("own", {
      order: "pre",
      calls: 1,
      p50: 2,
      filter: { tool: ["Edit", "Write"], client: ["c"] },
    }),
    heard("own", { hook: "Stop", calls: 2, failures: 2 }),
  ];
  expect(show({ plugins: [own], subscriptions }).slice(1, 4)).toEqual([
    "● own  capture, storage  ./plugins/own.ts",
    "    stored  pre  tool: Edit Write; client: c  1 call             p50 2.0 ms, p99 2.0 ms",
    "    Stop                                      2 calls, 2 failed",
  ]);
});

test("what stands by, what is paused and what a project's plugin cannot be is said below it", () => {
  const plugins = [
    plugin("mine", { description: "", standby: ["storage"], source: "/elsewhere/mine.ts" }),
    plugin("rules", {
      ...{ description: "", slots: ["observation"], state: "waiting", projects: ["shop", "till"] },
    }),
    plugin("shy", {
      description: "",
      paused: [{ part: "Stop", error: "boom", until: 90_000 }],
    } as Partial<PluginInfo>),
    plugin("lost", { description: "", slots: ["observation"], state: "failed", error: "gone" }),
  ];
  const subscriptions = ["mine", "shy"].map((name) => heard(name, {}));
  expect(show({ plugins, subscriptions }).slice(1, 13)).toEqual([
    "● mine  listener  /elsewhere/mine.ts",
    "    stored",
    "    stands by for storage",
    "○ rules  observation (waits)  only in shop, till  ./plugins/rules.ts",
    "    a project's plugin cannot take the slot observation",
    "● shy  listener  ./plugins/shy.ts",
    "    stored",
    "    plugin shy is paused in Stop for another 90 s; boom; at once: `memoir plugin enable shy`",
    "✗ lost  observation (failed)  ./plugins/lost.ts",
    "    gone",
    "",
    "built in",
  ]);
});

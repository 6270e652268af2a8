// `memoir endless status` and `metrics` as typed: each scope, each figure at its edges, and what programs get.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { noUsage, quietMetrics } from "../../support/quiet-metrics.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());
const writeConfig = (endless: object) =>
  writeFile(join(place.home, "config.json"), JSON.stringify({ endless }));

const now = new Date(2026, 10, 21, 12).getTime();
const tool = {
  ...{ strategy: "live", tool: "Bash", reduced: 1, characters: 2_000, charactersOut: 999 },
  ...{ tokensOut: 1_000, tokensBack: 0, fetchedBack: 0, charactersBack: 0 },
  ...{ kind: "output", judged: true, profits: true, why: "" },
};
const plugin = (name: string, more: object = {}) => ({
  ...{ name, description: "", slots: ["endless-mode"], fills: ["endless-mode"] },
  ...{ origin: "built-in", state: "running", ...more },
});
const handler = (plugin: string, hook: string, more: object = {}) => ({
  ...{ plugin, hook, calls: 1, failures: 0, p50: null, p99: null, ...more },
});
const kept = { kept: null, fileBytes: 0, damaged: [] };
interface World {
  plugins?: object[];
  subscriptions?: object[];
  endless?: object;
  metrics?: object | ((since: string | undefined) => object);
}
const served = (world: World = {}): CannedAnswers => {
  const { plugins = [], subscriptions = [], endless = kept, metrics = quietMetrics } = world;
  return {
    "/api/status": { ...quietStatus, plugins, endless },
    "/api/plugins": { plugins, subscriptions },
    "/api/endless/metrics": ({ query }) =>
      typeof metrics === "function" ? metrics(query.since) : metrics,
  };
};
const run = (words: string, answers: CannedAnswers = served(), width?: number) =>
  typed(["endless", ...words.split(" ")], answers, { now: () => now, width });
const lines = async (world: World = {}) => (await run("status", served(world))).out;

describe("endless status", () => {
  test("where nothing is on says how to switch it on, and shows no share that stays untouched", async () => {
    await writeConfig({ holdOut: 0.5 });
    expect(await lines()).toEqual([
      "Endless Mode",
      "  on          nowhere; `memoir endless on` enables it in this folder's project",
      "  left out    nothing",
      "  fetched     nothing",
      "  kept        nothing",
    ]);
  });

  test("each scope with its strategies, one that is off there, and the gateway where it is named or on", async () => {
    await writeConfig({
      ...{ everywhere: ["live"], projects: { a: [], b: ["live", "transcript"] } },
      sessions: { s1: ["gateway"] },
    });
    expect((await lines()).slice(1, 6)).toEqual([
      "  on          everywhere: live",
      "              project a: off",
      "              project b: live, transcript",
      "              session s1: gateway",
      "  gateway     off: the strategy gateway sees no session; `memoir endless gateway on` changes that",
    ]);
    await writeConfig({
      gateway: { enabled: true, port: 4_321, upstream: "https://me:pw@api.test" },
    });
    const [, , gateway = ""] = await lines();
    expect(gateway).toMatch(
      /^ {2}gateway {5}http:\/\/127\.0\.0\.1:4321 to https:\/\/\S*api\.test; `memoir endless gateway status` says more$/,
    );
    expect(gateway).not.toContain("pw@");
  });

  test("a strategy by the hooks that take time or failed, else by the one that is called most", async () => {
    const world = {
      plugins: [plugin("live"), plugin("mine"), plugin("idle"), plugin("off")],
      subscriptions: [
        handler("live", "Stop", { calls: 9, p50: 0.05 }),
        handler("live", "PreToolUse", { calls: 2, p50: 0.1 }),
        handler("live", "PostToolUse", { failures: 1 }),
        handler("mine", "Stop", { p50: 0.04 }),
        handler("mine", "PostToolUse", { calls: 3, p50: 0.01 }),
        handler("idle", "Stop", { calls: 0 }),
      ],
    };
    expect((await lines(world)).slice(2, 5)).toEqual([
      "  strategies  live: PreToolUse 2 calls, 0.1 ms; PostToolUse 1 call, 1 failed",
      "              mine: PostToolUse 3 calls, 0.0 ms",
      "              idle: not called yet",
    ]);
  });

  test("what was left out and fetched back, today and in all, and which tools do not pay", async () => {
    const tools = [
      { ...tool, fetchedBack: 1, charactersBack: 400 },
      { ...tool, tool: "Read", charactersOut: 2_000_000, profits: false, why: "all came back" },
    ];
    const metrics = (since: string | undefined) => ({
      ...quietMetrics,
      tools: since === undefined ? tools : [tool],
    });
    const shown = await run("status", served({ metrics }));
    expect(shown.out.slice(2, 7)).toEqual([
      "  left out    today 999 characters, about 1.0k tokens, 1 time",
      "              in all 2.0M characters, about 2.0k tokens, 2 times",
      "  fetched     today nothing",
      "              in all 400 characters, 1 time",
      "  no gain     live on Read, output: all came back",
    ]);
    const asked = shown.asked.filter(({ path }) => path === "/api/endless/metrics");
    expect(asked.map(({ query }) => query.since)).toEqual([
      ...[String(new Date(2026, 10, 21).getTime()), undefined],
    ]);
  });

  test("what is kept: one original, no oldest, nothing, and what cannot be read", async () => {
    const line = async (endless: object) =>
      (await lines({ endless: { ...kept, ...endless } })).find((one) => one.includes("kept"));
    const one = { contents: 1, references: 1, characters: 10, bytes: 20, oldestAt: null };
    await writeConfig({ keepDays: 1, keepBytes: 5_000_000 });
    expect(await line({ kept: one, fileBytes: 30 })).toBe(
      "  kept        1 original of 10 B in 20 B (file 30 B); for 1 day, at most 5.0 MB",
    );
    expect(await line({ kept: { ...one, references: 0 } })).toBe("  kept        nothing");
    expect(await line({ kept: one, error: "it is locked" })).toBe(
      "  kept        cannot be read: it is locked",
    );
  });

  test("a plugin that failed is named, with its error where there is one", async () => {
    const plugins = [
      plugin("mine", { state: "failed" }),
      plugin("yours", { state: "failed", error: "line 3" }),
    ];
    expect((await lines({ plugins })).slice(-2)).toEqual([
      "  wrong       mine: failed",
      "              yours: line 3",
    ]);
  });

  test("on a narrow screen lines are broken below their label", async () => {
    const { out } = await run("status", served(), 60);
    expect(out.slice(1, 3)).toEqual([
      "  on          nowhere; `memoir endless on` enables it in",
      "              this folder's project",
    ]);
  });

  test("as JSON it is config and what the server knows; without a server config alone, and exit code 3", async () => {
    await writeConfig({ everywhere: ["live"], holdOut: 0.1, keepDays: 3, keepBytes: 9 });
    const up = await run("status --json", served({ plugins: [plugin("live")] }));
    const shown = JSON.parse(up.out.join(""));
    expect(shown).toMatchObject({
      ...{
        running: true,
        plugins: [{ name: "live" }],
        total: quietMetrics,
        today: quietMetrics,
        speeds: [],
      },
      config: { everywhere: ["live"], projects: {}, sessions: {}, holdOut: 0.1, keepDays: 3 },
    });
    expect([up.code, Object.keys(shown.config).length]).toEqual([0, 7]);
    const down = await typed(["endless", "status", "--json"]);
    expect([down.code, Object.keys(JSON.parse(down.out.join("")))]).toEqual([
      3,
      ["running", "config"],
    ]);
  });
});

describe("endless metrics", () => {
  const usage = { turns: 1, input: 500, output: 1_500_000, cacheRead: 500, cacheWrite: 0 };
  const cells = async (metrics: object, words = "metrics --since 1d") =>
    (await run(words, served({ metrics }))).out.map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join("|"),
    );

  test("a tool of which nothing came back, that does not pay, and one of which all was left out", async () => {
    const shown = await cells({
      ...quietMetrics,
      tools: [
        { ...tool, profits: false },
        { ...tool, tool: "Empty", characters: 0, charactersOut: 0, fetchedBack: 2, judged: false },
      ],
    });
    expect(shown).toContain("live|Bash|output|1|2.0k|999 (50 %)|1.0k|never|no");
    expect(shown).toContain("live|Empty|output|1|0|0|1.0k|2 times, 0|too few to say");
  });

  test("notes at most thirty, with what they weighed and what they took", async () => {
    const note = {
      ...{ strategy: "live", kind: "kept", reason: "short", count: 1, characters: 1_000 },
      ...{ tokens: 1, ms: 0, longestMs: 0 },
    };
    const shown = await cells({
      ...quietMetrics,
      notes: Array.from({ length: 31 }, (_, at) => ({ ...note, kind: `k${at}`, ms: at * 1_000 })),
    });
    expect(shown).toContain("live|k0|1|1.0k|short");
    expect(shown).toContain("live|k29|1|1.0k|29.0 s each, at most 0 ms|short");
    expect(shown.join()).not.toContain("k30");
  });

  test("requests of both groups, before and since, and what may be concluded", async () => {
    const group = (sessions: number) => ({ sessions, before: usage, after: usage });
    const shown = await cells({ ...quietMetrics, treated: group(2), heldOut: group(1) });
    const row = "1|500|500|0|1.5M|1.0k";
    expect(shown).toContain(`with Endless Mode, before it acted|2|${row}`);
    expect(shown).toContain(`with Endless Mode, since it acted|2|${row}`);
    expect(shown).toContain(`held out|1|${row}`);
    expect(shown.filter((line) => line.startsWith("held out"))).toHaveLength(1);
    expect(shown).toContain("Too few sessions.");
    const one = await cells({
      ...quietMetrics,
      heldOut: { sessions: 1, before: noUsage, after: noUsage },
    });
    expect(one).toContain("Too few sessions.");
    expect((await cells({ ...quietMetrics, tools: [tool] })).join()).not.toContain("Too few");
  });

  test("of a session and a project asks for both, and says so where nothing was done", async () => {
    const answers = { ...served(), "/api/sessions": { sessions: [] } };
    const { out, asked } = await run("metrics -p shop -s s1", answers);
    expect(asked.find(({ path }) => path === "/api/endless/metrics")?.query).toEqual({
      ...{ since: String(now - 7 * 86_400_000), project: "shop", session: "s1" },
    });
    expect(out[1]).toBe("Endless Mode did nothing in project shop in session s1 in that time.");
  });

  test("on a narrow screen each row is a list, without what is empty", async () => {
    const narrow = served({ metrics: { ...quietMetrics, tools: [{ ...tool, kind: "" }] } });
    const { out } = await run("metrics --since 1d", narrow, 60);
    expect(out.slice(1, 10)).toEqual([
      "",
      "Left out",
      "live",
      "  tool           Bash",
      "  times          1",
      "  of characters  2.0k",
      "  left out       999 (50 %)",
      "  tokens ~       1.0k",
      "  fetched back   never",
    ]);
  });

  test("names calls that failed, and how many, beside those of a hook", async () => {
    const calls = [
      handler("live", "Stop", { calls: 3 }),
      handler("live", "PostToolUse", { failures: 1 }),
    ];
    const world = { plugins: [plugin("live")], subscriptions: calls };
    const { out } = await run(
      "metrics",
      served({ ...world, metrics: { ...quietMetrics, tools: [tool] } }),
    );
    const cells = out.map((line) => line.trim().split(/ {2,}/));
    expect(cells.filter(([, hook]) => hook === "Stop")).toEqual([["live", "Stop", "3"]]);
    expect(cells.filter(([, hook]) => hook === "PostToolUse")).toEqual([
      ["live", "PostToolUse", "1, 1 failed"],
    ]);
  });

  test("as JSON has the figures and the times", async () => {
    const subscriptions = [handler("live", "Stop", { calls: 0 }), handler("sqlite", "storage.put")];
    const { out } = await run(
      "metrics --json",
      served({
        plugins: [plugin("live")],
        subscriptions,
        metrics: { ...quietMetrics, tools: [tool] },
      }),
    );
    expect(JSON.parse(out.join(""))).toEqual({
      ...{ ...quietMetrics, tools: [tool] },
      speeds: [{ strategy: "live", hook: "Stop", calls: 0, failures: 0, p50: null, p99: null }],
    });
  });
});

// What the commands about Endless Mode, statistics and the server's state ask, show and exit with.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { endlessMetrics } from "../../../src/cli/endless/metrics.ts";
import { endlessStatus } from "../../../src/cli/endless/status.ts";
import { stats } from "../../../src/cli/history/stats.ts";
import { status } from "../../../src/cli/server/status.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { noUsage, quietMetrics } from "../../support/quiet-metrics.ts";
import { quietStatus } from "../../support/quiet-status.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

const now = new Date(2026, 10, 21, 12).getTime();

/** Runs a command against these answers; without any against no server at all. */
async function run(
  answers: CannedAnswers | undefined,
  command: (terminal: Terminal) => Promise<number>,
) {
  const server = answers && (await cannedServer(place.home, answers));
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const terminal = plainTerminal({ now: () => now, cwd: "/w/shop", env });
  try {
    const code = await command(terminal);
    return { code, lines: terminal.out.join("\n").split("\n"), asked: server?.asked ?? [] };
  } finally {
    await server?.stop();
  }
}

const tool = {
  ...{
    strategy: "live",
    tool: "Bash",
    kind: "kept failures (2)",
    judged: false,
    reduced: 3,
    characters: 100_000,
    charactersOut: 80_000,
  },
  ...{
    tokensOut: 20_000,
    tokensBack: 0,
    fetchedBack: 1,
    charactersBack: 8_000,
    profits: true,
    why: "",
  },
};
const strategy = { name: "live", fills: ["endless-mode"], state: "running", description: "" };
const plugins = {
  plugins: [strategy, { ...strategy, name: "sqlite", fills: ["storage"] }],
  subscriptions: [
    { plugin: "live", hook: "PostToolUse", calls: 12, failures: 1, p50: 1.25, p99: 9.5 },
    { plugin: "live", hook: "Stop", calls: 0, failures: 0, p50: null, p99: null },
    { plugin: "sqlite", hook: "storage.put", calls: 9, failures: 0, p50: 1, p99: 1 },
  ],
};

describe("endless metrics", () => {
  const metrics = (answer: object, options: object = {}) =>
    run({ "/api/endless/metrics": answer, "/api/plugins": plugins }, (terminal) =>
      endlessMetrics({ since: "7d", ...options }, terminal),
    );

  test("by tool with what was fetched back, by hook with what it cost, and what may be concluded", async () => {
    const turns = { turns: 4, input: 1_000, output: 200, cacheRead: 39_000, cacheWrite: 4_000 };
    const note = {
      strategy: "live",
      kind: "waited",
      reason: "late",
      count: 2,
      characters: 0,
      tokens: 0,
      ms: 500,
      longestMs: 1_400,
    };
    const { lines, asked } = await metrics({
      ...{ ...quietMetrics, tools: [tool], notes: [note] },
      treated: { sessions: 2, before: noUsage, after: turns },
    });
    expect(asked[0]?.query).toEqual({ since: String(now - 7 * 86_400_000) });
    const cells = lines.map((line) => line.split(/\s{2,}/).join("|"));
    expect(cells).toContain(
      "live|Bash|kept failures (2)|3|100.0k|80.0k (80 %)|20.0k|1 time, 8.0k (10 %)|too few to say",
    );
    expect(cells).toContain("live|waited|2||250 ms each, at most 1.4 s|late".replace("2||", "2|"));
    expect(cells).toContain("live|PostToolUse|12, 1 failed|1.3 ms|9.5 ms");
    expect(cells).toContain("with Endless Mode, since it acted|2|4|1.0k|39.0k|4.0k|200|11.0k");
    expect(lines).toContain("Too few sessions.");
    expect(lines.at(-1)).toBe(
      "Tokens left out are estimates of four characters each; usage is what the API reported.",
    );
    expect(cells).toContain(
      "Left out|tool|kind|times|of characters|left out|tokens ~|fetched back|pays",
    );
    expect(cells).toContain("Noted|what|times|characters|time|why");
    expect(cells).toContain("Speed|hook|calls|p50|p99");
    expect(cells).toContain(
      "Requests|sessions|turns|input|cache read|cache written|output|carried by a turn",
    );
    expect(lines.join("\n")).not.toMatch(/storage\.put|held out/);
  });

  test("of one project leaves out the times, which are of all", async () => {
    const { lines, asked } = await run(
      {
        "/api/endless/metrics": { ...quietMetrics, tools: [tool] },
        "/api/plugins": plugins,
        "/api/sessions": { sessions: [] },
      },
      (terminal) => endlessMetrics({ since: "7d", project: "shop" }, terminal),
    );
    expect(asked.find(({ path }) => path === "/api/endless/metrics")?.query).toMatchObject({
      project: "shop",
    });
    expect(lines.join("\n")).not.toContain("PostToolUse");
  });

  test("nothing says where it is on", async () => {
    const { lines } = await metrics(quietMetrics);
    expect(lines.slice(1)).toEqual([
      "Endless Mode did nothing in that time.",
      "`memoir endless status` says where it is on.",
    ]);
  });
});

describe("endless status", () => {
  const served: CannedAnswers = {
    "/api/status": {
      ...quietStatus,
      plugins: [strategy, { ...strategy, name: "mine", state: "failed", error: "line 3" }],
      endless: {
        kept: {
          contents: 2,
          references: 2,
          characters: 9_000,
          bytes: 1_000,
          oldestAt: now - 7_200_000,
        },
        ...{ fileBytes: 40_000, damaged: [] },
      },
    },
    "/api/plugins": plugins,
    "/api/endless/metrics": ({ query }) => ({
      ...quietMetrics,
      tools:
        query.since === undefined
          ? [tool, { ...tool, tool: "Grep", profits: false, why: "too much came back" }]
          : [],
    }),
  };
  const show = (answers: CannedAnswers | undefined) =>
    run(answers, (terminal) => endlessStatus({}, terminal));

  test("where it is on, what it did today and in all, what does not pay, what is kept, what is wrong", async () => {
    await setConfigValue(place.home, ["endless", "projects", "acme/shop"], ["live"]);
    await setConfigValue(place.home, ["endless", "holdOut"], 0.1);
    const { code, lines } = await show(served);
    expect(code).toBe(0);
    expect(lines).toEqual([
      "Endless Mode",
      "  on          project acme/shop: live",
      "              10 % of sessions stay untouched, for comparison",
      "  strategies  live: PostToolUse 12 calls, 1 failed, 1.3 ms",
      "              mine: not called yet",
      "  left out    today nothing",
      "              in all 160.0k characters, about 40.0k tokens, 6 times",
      "  fetched     today nothing",
      "              in all 16.0k characters, 2 times",
      "  no gain     live on Grep, kept failures (2): too much came back",
      expect.stringContaining(
        "  kept        2 originals of 9.0 kB in 1.0 kB (file 40 kB), the oldest 2h ago; for ",
      ),
      "  wrong       mine: line 3",
    ]);
  });

  test("without a server there is what config says, and exit code 3", async () => {
    const { code, lines } = await show(undefined);
    expect([code, lines[1]]).toEqual([3, "  on          project acme/shop: live"]);
    expect(lines.at(-1)).toContain("No server runs");
  });
});

describe("stats", () => {
  const sums = {
    ...{
      sessions: 2,
      prompts: 5,
      observations: 4,
      discovery: 30_000,
      discoveryKnown: 3,
      read: 800,
    },
    ...{
      observer: 0,
      injections: 1,
      injected: 500,
      carried: 1_500,
      used: 1,
      saved: 9_000,
      net: 7_500,
    },
  };
  const usage = { total: { calls: 0 }, byDay: [], byProject: [], byModel: [], byPurpose: [] };
  const report = { since: now - 86_400_000, total: sums, byDay: [], byProject: [], moments: [] };
  const show = (answer: object, options: object = {}, more: CannedAnswers = {}) =>
    run({ "/api/stats": answer, "/api/usage": usage, ...more }, (terminal) =>
      stats({ since: "1d", ...options }, terminal),
    );

  test("what was found out, what it took to read, and what was saved at most", async () => {
    const rows = Array.from({ length: 16 }, (_, at) => ({ ...sums, key: `p${at}` }));
    const { lines, asked } = await show(
      { ...report, byProject: rows, total: { ...sums, net: -2_500 } },
      { project: "shop" },
    );
    expect(asked.map(({ query }) => [query.project, query.since])).toEqual([
      ["shop", String(now - 86_400_000)],
      ["shop", String(report.since)],
    ]);
    expect(lines[0]).toBe(`Since ${dateTime(report.since)}`);
    const cells = lines.map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join("|"),
    );
    for (const line of [
      "remembered|4 observations of 2 sessions with 5 prompts",
      "finding out|30.0k tokens (known for 3 of 4)",
      "reading it all|about 800 tokens, 1 to 50.0",
      "given to sessions|1 context, about 500 tokens, 1.5k with every request that carried them",
      "saved at most|9.0k tokens: 1 observation was given and then worked on",
      "net at most|-2.5k tokens",
      "p0|2|4|30.0k|800|1.5k|9.0k",
      "and 2 more",
    ])
      expect(cells).toContain(line);
    expect(cells).not.toContain("p14|2|4|30.0k|800|1.5k|9.0k");
  });

  test("hints by their kind, and those that were kept back", async () => {
    const moments = [
      { kind: "failure", told: 3, lookedUp: 1, actedOn: 2, keptBack: 0 },
      { kind: "file", told: 9, lookedUp: 0, actedOn: 0, keptBack: 4 },
    ];
    const { lines } = await show({ ...report, moments });
    const at = lines.indexOf("Told at the right moment");
    expect(lines.slice(at + 1, at + 3)).toEqual([
      "  failure  3 told, 1 looked up, 2 acted on",
      "  file     9 told, 0 looked up, 0 acted on, 4 kept back: the kind was silent",
    ]);
  });

  test("zeros say whether there is older memory, or none", async () => {
    const zeros = { ...report, total: { ...sums, observations: 0 } };
    const older = { "/api/search": { results: [{ createdAt: new Date(2026, 4, 3).getTime() }] } };
    const empty = { "/api/search": { results: [] } };
    const hinted = await show(zeros, {}, older);
    expect(hinted.lines.join("\n")).toContain("`memoir memory stats --since 2026-05-03`");
    const query = hinted.asked.find(({ path }) => path === "/api/search")?.query;
    expect(query).toMatchObject({ until: String(zeros.since), kinds: "observation" });
    expect(query?.since).toBeUndefined();
    expect((await show(zeros, {}, empty)).lines.join("\n")).toContain("Nothing is remembered yet.");
    const ofProject = await show(zeros, { project: "shop" }, empty);
    expect(ofProject.lines.join("\n")).toContain("Nothing is remembered of project shop");
    expect(ofProject.asked.find(({ path }) => path === "/api/search")?.query.project).toBe("shop");
  });
});

describe("status", () => {
  test("of a server that runs is exit code 0, of none 3 with what waits", async () => {
    const up = await run({ "/api/status": quietStatus }, (terminal) => status({}, terminal));
    expect([up.code, up.lines[0]?.includes("running")]).toEqual([0, true]);
    const json = await run({ "/api/status": quietStatus }, (terminal) =>
      status({ json: true }, terminal),
    );
    expect(JSON.parse(json.lines.join(""))).toMatchObject({ running: true, pid: 7 });
    const down = await run(undefined, (terminal) => status({}, terminal));
    expect([down.code, down.lines[0]]).toEqual([3, "memoir  not running"]);
    const none = await run(undefined, (terminal) => status({ json: true }, terminal));
    expect(JSON.parse(none.lines.join(""))).toMatchObject({
      running: false,
      spool: { waiting: 0 },
    });
  });
});

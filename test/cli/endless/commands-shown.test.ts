// What the commands about statistics and the server's state ask, show and exit with.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { stats } from "../../../src/cli/history/stats.ts";
import { status } from "../../../src/cli/server/status.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
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
    },
  };
  const usage = { total: { calls: 0 }, byDay: [], byProject: [], byModel: [], byPurpose: [] };
  const savings = {
    model: "claude-sonnet-5-5",
    shown: { contexts: 1, tokens: 500, carried: 1_500, cost: 0.0045 },
    used: {
      ...{ count: 1, sure: 1, ways: { opened: 1 } },
      events: [{ time: now, session: "s-12345678", project: "shop", how: "opened", ids: ["o1"] }],
    },
    avoided: { cases: 3, each: null, tokens: null, cost: null },
    net: null,
  };
  const report = {
    ...{ since: now - 86_400_000, total: sums, byDay: [], byProject: [], moments: [], savings },
  };
  const show = (answer: object, options: object = {}, more: CannedAnswers = {}) =>
    run({ "/api/stats": answer, "/api/usage": usage, ...more }, (terminal) =>
      stats({ since: "1d", ...options }, terminal),
    );

  test("without a price of the model only tokens are counted, and it says so", async () => {
    const shown = { ...savings.shown, cost: null };
    const { lines } = await show({ ...report, savings: { ...savings, model: "nope", shown } });
    expect(lines.join("\n")).toContain("Savings, in tokens alone: no price of nope is known");
  });

  test("what was found out, what it took to read, and what was used", async () => {
    const rows = Array.from({ length: 16 }, (_, at) => ({ ...sums, key: `p${at}` }));
    const { lines, asked } = await show({ ...report, byProject: rows }, { project: "shop" });
    expect(asked.map(({ query }) => [query.project, query.since])).toEqual([
      ["shop", String(now - 86_400_000)],
      ["shop", String(report.since)],
    ]);
    expect(lines[0]).toBe(`Since ${dateTime(report.since)} (--since 1d)`);
    const cells = lines.map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .join("|"),
    );
    for (const line of [
      "stored|4 observations of 2 sessions with 5 prompts",
      "finding out|30.0k tokens of your agents' work (known for 3 of 4)",
      "reading it all|about 800 tokens: finding it out took 50 times as many",
      "writing it|0 tokens: no model wrote any",
      "shown|1 context, about 500 tokens; 1.5k with every later request that carried them, $0.0045",
      "used|1 time: 1 opened",
      "opened: memoir show o1 · memoir sessions s-123456",
      "avoided|unknown: found out again in 3 cases where nothing was shown; too few to say",
      "net|unknown",
      "p0|2|4|30.0k|800|1.5k|1",
      "and 2 more",
    ])
      expect(cells).toContain(line);
    expect(cells).not.toContain("p14|2|4|30.0k|800|1.5k|1");
  });

  test("what was avoided, with its quartiles and its price, and a net below zero", async () => {
    const each = { low: 3_000, median: 5_000, high: 7_000 };
    const cost = { low: 0.006, median: 0.01, high: 0.014 };
    const net = { low: -4_000, median: -2_500, high: 500 };
    const avoided = { cases: 9, each, tokens: each, cost };
    const { lines } = await show({ ...report, savings: { ...savings, avoided, net } });
    const text = lines.join("\n");
    expect(text).toContain(
      "about 5.0k tokens (half of the cases: 3.0k to 7.0k), $0.0100: what finding out again took",
    );
    expect(text).toContain("-2.5k tokens (half of the cases: -4.0k to 500)");
  });

  test("nothing was shown, nothing used, a little found out, and a model asked", async () => {
    const none = { ...savings, shown: { contexts: 0, tokens: 0, carried: 0, cost: 0 } };
    const shown = (await show({ ...report, savings: none })).lines.join("\n");
    expect(shown).toContain("shown  nothing: no session of this time got a context from memory");
    expect(shown).not.toContain("$0");
    const zero = { low: 0, median: 0, high: 0 };
    const unused = {
      ...{ ...savings, used: { count: 0, sure: 0, ways: {}, events: [] } },
      ...{ avoided: { cases: 9, each: zero, tokens: zero, cost: zero } },
      net: { low: -1_500, median: -1_500, high: -1_500 },
    };
    const total = { ...sums, discovery: 1_800, observer: 90 };
    const lines = (await show({ ...report, total, savings: unused })).lines.join("\n");
    expect(lines).toContain("about 800 tokens: finding it out took 3.0 times as many");
    expect(lines).toContain("90 tokens of a model");
    expect(lines).toMatch(
      /avoided +nothing: no record was opened, followed or applied\n +net +-1.5k tokens\n/,
    );
    const short = (await show({ ...report, total: { ...total, discovery: 600 } })).lines;
    expect(short.find((line) => line.includes("reading it all"))?.trim()).toMatch(
      /about 800 tokens$/,
    );
  });

  test("hints by their kind, and those that were kept back", async () => {
    const moments = [
      { kind: "failure", told: 3, lookedUp: 1, actedOn: 2, keptBack: 0 },
      { kind: "file", told: 9, lookedUp: 0, actedOn: 0, keptBack: 4 },
    ];
    const { lines } = await show({ ...report, moments });
    const at = lines.indexOf("Hints");
    expect(lines.slice(at + 1, at + 3)).toEqual([
      "  failure  3 given, 1 looked up, 2 acted on",
      "  file     9 given, 0 looked up, 0 acted on, 4 kept back: nobody had used them",
    ]);
  });

  test("in place of zeros one line says whether there is older memory, or from when on there will be", async () => {
    const unshown = { ...savings, shown: { contexts: 0, tokens: 0, carried: 0, cost: 0 } };
    const some = { ...report, total: { ...sums, observations: 0, sessions: 0 } };
    const zeros = { ...some, savings: unshown };
    const older = { "/api/search": { results: [{ createdAt: new Date(2026, 4, 3).getTime() }] } };
    const empty = { "/api/search": { results: [] } };
    const hinted = await show(zeros, {}, older);
    expect(hinted.lines).toEqual([
      `Nothing since ${dateTime(zeros.since).slice(0, 10)}; the newest memory is of 2026-05-03: \`memoir memory stats --since 2026-05-03\`.`,
    ]);
    const query = hinted.asked.find(({ path }) => path === "/api/search")?.query;
    expect(query).toMatchObject({ until: String(zeros.since), kinds: "observation" });
    expect(query?.since).toBeUndefined();
    expect((await show(zeros, {}, empty)).lines).toEqual([
      "Nothing yet: it counts from the first session that memoir captures on; `memoir backfill` imports old ones.",
    ]);
    const unfound = { ...zeros, total: { ...sums, observations: 0 } };
    for (const counted of [some, unfound])
      expect((await show(counted, {}, empty)).lines.length).toBeGreaterThan(8);
    const projects = [
      { id: "g/shop", name: "shop", sessions: 0, observations: 0, lastActiveAt: 0 },
    ];
    const known = {
      "/api/status": { ...quietStatus, storage: { ...quietStatus.storage, projects } },
    };
    const ofProject = await show(zeros, { project: "shop" }, { ...empty, ...known });
    expect(ofProject.lines).toEqual([expect.stringContaining("Nothing of project shop yet: ")]);
    await expect(show(zeros, { project: "shp" }, { ...empty, ...known })).rejects.toThrow(
      "There is no project shp; did you mean shop?",
    );
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

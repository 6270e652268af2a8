// What `memoir endless on` and `off` write, ask and say, in each scope; and what the gateway's status tells.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gatewayStatus } from "../../../src/cli/endless/status.ts";
import { switchEndless } from "../../../src/cli/endless/switch.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import type { BookLine } from "../../../src/runtime/endless/books.ts";
import { type EndlessMetrics, endlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { session } from "../../support/records.ts";

type SwitchOptions = Parameters<typeof switchEndless>[2];

const whole = "5f1f6b9e-0000-4000-8000-00000000d3f0";
const now = Date.UTC(2026, 10, 21);
let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

async function run(command: (terminal: Terminal) => Promise<number>, answers?: CannedAnswers) {
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
const turn = (on: boolean, names: string[] = [], options: SwitchOptions = {}) =>
  run((terminal) => switchEndless(on, names, options, terminal), {
    "/api/endless/project": { project: { id: "acme/shop", name: "shop", root: "/w/shop" } },
    [`/api/sessions/${whole.slice(0, 8)}`]: { session: session(whole) },
    "/api/reload": {},
  });
const endless = async () =>
  JSON.parse(await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}")).endless;

describe("switched", () => {
  test("on in this folder's project: said, written, told to the server, and how it goes off again", async () => {
    const { code, lines, asked } = await turn(true);
    expect(code).toBe(0);
    expect(lines).toEqual([
      "Endless Mode is on in shop (acme/shop): live.",
      expect.stringMatching(/^ {2}live: \S/),
      expect.stringMatching(
        /^ {2}What is left out is kept for \d+ days; `memoir recall <id>` gives it back\.$/,
      ),
      "  Off again: `memoir endless off`.",
    ]);
    expect(asked.map(({ method, path, query }) => [method, path, query.cwd])).toEqual([
      ["GET", "/api/endless/project", "/w/shop"],
      ["POST", "/api/reload", undefined],
    ]);
    expect(await endless()).toEqual({ projects: { "acme/shop": ["live"] } });
  });

  test("adds to what is on, each strategy once and in the order in which they act; off takes away what is named, or all", async () => {
    await turn(true, ["gateway"]);
    expect((await turn(true, ["live", "gateway"])).lines[0]).toMatch(
      /is on in shop \(acme\/shop\): (live, gateway|gateway, live)\./,
    );
    const some = await turn(false, ["gateway", "nope"]);
    expect(some.lines.slice(0, 2)).toEqual([
      "Endless Mode is on in shop (acme/shop): live.",
      "  nope: was not on in shop (acme/shop).",
    ]);
    const off = await turn(false);
    expect(off.lines).toEqual(["Endless Mode is off in shop (acme/shop)."]);
    expect(await endless()).toBeUndefined();
  });

  test("everywhere says which places have a word of their own", async () => {
    await turn(true);
    const { lines } = await turn(true, [], { everywhere: true });
    expect(lines[0]).toBe("Endless Mode is on everywhere: live.");
    expect(lines).toContain(
      "  1 project or session has a setting of its own: `memoir endless status`.",
    );
    expect(lines.at(-1)).toBe("  Off again: `memoir endless off --everywhere`.");
    expect(await endless()).toEqual({ projects: { "acme/shop": ["live"] }, everywhere: ["live"] });
    // The project's own word now says what the wider one says anyway.
    await turn(true);
    expect(await endless()).toEqual({ everywhere: ["live"] });
    await turn(false);
    expect(await endless()).toEqual({ everywhere: ["live"], projects: { "acme/shop": [] } });
    await turn(false, [], { everywhere: true });
    expect((await endless()).everywhere).toBeUndefined();
  });

  test("in a session, by the beginning of its id or its whole id, and never in one that is none", async () => {
    const { lines } = await turn(true, [], { session: whole.slice(0, 8) });
    expect(lines[0]).toBe(`Endless Mode is on in session ${whole}: live.`);
    expect(lines.at(-1)).toBe(`  Off again: \`memoir endless off --session ${whole}\`.`);
    expect(await endless()).toEqual({ sessions: { [whole]: ["live"] } });
    expect((await turn(false, [], { session: whole.slice(0, 4) })).lines).toEqual([
      `Endless Mode is off in session ${whole}.`,
    ]);
    const unknown = "11111111-0000-4000-8000-00000000d3f0";
    expect((await turn(true, [], { session: unknown })).code).toBe(0);
    for (const none of ["nope", ""])
      await expect(turn(true, [], { session: none })).rejects.toThrow(
        `There is no session "${none}".`,
      );
  });

  test("with a hold-out, says which share stays as it is; the gateway says what it needs", async () => {
    await setConfigValue(place.home, ["endless", "holdOut"], 0.25);
    const { lines } = await turn(true, ["gateway"]);
    expect(lines).toContain(
      "  gateway sees only sessions that go through memoir's gateway: `memoir endless gateway on`.",
    );
    expect(lines).toContain(
      "  25 % of sessions stay untouched, for comparison (`endless.holdOut`).",
    );
    expect((await turn(false)).lines.join()).not.toContain("stay untouched");
    await setConfigValue(place.home, ["endless", "holdOut"], 1);
    expect((await turn(true, [], { session: whole })).lines).toContain(
      "  This session belongs to the hold-out share and stays untouched all the same.",
    );
  });

  test("a strategy that is disabled as a plugin is named with the way on; `off` is none; JSON is for programs", async () => {
    await setConfigValue(place.home, ["plugins", "live", "enabled"], false);
    expect((await turn(true)).lines).toContain(
      "  live is disabled as a plugin: `memoir plugin enable live`.",
    );
    await expect(turn(true, ["off"])).rejects.toThrow("`off` is no strategy");
    await expect(turn(true, ["nope"])).rejects.toThrow("nope");
    expect(JSON.parse((await turn(true, [], { json: true })).lines.join(""))).toEqual({
      ...{ scope: "project", session: "", project: "acme/shop" },
      ...{ strategies: ["live"], settings: [] },
    });
  });
});

describe("the gateway's status", () => {
  const served = {
    ...{ enabled: true, listening: true, port: 47_811, upstream: "https://api.example.com" },
    ...{ requests: 9, rewritten: 3, unsure: 2, failed: 1, unreached: 0, refused: 1 },
  };
  const look = (
    gateway?: object,
    json = false,
    metrics: EndlessMetrics = endlessMetrics(0, [], []),
  ) =>
    run(
      (terminal) => gatewayStatus({ json }, terminal),
      gateway && {
        "/api/status": { ...quietStatus, gateway },
        "/api/endless/metrics": metrics,
      },
    );
  const on = () => setConfigValue(place.home, ["endless", "gateway", "enabled"], true);

  test("off and without a server, and on without one", async () => {
    const off = await look();
    expect([off.code, off.lines]).toEqual([
      3,
      [
        "gateway off",
        expect.stringMatching(/^ {2}requests {2}http:\/\/127\.0\.0\.1:\d+ → https:\/\//),
        "  settings  no client is led here",
        "  No server runs; the next hook starts it, and so does `memoir server start`.",
      ],
    ]);
    await on();
    const { lines } = await look();
    expect([lines[0], lines.at(-1)]).toEqual([
      "gateway on",
      "  Whoever holds this port on this machine sees the requests to your model, and the key in them.",
    ]);
  });

  test("what passed and what became of it; open sessions while it is off; what is wrong is exit code 1", async () => {
    await on();
    const passed = async (gateway: object) =>
      (await look({ ...served, ...gateway })).lines.filter((line) => line.startsWith("  passed"));
    expect(await passed({})).toEqual([
      "  passed    9 requests, 3 rewritten, 2 left alone as unsure, 1 left alone as a strategy failed, 1 refused",
    ]);
    expect(await passed({ enabled: false })).toEqual([
      expect.stringMatching(/refused, for sessions that are still open, unchanged$/),
    ]);
    expect(await passed({ listening: false })).toEqual(["  passed    it does not listen"]);
    expect(await passed({ listening: false, enabled: false })).toEqual(["  passed    it is off"]);
    expect((await look(served)).code).toBe(0);
    const broken = await look({ ...served, listening: false, error: "port taken" });
    expect([broken.code, broken.lines.includes("  wrong     port taken")]).toEqual([1, true]);
  });

  test("what the books say: the cache's share, what was gained, and the last five batches, newest first", async () => {
    await on();
    expect((await look(served)).lines.join()).not.toMatch(/batches|cache|gained/);
    const line = (kind: "retired" | "unshared", at: number, more: Partial<BookLine> = {}) => ({
      ...{ strategy: "gateway", kind, tool: "", part: "" as const, reason: "", count: 1, whole: 0 },
      ...{ characters: 0, tokens: 0, ms: 0, longestMs: 0, session: whole },
      ...{ at: now - at * 3_600_000, ...more },
    });
    const turns = { turns: 1, input: 50, output: 9, cacheRead: 350, cacheWrite: 100 };
    const gain = { requests: 9, tokens: 100, more: 0, cost: 1, saved: 0.25 };
    const metrics = endlessMetrics(
      0,
      [
        ...[6, 2, 1, 3, 5, 4].map((at) => line("retired", at, { reason: `${at} parts: it pays` })),
        line("retired", 0, { strategy: "other" }),
        line("unshared", 7, { count: 2, tokens: 8_000 }),
      ],
      [
        {
          ...{ session: whole, project: "", strategies: ["gateway"], heldOut: false },
          ...{ firstReducedAt: 0, updatedAt: 1, before: turns, after: turns, gain },
        },
      ],
    );
    const direct = { ...served, upstream: "https://api.anthropic.com" };
    const { lines } = await look(direct, false, metrics);
    expect(lines.slice(4, -1)).toEqual([
      "  cache     2 answers: 70 % of input read from the cache, 200 tokens written to it",
      "  gained    About 100 tokens left out over 9 requests: $0.25 less (20.0 %) at list prices with the cache's, and no compaction was put off. Estimates.",
      ...[1, 2, 3, 4, 5].map((at) => `  batches   ${at}h ago, 5f1f6b9e: ${at} parts: it pays`),
      "  sum       2 sessions began without the cache that all users share, which took at most 9200 tokens at the input price",
    ]);
    const printed = JSON.parse((await look(served, true, metrics)).lines.join(""));
    expect([printed.running, printed.batches.length, printed.batches[0].at]).toEqual([
      ...[true, 5, now - 3_600_000],
    ]);
    expect([printed.cache, printed.gained.saved]).toEqual([
      ...[{ answers: 2, read: 700, write: 200, input: 100 }, 0.25],
    ]);
  });

  test("another address in this folder's settings is named", async () => {
    await on();
    const folder = join(place.root, ".claude");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "settings.local.json"),
      JSON.stringify({ env: { ANTHROPIC_BASE_URL: "https://other.test" } }),
    );
    const terminal = plainTerminal({
      ...{ cwd: place.root, now: () => now },
      env: { HOME: join(place.root, "elsewhere"), MEMOIR_HOME: place.home },
    });
    await gatewayStatus({}, terminal);
    expect(terminal.out).toContain(
      `  but       ${join(folder, "settings.local.json")} sets https://other.test, which counts in this folder`,
    );
  });
});

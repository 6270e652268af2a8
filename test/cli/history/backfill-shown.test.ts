// `memoir backfill` as typed: what it asks a person, which model it would ask, and how it follows the work to its end.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { estimateModelTokens } from "../../../src/backfill/plan.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import type { AskedRoute, CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { busySession } from "../../support/recorded-session.ts";
import { drawn, type Typed, typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let projects: string;
beforeAll(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
beforeEach(async () => {
  projects = await mkdtemp(join(place.root, "projects-"));
  await busySession("one", "/gone/shop", Date.now() - 60_000, 1).write(projects);
});
afterEach(() => writeFile(join(place.home, "config.json"), "{}"));
afterAll(() => place.end());

const now = Date.UTC(2026, 10, 21, 12);
const progress = (part: object = {}) => ({
  ...{ state: "done", startedAt: now - 2_000, endedAt: now, failures: [], unsettled: 0 },
  sessions: { done: 1, total: 1 },
  bytes: { done: 10, total: 10 },
  events: { committed: 3, delivered: 0, recovered: 0, dropped: 0 },
  ...part,
});
const complete = (...names: string[]) => ({
  plugins: [],
  subscriptions: names.map((plugin) => ({ plugin, hook: "complete" })),
});
const found = { startedAt: now, lastAt: now, prompts: 1, toolUses: 4, known: 0, characters: 99 };
const server = (more: CannedAnswers = {}): CannedAnswers => ({
  "/api/backfill/read": { files: [] },
  "/api/backfill/look": { found },
  "/api/plugins": complete(),
  "/api/backfill": ({ method }) => (method === "POST" ? {} : { progress: progress() }),
  ...more,
});
const run = (words: string, answers = server(), more: Partial<Terminal> = {}) =>
  typed(["backfill", projects, ...words.split(" ").filter(Boolean)], answers, {
    now: () => now,
    ...more,
  });
const begun = (asked: readonly AskedRoute[]) =>
  asked.filter(({ method, path }) => method === "POST" && path === "/api/backfill");
const person = (answer: boolean, questions: string[] = []): Partial<Terminal> => ({
  interactive: true,
  confirm: async (question) => {
    questions.push(question);
    return answer;
  },
});

test("a script begins with --yes; each session's files go to the server, and no model with them", async () => {
  const { code, out, asked } = await run("--provider none --yes");
  expect([code, out.at(-2)]).toEqual([0, "✓ 1 session imported in 2.0 s"]);
  expect(out.at(-1)).toStartWith("  3 new events, 0 already known");
  expect(begun(asked).map(({ body }) => body)).toMatchObject([
    { modelFree: true, sessions: [{ session: "one" }] },
  ]);
  expect(asked.map(({ path }) => path)).not.toContain("/api/plugins");
});

test("a person is asked once, by name where a model would read it", async () => {
  const questions: string[] = [];
  expect((await run("", server(), person(true, questions))).code).toBe(0);
  expect(questions).toEqual(["Continue?"]);
  const withModel = server({ "/api/plugins": complete("none", "anthropic", "other") });
  const yes = await run("", withModel, person(true, questions));
  expect(questions[1]).toBe(
    "Continue, and let anthropic read these sessions? (--provider none does it without)",
  );
  expect(begun(yes.asked)[0]?.body).toMatchObject({ modelFree: false });
  const no = await run("--yes", withModel, person(false, questions));
  expect([no.code, questions.length, begun(no.asked)]).toEqual([1, 3, []]);
  const named = await run("--provider other --yes", withModel, person(false, questions));
  expect([named.code, questions.length]).toEqual([0, 3]);
});

test("a script spends nothing without naming the model", async () => {
  const withModel = server({ "/api/plugins": complete("anthropic") });
  const fix = async (words: string, answers = withModel) => {
    const { code, err, asked } = await run(words, answers);
    expect([code, err[0], begun(asked)]).toEqual([
      2,
      "error: Can't ask for confirmation without a terminal.",
      [],
    ]);
    return err[1];
  };
  const spend =
    "fix: Pass --provider none --yes, or --provider anthropic --yes to spend tokens on it.";
  expect(await fix("--yes")).toBe(spend);
  expect(await fix("")).toBe(spend);
  expect(await fix("--provider anthropic")).toBe(spend);
  expect(await fix("", server())).toBe("fix: Pass --yes to confirm.");
  expect((await run("--provider anthropic --yes", withModel)).code).toBe(0);
});

test("a provider that is not in effect is refused with the one that is", async () => {
  const why = async (answers: CannedAnswers) => (await run("--provider mine --yes", answers)).err;
  expect(await why(server())).toEqual([
    "error: The provider mine is not in use.",
    "fix: Set it with `memoir config set slots.provider mine`, or use --provider none.",
  ]);
  expect((await why(server({ "/api/plugins": complete("none", "anthropic") })))[1]).toBe(
    "fix: Use --provider anthropic or --provider none.",
  );
});

test("what a model would take is said with its price where that is known", async () => {
  const priceOf = async (provider: string, more: CannedAnswers = {}) => {
    const { out } = await run("--dry-run", server({ "/api/plugins": complete(provider), ...more }));
    return out.find((one) => one.startsWith(provider));
  };
  const line = () => priceOf("anthropic");
  const spent = /^anthropic would be used: about [\d,]+ input and [\d,]+ output tokens, /;
  // The default model's price; a long prompt's only where one call is long.
  expect(await line()).toMatch(new RegExp(`${spent.source}about \\$0\\.00 \\(estimates\\)`));
  const large = (prompts: number) => ({
    "/api/backfill/look": { found: { ...found, toolUses: 0, prompts, characters: 400_000 } },
  });
  expect(await priceOf("anthropic", large(100))).toContain("about $0.06 (estimates)");
  expect(await priceOf("anthropic", large(1))).toContain("about $0.05 (estimates)");
  expect(await priceOf("mine")).toContain("at a price that is not known");
  const prices = { mine: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } };
  await writeFile(
    join(place.home, "config.json"),
    JSON.stringify({ plugins: { anthropic: { model: "mine" } }, budget: { prices } }),
  );
  expect(await line()).toMatch(new RegExp(`${spent.source}about \\$\\d+\\.\\d\\d \\(estimates\\)`));
});

test("a dry run begins nothing, and says so; as JSON plan and result stand in one line", async () => {
  const dry = await run("--dry-run --provider none");
  expect([dry.code, dry.out.at(-1), begun(dry.asked)]).toEqual([
    ...[0, "Nothing was imported.", []],
  ]);
  const json = await run("--provider none --yes --json");
  expect(json.out).toHaveLength(1);
  expect(JSON.parse(json.out.join(""))).toMatchObject({
    plan: { prompts: 1, alreadyRead: 0, empty: 0, model: { provider: null, cost: 0 } },
    result: { state: "done" },
  });
});

test("what is not taken in is exit code 1: a failure, and an end before the end", async () => {
  const ends = (part: object) =>
    run("--provider none --yes", server({ "/api/backfill": { progress: progress(part) } }));
  const failed = await ends({ failures: [{ session: "one", reason: "it is gone" }] });
  expect([failed.code, failed.out.at(-1)]).toEqual([1, "  not read: one: it is gone"]);
  expect((await ends({ state: "stopped" })).code).toBe(1);
});

test("a server that was started anew is asked again, and each step is followed until the end", async () => {
  const states = [null, progress({ state: "running", endedAt: null }), progress()];
  const { code, asked } = await run(
    "--provider none --yes",
    server({
      "/api/backfill": ({ method }) => (method === "POST" ? {} : { progress: states.shift() }),
    }),
  );
  expect([code, begun(asked).length, states]).toEqual([0, 2, []]);
});

test("on a screen a bar is drawn over itself and taken away; without one a line each five seconds", async () => {
  let time = now;
  const half = { state: "running", endedAt: null, bytes: { done: 5, total: 10 } };
  const answers = () => {
    const states = [progress(half), progress(half), progress()];
    return server({
      "/api/backfill": ({ method }) => {
        if (method === "GET") time += 3_000;
        return method === "POST" ? {} : { progress: states.shift() };
      },
    });
  };
  const clock = { now: () => time };
  let shown: Typed | undefined;
  const screen = await drawn(async () => {
    shown = await run("--provider none --yes", answers(), { ...clock, width: 100 });
  });
  const pieces = screen.split("\r\u001b[2K");
  expect(pieces).toHaveLength(5);
  expect([pieces[0], pieces[4]]).toEqual(["", ""]);
  expect(pieces[1]).toStartWith("██████████░░░░░░░░░░ 50 %  1 of 1 session  5 B  ");
  expect(shown?.out.join()).not.toContain("50 %");
  const plain = await run("--provider none --yes", answers(), clock);
  expect(plain.out.filter((line) => line.startsWith("50 %"))).toHaveLength(1);
  expect(await drawn(() => run("--provider none --yes --json", answers(), clock))).toBe("");
});

test("Ctrl-C stops the work where it is, and nobody listens for signals afterwards", async () => {
  const before = ["SIGINT", "SIGTERM"].map((name) => process.listenerCount(name));
  let interrupted = false;
  const { code, asked, out } = await run(
    "--provider none --yes",
    server({
      "/api/backfill": ({ method }) => {
        if (method === "GET" && !interrupted) {
          interrupted = true;
          process.emit("SIGINT");
        }
        return method === "POST" ? {} : { progress: progress({ state: "running" }) };
      },
      "/api/backfill/stop": { progress: progress({ state: "stopped" }) },
    }),
  );
  expect([code, asked.at(-1)?.path]).toEqual([1, "/api/backfill/stop"]);
  expect(out.at(-2)).toStartWith("! stopped after 1 of 1 session; run the same command");
  expect(["SIGINT", "SIGTERM"].map((name) => process.listenerCount(name))).toEqual(before);
});

test("the plan has sums, and the twelve folders with the most tool uses first", async () => {
  for (let at = 0; at < 14; at++)
    await busySession(`s${at}`, "/gone/shop", Date.now() - 60_000, 1).write(projects);
  const answers = server({
    "/api/backfill/look": ({ body }) => {
      const { session } = (body as { session: { session: string } }).session;
      const at = Number(session.slice(1));
      if (Number.isNaN(at)) return {};
      return {
        found: {
          ...found,
          startedAt: now - at * 60_000,
          lastAt: now - at * 1_000,
          cwd: `/w/${at}`,
          toolUses: at,
        },
      };
    },
  });
  const { out } = await run("--dry-run --provider none", answers);
  expect(out[0]).toMatch(
    /^14 sessions, 14 prompts, 91 tool uses, [\d.]+ kB, from 2026-11-21 11:47 to 2026-11-21 12:00 \(1 empty\)$/,
  );
  expect(out[1]).toMatch(/^ {2}\/w\/13 +1 session +1 prompt +13 tool uses$/);
  expect(out.slice(12, 15)).toEqual([
    expect.stringMatching(/^ {2}\/w\/2 /),
    "  and 2 more folders",
    "No model is used: 0 tokens, $0; nothing leaves this machine.",
  ]);
});

test("nothing to read says why", async () => {
  const { out } = await run("--provider none --yes", server({ "/api/backfill/look": {} }));
  expect(out).toEqual(["No sessions to import (1 empty)."]);
});

test("the end says what came of it, what waits, and how far it was", async () => {
  const ends = async (part: object) => {
    const answers = server({ "/api/backfill": { progress: progress(part) } });
    return (await run("--provider none --yes", answers)).out.slice(-3);
  };
  const events = { committed: 1, delivered: 4, recovered: 2, dropped: 1 };
  const sessions = { done: 1, total: 4 };
  expect(await ends({ state: "stopped", events, sessions, unsettled: 2 })).toEqual([
    "! stopped after 1 of 4 sessions; run the same command to continue",
    "  1 new event, 4 already known, 2 from an earlier run, 1 left out (`memoir status` says why)",
    "  2 sessions not processed yet; see `memoir status`",
  ]);
  const [first] = (await ends({ endedAt: null })).slice(-2);
  expect(first).toBe("✓ 1 session imported in 2.0 s");
});

test("tokens are estimated from what a model would be shown, prompts and tool uses", () => {
  const files = { session: "s", folder: "f", agents: [] } as never;
  const session = { session: "s", files, bytes: 9, ...found, prompts: 2, toolUses: 3 };
  expect(estimateModelTokens([{ ...session, characters: 401 }])).toEqual({
    ...{ input: 101 + 5_000, output: 180 + 1_000 },
  });
});

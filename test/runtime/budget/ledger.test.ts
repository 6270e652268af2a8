// Calls are counted, limits are hard, and nothing is forgotten when the process ends.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ledger, openLedger } from "../../../src/runtime/budget/ledger.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
let time: number;
let ledger: Ledger;
const open = async () => {
  ledger = await openLedger(join(folder, "usage.db"), { now: () => time, log: keptLog() });
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-ledger-"));
  time = new Date(2026, 10, 21, 12).getTime();
  await open();
});
afterEach(async () => {
  ledger.close();
  await rm(folder, { recursive: true });
});

const limits = { dailyTokens: 1_000, sessionTokens: 600 };
const call = (reserve: number, session = "s1", purpose = "observe", project = "acme/shop") => ({
  purpose,
  plugin: "hybrid",
  session,
  project,
  reserve,
});
const usage = { input: 100, output: 20, cacheRead: 30, cacheWrite: 50 };
const done = { provider: "anthropic", model: "m", usage, cost: 0.5 };

test("what is reserved counts until the call's own figures replace it", () => {
  const id = ledger.begin(call(500), limits);
  expect([ledger.usedToday(), ledger.usedBy("s1"), ledger.usedBy("s2")]).toEqual([500, 500, 0]);
  ledger.end(id, done);
  expect([ledger.usedToday(), ledger.usedBy("s1")]).toEqual([200, 200]);
});

test("a file that is deleted under the server is put back: no budget begins anew", async () => {
  ledger.end(ledger.begin(call(500), limits), done);
  await rm(join(folder, "usage.db"));
  ledger.close();
  await open();
  expect(ledger.usedToday()).toBe(200);
});

test("parallel calls cannot overshoot a limit together", () => {
  ledger.begin(call(500), limits);
  expect(() => ledger.begin(call(101), limits)).toThrow(/session's budget of 600 tokens/);
  ledger.begin(call(100), limits);
  ledger.begin(call(400, "s2"), limits);
  expect(() => ledger.begin(call(1, "s3"), limits)).toThrow(/Today's budget of 1,000 tokens/);
  expect(ledger.usedToday()).toBe(1_000);
});

test("a month's money: a call begins while less is spent, and a new month has its own", () => {
  const money = { ...limits, monthlyDollars: 1 };
  for (const cost of [0.5, null, 0.5])
    ledger.end(ledger.begin(call(10), money), { ...done, usage: { ...usage, input: 0 }, cost });
  expect(ledger.spentThisMonth()).toBe(1);
  expect(() => ledger.begin(call(10), money)).toThrow(/month's budget of \$1 is used up: \$1\.00/);
  ledger.begin(call(10), limits);
  time = new Date(2026, 11, 1, 0, 1).getTime();
  expect(ledger.spentThisMonth()).toBe(0);
  ledger.begin(call(10, "s9"), money);
});

test("a limit of 0 lets nothing through", () => {
  expect(() => ledger.begin(call(1), { dailyTokens: 0, sessionTokens: 9 })).toThrow(/budget of 0/);
});

test("a new day has a new budget; a session keeps its own", () => {
  ledger.end(ledger.begin(call(600), limits), { ...done, usage: { ...usage, input: 500 } });
  time += 24 * 60 * 60_000;
  expect(ledger.usedToday()).toBe(0);
  expect(() => ledger.begin(call(1), limits)).toThrow(/session's budget/);
  ledger.begin(call(600, "s2"), limits);
});

test("a call that failed counts what it may have taken", () => {
  const begin = () => ledger.begin(call(300), limits);
  ledger.end(begin(), { provider: "p", error: "provider_auth", spent: 0 });
  expect(ledger.usedToday()).toBe(0);
  ledger.end(begin(), { provider: "p", error: "provider_timeout", spent: 120 });
  expect(ledger.usedToday()).toBe(120);
});

test("a call that the process did not survive keeps what it reserved, also after the next start", async () => {
  ledger.begin(call(300), limits);
  ledger.close();
  await open();
  expect(ledger.usedToday()).toBe(300);
  expect(ledger.report({}).total).toMatchObject({ calls: 1, failed: 1, tokens: 300, input: 0 });
});

test("the report adds up, by day, project, model and purpose", () => {
  const wide = { dailyTokens: 1e9, sessionTokens: 1e9 };
  ledger.end(ledger.begin(call(1), wide), done);
  ledger.end(ledger.begin(call(1, "s2", "summarize", "acme/api"), wide), {
    ...done,
    model: "local",
    cost: null,
  });
  time += 24 * 60 * 60_000;
  ledger.end(ledger.begin(call(1), wide), done);
  ledger.end(ledger.begin(call(1), wide), { provider: "p", error: "provider_auth", spent: 0 });
  const report = ledger.report({});
  expect(report.total).toEqual({
    calls: 4,
    failed: 1,
    input: 300,
    output: 60,
    cacheRead: 90,
    cacheWrite: 150,
    tokens: 600,
    cost: 1,
    unpriced: 1,
  });
  const pairs = (rows: Array<{ key: string; tokens: number }>) =>
    rows.map(({ key, tokens }) => [key, tokens]);
  expect(pairs(report.byDay)).toEqual([
    ["2026-11-22", 200],
    ["2026-11-21", 400],
  ]);
  expect(pairs(report.byProject)).toEqual([
    ["acme/shop", 400],
    ["acme/api", 200],
  ]);
  expect(pairs(report.byModel)).toEqual([
    ["m", 400],
    ["local", 200],
    ["", 0],
  ]);
  expect(pairs(report.byPurpose)).toEqual([
    ["observe", 400],
    ["summarize", 200],
  ]);
  for (const rows of [report.byDay, report.byProject, report.byModel, report.byPurpose])
    expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.total.tokens);
  expect(ledger.report({ since: time }).total.calls).toBe(2);
  expect(ledger.report({ until: time }).total.calls).toBe(2);
  expect(ledger.report({ project: "api" }).total.calls).toBe(1);
  expect(ledger.report({ project: "hop" }).total.calls).toBe(0);
  expect(ledger.report({ session: "s2" }).total.calls).toBe(1);
});

test("news is news once, also after a restart", async () => {
  expect([ledger.isNews("a"), ledger.isNews("a"), ledger.isNews("b")]).toEqual([true, false, true]);
  ledger.close();
  await open();
  expect(ledger.isNews("a")).toBe(false);
});

test("a damaged file is put aside", async () => {
  ledger.close();
  for (const ending of ["-wal", "-shm"])
    await rm(join(folder, `usage.db${ending}`), { force: true });
  await writeFile(
    join(folder, "usage.db"),
    "this is no database, and it is long enough to be read",
  );
  await open();
  expect(ledger.usedToday()).toBe(0);
  expect((await readdir(folder)).some((name) => name.startsWith("usage.db.damaged-"))).toBe(true);
});

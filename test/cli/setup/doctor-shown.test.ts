// `memoir doctor` as typed: every check in its place, what the exit code tells, and what programs get.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checked } from "../../../src/health/check.ts";
import { addFinding } from "../../../src/home/findings.ts";
import { version } from "../../../src/home/version.ts";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { session } from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home, { mode: 0o700 });
});
afterEach(() => place.end());

const now = session("s1").lastActiveAt + 7_200_000;
const doctor = (answers?: CannedAnswers, ...flags: string[]) =>
  typed(["doctor", ...flags], answers, { now: () => now });
interface Found {
  ok: boolean;
  log: string;
  checks: Array<{ name: string; state: string; message: string; fix?: string }>;
}
const found = async (answers?: CannedAnswers): Promise<Found> =>
  JSON.parse((await doctor(answers, "--json")).out.join(""));
const check = async (name: string, answers?: CannedAnswers) =>
  (await found(answers)).checks.filter((one) => one.name === name);

test("without a server and an install: each check has a line, what is to be done stands below it", async () => {
  const { code, out } = await doctor();
  expect(code).toBe(1);
  const lines = out.filter((line) => /^[✓!✗] /.test(line));
  const names = lines.map((line) => line.slice(2, 12).trim());
  const { checks, ok, log } = await found();
  expect(names).toEqual(checks.map(({ name }) => name));
  expect(names).toContain("server");
  expect(out).toContain("! server    not running");
  expect(out[out.indexOf("! server    not running") + 1]).toBe(
    "            fix: It starts by itself when needed, or run `memoir server start`.",
  );
  const count = (state: string) => checks.filter((one) => one.state === state).length;
  expect(out.at(-1)).toBe(`${count("fail")} to fix, ${count("warn")} to look at. Log: ${log}`);
  expect([ok, out.at(-2)]).toEqual([false, ""]);
});

test("a server that runs is asked for its state and its newest session", async () => {
  const answers: CannedAnswers = {
    "/api/status": { ...quietStatus, version },
    "/api/sessions": { sessions: [session("s1"), session("s2", { title: "Older" })] },
  };
  const shown = await doctor(answers, "--json");
  const last = (JSON.parse(shown.out.join("")) as Found).checks.find(({ name }) => name === "last");
  expect(last).toEqual({ name: "last", state: "ok", message: "shop, 2h ago: Fix the login loop" });
  expect(shown.asked.map(({ path, query }) => [path, query])).toContainEqual([
    ...["/api/sessions", { limit: "1" }],
  ]);
  const untitled = { ...answers, "/api/sessions": { sessions: [session("s1", { title: "" })] } };
  expect((await check("last", untitled))[0]?.message).toBe("shop, 2h ago: untitled");
  expect(await check("last", { ...answers, "/api/sessions": { sessions: [] } })).toEqual([]);
  const { "/api/sessions": _, ...silent } = answers;
  expect(await check("last", silent)).toEqual([]);
});

test("what the rules of `retention.memory` let go next is told, as in the status", async () => {
  const { id, client, project, lastActiveAt } = session("s1");
  const rule = "retention.memory.days";
  const going = { id, client, project, lastActiveAt, prompts: 3, rule, stays: 0 };
  const answers: CannedAnswers = {
    "/api/status": { ...quietStatus, version },
    "/api/retention": { isBound: true, sessions: [going], bytes: 10_000_000, freed: 3_000_000 },
  };
  expect(await check("to go", answers)).toEqual([]);
  await writeFile(join(place.home, "config.json"), '{"retention":{"memory":{"days":30}}}');
  const [told, ...more] = await check("to go", answers);
  expect([told?.state, more]).toEqual(["ok", []]);
  expect(told?.message).toMatch(
    /^1 session with 3 prompts, last active before .* of .*; see `memoir memory prune --dry-run`$/,
  );
  const status = (await typed(["status"], answers)).out.join("\n");
  expect(status).toContain(`to go     ${told?.message}`);
  const nothing = {
    ...answers,
    "/api/retention": { isBound: true, sessions: [], bytes: 1, freed: 0 },
  };
  expect(await check("to go", nothing)).toEqual([]);
  expect(await check("to go")).toEqual([]);
});

test("a server that answers what nobody understands is a fault, not a server that is away", async () => {
  const [server] = await check("server", {});
  expect(server).toMatchObject({ state: "fail", message: "There is no /api/status." });
});

test("what waits and what was rejected is counted, and damage is told until it is marked as seen", async () => {
  const rejected = join(place.home, "spool", "rejected");
  await mkdir(rejected, { recursive: true });
  await writeFile(join(rejected, "x"), "");
  expect((await check("spool")).map(({ message }) => message)).toEqual([
    "1 file could not be read as events",
  ]);
  await writeFile(join(rejected, "y"), "");
  await writeFile(join(place.home, "spool", "1000-a.json"), "{}");
  expect((await check("spool")).map(({ message }) => message)).toEqual([
    expect.stringContaining("1 event waits"),
    "2 files could not be read as events",
  ]);
  addFinding(place.home, {
    time: now - 3_600_000,
    file: "memory.db",
    what: "was damaged",
    aside: "/a",
  });
  expect(await check("damage")).toMatchObject([
    { state: "warn", message: expect.stringMatching(/^1h ago: memory\.db was damaged/) },
  ]);
  const seen = await doctor(undefined, "--seen");
  expect(seen.out.join("\n")).toContain("Noted as seen.");
  expect(await check("damage")).toEqual([]);
});

test("a config that is broken is a fault with its place", async () => {
  await writeFile(join(place.home, "config.json"), '{"budget":{"dailyToken":1}}');
  expect(await check("config")).toMatchObject([
    { state: "fail", message: expect.stringContaining("dailyToken") },
  ]);
  await writeFile(join(place.home, "config.json"), "{}");
  expect(await check("config")).toEqual([
    { name: "config", state: "ok", message: `${join(place.home, "config.json")} is valid` },
  ]);
});

test("a look that throws is one failed check, with the advice that the error gives", async () => {
  const thrown = (error: unknown) => checked({ x: () => Promise.reject(error) }, undefined);
  expect(await thrown(new Error("boom"))).toEqual([
    { name: "x", state: "fail", message: "boom", fix: "Read the message above." },
  ]);
  expect(await thrown(Object.assign(new Error("boom"), { fix: "Do this." }))).toMatchObject([
    { message: "boom", fix: "Do this." },
  ]);
  expect(await thrown("text")).toMatchObject([{ message: "text", fix: "Read the message above." }]);
});

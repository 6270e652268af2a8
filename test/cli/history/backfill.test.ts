// What `memoir backfill` says and exits with, from a real server, asked by a person and by a script.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { backfill } from "../../../src/cli/history/backfill.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { busySession } from "../../support/recorded-session.ts";
import { runMemoir } from "../../support/run-memoir.ts";

let root: string;
let projects: string;
const before = { ...process.env };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-backfill-"));
  process.env.HOME = root;
  process.env.MEMOIR_HOME = join(root, "home");
});
afterAll(async () => {
  const { HOME = "", MEMOIR_HOME = "" } = process.env;
  await runMemoir(["stop"], { HOME, MEMOIR_HOME }, root);
  process.env.HOME = before.HOME;
  if (before.MEMOIR_HOME === undefined) delete process.env.MEMOIR_HOME;
  else process.env.MEMOIR_HOME = before.MEMOIR_HOME;
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  projects = await mkdtemp(join(root, "projects-"));
});

const terminal = (more: Partial<Terminal> = {}) => plainTerminal({ cwd: root, ...more });
const person = (answer: () => Promise<boolean>) => terminal({ interactive: true, confirm: answer });
const session = (name: string) => busySession(name, "/gone/shop", Date.now() - 60_000, 1);

test("a session that goes while the person thinks is named, and the exit code is 1", async () => {
  await session("one").write(projects);
  const gone = await session("two").write(projects);
  const screen = person(async () => {
    await rm(gone);
    return true;
  });
  expect(await backfill([projects], { provider: "none" }, screen)).toBe(1);
  expect(screen.out.join("\n")).toMatch(/\btwo\b/);
});

test("all of it taken in is exit code 0, and nothing is left to do the next time", async () => {
  await session("three").write(projects);
  const script = terminal();
  expect(await backfill([projects], { provider: "none", yes: true }, script)).toBe(0);
  const again = terminal();
  expect(await backfill([projects], { provider: "none", yes: true, json: true }, again)).toBe(0);
  expect(JSON.parse(again.out.join(""))).toMatchObject({ result: null });
});

test("a person who says no has nothing read, and a script without --yes is told what to add", async () => {
  await session("four").write(projects);
  const screen = person(async () => false);
  expect(await backfill([projects], { provider: "none" }, screen)).toBe(1);
  expect(screen.out.at(-1)).toBe("Nothing was read into memory.");
  await expect(backfill([projects], { provider: "none" }, terminal())).rejects.toMatchObject({
    code: "usage",
    fix: "Add --yes to begin without a question.",
  });
  const plan = terminal();
  expect(await backfill([projects], { dryRun: true, json: true }, plan)).toBe(0);
  expect(JSON.parse(plan.out.join("")).result).toBeNull();
});

test("a place without a transcript is named", async () => {
  await expect(backfill([projects], { yes: true }, terminal())).rejects.toThrow(
    `There is no transcript at ${projects}.`,
  );
});

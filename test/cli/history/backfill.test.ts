// What `memoir backfill` says and exits with, from a real server, asked by a person and by a script.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { backfill } from "../../../src/cli/history/backfill.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { busySession } from "../../support/recorded-session.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let projects: string;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());
beforeEach(async () => {
  projects = await mkdtemp(join(place.root, "projects-"));
});

const terminal = (more: Partial<Terminal> = {}) => plainTerminal({ cwd: place.root, ...more });
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

test("what would bring nothing is neither planned nor counted: a copy, what hooks brought, tools that are skipped", async () => {
  const dry = async (folder = projects) => {
    const screen = terminal();
    expect(await backfill([folder], { dryRun: true, json: true }, screen)).toBe(0);
    return JSON.parse(screen.out.join("")).plan;
  };
  const recorded = session("copied");
  await recorded.write(projects);
  const whole = await dry();
  expect(whole).toMatchObject({ prompts: 1, toolUses: 4, alreadyRead: 0 });
  expect(await backfill([projects], { provider: "none", yes: true }, terminal())).toBe(0);
  const copies = await mkdtemp(join(place.root, "copies-"));
  await recorded.write(copies);
  expect(await dry(copies)).toMatchObject({ sessions: [], alreadyRead: 1, empty: 0 });

  // It went on by one prompt, with a tool use that capture leaves out.
  const at = Date.now() - 30_000;
  recorded.prompt("One more thing", at);
  recorded.run("~/.memoir/bin/memoir search shop", "nothing", at + 1_000);
  recorded.run("make shop", "done", at + 2_000);
  await recorded.write(copies);
  const more = await dry(copies);
  expect(more).toMatchObject({ prompts: 1, toolUses: 1, alreadyRead: 0 });
  expect(more.sessions).toMatchObject([{ session: "copied", known: 6, startedAt: at }]);
  const screen = terminal();
  const options = { provider: "none", yes: true, json: true };
  expect(await backfill([copies], options, screen)).toBe(0);
  expect(JSON.parse(screen.out.join("")).result.events).toMatchObject({ dropped: 1 });
  expect(await dry(copies)).toMatchObject({ sessions: [], alreadyRead: 1 });
});

test("a person who says no has nothing read, and a script without --yes is told what to add", async () => {
  await session("four").write(projects);
  const screen = person(async () => false);
  expect(await backfill([projects], { provider: "none" }, screen)).toBe(1);
  expect(screen.out.at(-1)).toBe("Nothing was imported.");
  await expect(backfill([projects], { provider: "none" }, terminal())).rejects.toMatchObject({
    code: "usage",
    fix: "Pass --yes to confirm.",
  });
  const plan = terminal();
  expect(await backfill([projects], { dryRun: true, json: true }, plan)).toBe(0);
  expect(JSON.parse(plan.out.join("")).result).toBeNull();
});

test("a folder that no session is of is named", async () => {
  await session("five").write(projects);
  const screen = terminal();
  expect(await backfill([projects], { project: "nope", yes: true }, screen)).toBe(0);
  expect(screen.out.at(-1)).toStartWith("Only folders named nope were asked for;");
});

test("a place without a transcript is named", async () => {
  await expect(backfill([projects], { yes: true }, terminal())).rejects.toThrow(
    `There is no transcript at ${projects}.`,
  );
});

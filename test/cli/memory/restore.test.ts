// `memoir memory restore`: what it shows, refuses, puts back and keeps.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { restore } from "../../../src/cli/memory/restore.ts";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { type Backup, describeFile, listBackups } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { sampleMemory, sampleObservation } from "../../../src/testing/samples.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { runMemoir } from "../../support/run-memoir.ts";

type RestoreOptions = Parameters<typeof restore>[1];

const noon = Date.UTC(2026, 10, 22, 12);
const hour = 3_600_000;
let place: Awaited<ReturnType<typeof ownHome>>;
let paths: Paths;
let backup: Backup;
beforeAll(async () => {
  place = await ownHome();
  paths = memoirPaths(place.home);
});
afterAll(() => place.end());

/** One observation in a backup, two now; a memory file that was edited since. */
beforeEach(async () => {
  await mkdir(join(place.home, "memory"), { recursive: true });
  await writeFile(join(place.home, "memory", "facts.json"), "[]");
  await remember("First thing");
  backup = await makeBackup(paths, { reason: "manual", now: () => noon });
  await remember("Second thing");
  await writeFile(join(place.home, "memory", "facts.json"), "[1]");
});
afterEach(async () => {
  if ((await readdir(place.home)).includes("server.json"))
    await runMemoir(["server", "stop"], { HOME: place.root, MEMOIR_HOME: place.home }, place.root);
  await rm(place.home, { recursive: true, force: true });
});

async function remember(title: string) {
  const records = await openRecords(paths.memory, () => noon);
  await records.put({
    key: title,
    records: {
      observations: [sampleObservation({ title })],
      memory: [sampleMemory({ content: title })],
    },
  });
  records.close();
}
async function titles() {
  const records = await openRecords(paths.memory, () => noon);
  const found = (await records.observations({ order: "oldest" })).map(({ title }) => title);
  records.close();
  return found.sort();
}
async function run(which: string | undefined, options: RestoreOptions, more = {}) {
  const terminal = plainTerminal({ now: () => noon + 2 * hour, cwd: place.root, ...more });
  const code = await restore(which, options, terminal);
  return { code, lines: terminal.out.join("\n").split("\n") };
}

test("shows what would change, asks, and changes nothing at a no", async () => {
  const asked: string[] = [];
  const confirm = async (question: string) => {
    asked.push(question);
    return false;
  };
  const { code, lines } = await run(undefined, {}, { interactive: true, confirm });
  expect([code, asked]).toEqual([1, [`Go back to ${backup.name}?`]]);
  expect(lines[0]).toEndWith(", 2h ago.");
  expect(lines).toContain("  observations  2 now  1 then");
  expect(lines.at(-1)).toBe("Nothing was changed.");
  await expect(run(undefined, {})).rejects.toMatchObject({ code: "usage" });
  expect((await run(undefined, { dryRun: true })).lines.at(-1)).toBe("Nothing was changed.");
  expect(await titles()).toEqual(["First thing", "Second thing"]);
});

test("goes back, and back again from the copy that it made of what was there", async () => {
  const { lines } = await run("20261122T12", { yes: true });
  expect(lines).toContain("✓ Memory is as it was 2h ago.");
  expect(await titles()).toEqual(["First thing"]);
  expect(await readFile(join(place.home, "memory", "facts.json"), "utf8")).toBe("[]");
  const [before] = await listBackups(paths);
  expect(before?.reason).toBe("restore");
  await run(before?.name, { yes: true });
  expect(await titles()).toEqual(["First thing", "Second thing"]);
  expect((await readdir(place.home)).filter((name) => /restoring|damaged/.test(name))).toEqual([]);
});

test("what was deleted since stays deleted, and is counted", async () => {
  expect((await run(undefined, { dryRun: true })).lines.join("\n")).not.toContain("deleted");
  const records = await openRecords(paths.memory, () => noon + hour);
  await records.delete({ ids: ["o1", "m1"] });
  records.close();
  const dry = await run(undefined, { dryRun: true });
  expect(dry.lines).toContain("  2 records that you deleted since stay deleted");
  const { lines } = await run(undefined, { yes: true });
  expect(lines).toContain("✓ Memory is as it was 2h ago, all but 2 that you deleted since.");
});

test("a server that runs is there again afterwards, with the memory of the backup", async () => {
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  await runMemoir(["server", "start"], env, place.root);
  const outcome = await runMemoir(["memory", "restore", "--yes"], env, place.root);
  expect(outcome.out).toContain("Memory is as it was");
  const found = await runMemoir(
    ["search", "thing", "--kind", "observation", "--json"],
    env,
    place.root,
  );
  expect(JSON.parse(found.out).results.map(({ title }: { title: string }) => title)).toEqual([
    "First thing",
  ]);
});

test("memory that is damaged is set aside, not replaced", async () => {
  await writeFile(paths.memory, "damaged".repeat(2_000));
  await rm(`${paths.memory}-wal`, { force: true });
  const { lines } = await run(undefined, { yes: true });
  expect(lines.join("\n")).toContain("  observations  unreadable now  1 then");
  expect(lines.join("\n")).toContain("What could not be copied is set aside: ");
  expect(await titles()).toEqual(["First thing"]);
  const aside = (await readdir(place.home)).find((name) => name.includes(".damaged-"));
  expect(await readFile(join(place.home, aside ?? ""), "utf8")).toStartWith("damageddamaged");
});

test("a backup that is damaged, newer or not there is refused in words, and nothing is changed", async () => {
  const memory = join(backup.folder, "memory.db");
  const db = await openDatabase(memory);
  db.exec("PRAGMA user_version = 999");
  db.close();
  await expect(run(undefined, { yes: true })).rejects.toMatchObject({
    code: "backup_damaged",
    message: `The backup ${backup.name} is damaged: memory.db is not what it was when it was made.`,
  });
  const files = [await describeFile(backup.folder, "memory.db")];
  const manifest = JSON.stringify({ ...backup.manifest, files });
  await writeFile(join(backup.folder, "manifest.json"), manifest);
  await expect(run(undefined, { yes: true })).rejects.toMatchObject({
    code: "backup_newer",
    message: expect.stringMatching(
      /^memory\.db of .* has schema 999, made by memoir .*; this memoir knows up to \d+\.$/,
    ),
  });
  await expect(run("2025", { yes: true })).rejects.toMatchObject({ code: "backup_not_found" });
  await rm(backup.folder, { recursive: true });
  await expect(run(undefined, { yes: true })).rejects.toMatchObject({ code: "backup_not_found" });
  expect(await titles()).toEqual(["First thing", "Second thing"]);
  expect(await listBackups(paths)).toEqual([]);
});

test("the journal stays as it is unless it cannot be read, or all is asked for", async () => {
  const rows = async () => {
    const db = await openDatabase(paths.journal);
    const found = db.prepare<{ x: number }>("SELECT x FROM events ORDER BY x").all();
    db.close();
    return found.map(({ x }) => x);
  };
  const journal = await openDatabase(paths.journal);
  journal.exec("CREATE TABLE events (x); INSERT INTO events VALUES (1)");
  await makeBackup(paths, { reason: "manual", now: () => noon + hour });
  journal.exec("INSERT INTO events VALUES (2)");
  journal.close();
  await run(undefined, { yes: true });
  expect(await rows()).toEqual([1, 2]);
  await run("20261122T13", { yes: true, all: true });
  expect(await rows()).toEqual([1]);
  await rm(paths.journal);
  await run("20261122T13", { yes: true });
  expect(await rows()).toEqual([1]);
});

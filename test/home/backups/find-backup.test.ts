// Backups by their names: in order, found by the beginning of a name or by a folder, renewed after a change on purpose; and why the last try failed.
import { expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import {
  backupFolder,
  clearFailure,
  findBackup,
  listBackups,
  noteFailure,
  readFailure,
  verifyBackup,
} from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { inFolder } from "../../support/in-folder.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const minute = 60_000;
const inHome = (work: (paths: Paths) => Promise<void>) =>
  inFolder((home) => work(memoirPaths(home)));
const make = async (paths: Paths, time: number, to?: string) => {
  await writeFile(paths.config, `${time}`);
  return makeBackup(paths, { reason: "manual", now: () => time, ...(to !== undefined && { to }) });
};

test("the newest come first; of one second the one made later; others' files are none", () =>
  inHome(async (paths) => {
    for (const time of [noon, noon + minute, noon, noon - minute]) await make(paths, time);
    const folder = backupFolder(paths);
    for (const name of [
      "20261322T120000Z-daily",
      "20261122T120000Z-weekly",
      "x20261122T120000Z-daily",
    ])
      await mkdir(join(folder, name));
    await writeFile(join(folder, "20261122T110000Z-daily"), "a file");
    expect((await listBackups(paths)).map(({ name }) => name)).toEqual([
      "20261122T120100Z-manual",
      "20261122T120000Z-manual-2",
      "20261122T120000Z-manual",
      "20261122T115900Z-manual",
    ]);
  }));

test("one is found by its name, by a beginning that only it has, and by its folder", () =>
  inHome(async (paths) => {
    const one = await make(paths, noon);
    const twin = await make(paths, noon);
    await make(paths, noon - minute);
    const elsewhere = await make(paths, noon, join(paths.home, "elsewhere"));
    const found = async (which: string) => (await findBackup(paths, which))?.folder;
    expect(await found(one.name)).toBe(one.folder);
    expect(await found(twin.name)).toBe(twin.folder);
    expect(await found("20261122T1159")).toBe(join(backupFolder(paths), "20261122T115900Z-manual"));
    expect(await found("20261122T1200")).toBeUndefined();
    expect(await found("nothing")).toBeUndefined();
    expect(await found(elsewhere.folder)).toBe(elsewhere.folder);
    expect(await found(`${elsewhere.folder}/`)).toBe(elsewhere.folder);
    expect(await found(paths.home)).toBeUndefined();
  }));

test("a backup of which files changed, or whose manifest is another, says what is wrong with it", () =>
  inHome(async (paths) => {
    await mkdir(join(paths.home, "memory"));
    await writeFile(join(paths.home, "memory", "a.md"), "a");
    const made = await make(paths, noon);
    await writeFile(join(made.folder, "config.json"), "shorter");
    await rm(join(made.folder, "memory", "a.md"));
    expect(await verifyBackup(made)).toHaveLength(2);
    expect(await verifyBackup(made, ["memory/a.md"])).toEqual([
      expect.stringMatching(/^memory\/a\.md cannot be read: .*\.$/),
    ]);
    await writeFile(join(made.folder, "manifest.json"), '{"memoir":"other"}');
    const [unknown] = await listBackups(paths);
    expect(unknown?.fault).toStartWith("Its manifest is not one that this memoir knows: ");
    expect(unknown && (await verifyBackup(unknown))).toEqual([unknown?.fault ?? ""]);
  }));

test("a manifest that leads out of its folder is none", () =>
  inHome(async (paths) => {
    const made = await make(paths, noon);
    const path = join(made.folder, "manifest.json");
    const text = await Bun.file(path).text();
    for (const name of ["../config.json", "a/../../b", "./x", "/etc/passwd", "a//b", "a\\b"]) {
      await writeFile(path, text.replace('"config.json"', JSON.stringify(name)));
      const [found] = await listBackups(paths);
      expect([name, found?.manifest]).toEqual([name, undefined]);
    }
    await writeFile(path, text.replace('"config.json"', '"a..b"'));
    expect((await listBackups(paths))[0]?.manifest?.files[0]?.name).toBe("a..b");
  }));

test("a try that failed is known with its time and reason until one succeeds", () =>
  inHome(async (paths) => {
    expect(await readFailure(paths)).toBeUndefined();
    await mkdir(backupFolder(paths), { recursive: true });
    await noteFailure(paths, new Error("no room"), 5);
    await noteFailure(paths, new Error("no right"), 6);
    expect(await readFailure(paths)).toEqual({ time: 6, message: "no right" });
    await clearFailure(paths);
    await clearFailure(paths);
    expect(await readFailure(paths)).toBeUndefined();
    for (const text of ["{ torn", '{"time":"x"}', "null"]) {
      await writeFile(join(backupFolder(paths), "failed.json"), text);
      expect(await readFailure(paths)).toBeUndefined();
    }
  }));

test("a home without anything to copy says how one begins; one of damaged files says what is wrong with each", () =>
  inHome(async (paths) => {
    const empty = makeBackup(paths, { reason: "manual", now: () => noon });
    await expect(empty).rejects.toMatchObject({
      code: "backup_failed",
      message: `There is nothing in ${paths.home} yet to be backed up.`,
      fix: "`memoir install` lets a client remember; `MEMOIR_HOME` names another home.",
    });
    await writeFile(paths.memory, "this is no database ".repeat(300));
    await writeFile(paths.journal, "nor is this ".repeat(300));
    const damaged = makeBackup(paths, { reason: "manual", now: () => noon });
    await expect(damaged).rejects.toMatchObject({
      code: "backup_failed",
      message: expect.stringMatching(/^No backup was made in .*: memory\.db: .*; journal\.db: /),
    });
    expect(await listBackups(paths)).toEqual([]);
  }));

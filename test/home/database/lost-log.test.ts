// A write-ahead log that a killed process left and that is not what it was: what it held is missed, and another database's hides nothing.
import { describe, expect, test } from "bun:test";
import { copyFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type DatabaseForm, openDatabaseFile } from "../../../src/home/database/open-file.ts";
import { hiddenDamage, openOrBeginAnew } from "../../../src/home/database/replace.ts";
import { readFindings, rebuildsWanted } from "../../../src/home/findings.ts";
import { inFolder } from "../../support/in-folder.ts";

const form: DatabaseForm = {
  name: "The shelf",
  migrations: ["CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"],
  tables: ["things"],
  isHomes: true,
  recovery: { rebuilt: true },
};
const other: DatabaseForm = {
  name: "The garden",
  migrations: ["CREATE TABLE plants (id INTEGER PRIMARY KEY, height REAL, colour BLOB)"],
  tables: ["plants"],
};
const folded = 20;
const logged = 30;

/** A file with 20 things of its own and 10 in its log, as a killed process leaves them. */
async function killed(folder: string, before = "PRAGMA user_version"): Promise<string> {
  const live = join(folder, "live.db");
  const db = await openDatabaseFile(live, form);
  const add = (id: number) =>
    db.prepare("INSERT INTO things VALUES (?, ?)").run([id, `${id} `.repeat(400)]);
  for (let id = 1; id <= logged; id++) {
    add(id);
    if (id === folded) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  db.exec(before);
  const path = join(folder, "shelf.db");
  for (const ending of ["", "-wal", "-shm"]) await copyFile(live + ending, path + ending);
  db.close();
  for (const ending of ["", "-wal", "-shm"]) await rm(live + ending, { force: true });
  return path;
}

/** How many things are there once it is opened. */
async function opened(path: string): Promise<number> {
  const db = await openOrBeginAnew(path, form, { now: () => 5, replaced: () => undefined });
  const { n } = db.prepare<{ n: number }>("SELECT count(*) AS n FROM things").get() ?? { n: 0 };
  db.close();
  return n;
}

const half = async (log: string) => truncate(log, Math.floor((await readFile(log)).length / 2));
const oneFrame = async (log: string) => {
  const bytes = await readFile(log);
  await writeFile(log, bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 200));
};
const noHead = async (log: string) => writeFile(log, (await readFile(log)).fill(7, 0, 40));

describe("what was written last is missed, told, and made again where", () => {
  for (const [name, harm, left] of [
    ["the log is gone", (log: string) => rm(log), folded],
    ["it is empty", (log: string) => truncate(log, 0), folded],
    ["it has no beginning", noHead, folded],
    ["half of it is there", half, undefined],
    ["a frame in its midst is damaged", oneFrame, undefined],
  ] as const)
    test(name, () =>
      inFolder(async (folder) => {
        const path = await killed(folder);
        await harm(`${path}-wal`);
        const there = await opened(path);
        if (left === undefined) expect(there).toBeLessThan(logged);
        else expect(there).toBe(left);
        const [finding, ...others] = readFindings(folder);
        expect(others).toEqual([]);
        expect(finding).toMatchObject({ file: "shelf.db", time: 5 });
        expect(finding?.what).toMatch(
          /^lost what was written to it last: \d+ pages of its log are gone$/,
        );
        expect(rebuildsWanted(folder)).toEqual([{ time: 5, file: "shelf.db", why: "damage" }]);
        // Once is enough.
        expect(await opened(path)).toBe(there);
        expect(readFindings(folder)).toHaveLength(1);
      }),
    );
});

describe("nothing is said where", () => {
  for (const [name, before, harm, left] of [
    ["nothing was lost", undefined, async () => undefined, logged],
    ["all of it stands in the file", "PRAGMA wal_checkpoint(PASSIVE)", rm, logged],
    ["it was emptied", "PRAGMA wal_checkpoint(TRUNCATE)", async () => undefined, logged],
    [
      "its index makes no sense",
      undefined,
      (log: string) => noHead(log.replace("-wal", "-shm")),
      logged,
    ],
    ["its index is gone", undefined, (log: string) => rm(log.replace("-wal", "-shm")), logged],
  ] as const)
    test(name, () =>
      inFolder(async (folder) => {
        const path = await killed(folder, before);
        await harm(`${path}-wal`);
        expect(await opened(path)).toBe(left);
        expect(readFindings(folder)).toEqual([]);
      }),
    );
});

test("another database's log beside a file hides none of its rows, and is kept", () =>
  inFolder(async (folder) => {
    const path = await killed(folder, "PRAGMA wal_checkpoint(TRUNCATE)");
    const strange = join(folder, "garden.db");
    const db = await openDatabaseFile(strange, other);
    for (let id = 1; id <= 50; id++)
      db.prepare("INSERT INTO plants VALUES (?, ?, ?)").run([id, id / 3, `${id} `.repeat(400)]);
    const log = await readFile(`${strange}-wal`);
    db.close();
    await writeFile(`${path}-wal`, log);
    expect(await opened(path)).toBe(logged);
    expect(readFindings(folder)).toMatchObject([
      {
        file: "shelf.db",
        what: "was beside the write-ahead log of another database",
        aside: `${path}.damaged-5-wal`,
      },
    ]);
    expect(await readFile(`${path}.damaged-5-wal`)).toEqual(log);
  }));

test("another database's file beside one's own log hides none of that log's rows", () =>
  inFolder(async (folder) => {
    const path = await killed(folder);
    // Two of its tables have names of ours.
    const strange = await openDatabaseFile(join(folder, "garden.db"), other);
    strange.exec("CREATE TABLE things (text); CREATE TABLE shelves (name)");
    strange.close();
    await copyFile(join(folder, "garden.db"), path);
    const wide = { ...form, tables: ["things", "shelves", "rooms", "doors", "walls"] };
    await hiddenDamage(path, wide, { now: () => 5, replaced: () => undefined });
    expect(readFindings(folder)).toEqual([]);
  }));

test("a file that this process has open keeps its locks: nobody else takes its log for an idle one's", () =>
  inFolder(async (folder) => {
    const path = join(folder, "shelf.db");
    const db = await openDatabaseFile(path, form);
    db.exec("INSERT INTO things (text) VALUES ('one')");
    expect(await opened(path)).toBe(1);
    // The last to close takes the log away.
    const close = `const { Database } = require("bun:sqlite"); const db = new Database(${JSON.stringify(path)}); db.query("SELECT * FROM things").all(); db.close()`;
    expect(Bun.spawnSync([process.execPath, "-e", close]).exitCode).toBe(0);
    expect(await readdir(folder)).toContain("shelf.db-wal");
    db.close();
    expect(await readdir(folder)).not.toContain("shelf.db-wal");
  }));

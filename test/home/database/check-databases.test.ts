// The daily check: damage in a file too large to be checked on opening is found, told once, and recovered.
import { expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkDatabases, checkedAt, tablesOf } from "../../../src/home/database/check-databases.ts";
import { readMark } from "../../../src/home/database/intact.ts";
import { type DatabaseForm, damagedFiles } from "../../../src/home/database/open-file.ts";
import { openOrBeginAnew } from "../../../src/home/database/replace.ts";
import { findingText, readFindings } from "../../../src/home/findings.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import type { RecordStore } from "../../../src/records/record-store.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { inFolder } from "../../support/in-folder.ts";
import { runMemoir } from "../../support/run-memoir.ts";
import { sampleObservation } from "../../support/sample-records.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const now = () => noon;
const count = 300;
const filler = 33 * 1024 * 1024;

const observation = (i: number) =>
  sampleObservation({ title: `Heron number${i}`, promptNumber: i + 1 });

/** A memory that is larger than what is checked on opening. */
async function largeMemory(folder: string): Promise<string> {
  const path = join(folder, "memory.db");
  const store = await openRecords(path, now);
  const observations = Array.from({ length: count }, (_, i) => observation(i));
  await store.put({ key: "all", records: { observations } });
  await store.reindex({});
  await untilWhole(store);
  store.close();
  const db = await openDatabase(path);
  db.exec(`CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(${filler}));
    PRAGMA wal_checkpoint(TRUNCATE)`);
  db.close();
  return path;
}

async function untilWhole(store: RecordStore): Promise<void> {
  while ((await store.stats({})).index?.isWhole === false) await Bun.sleep(1);
}

/** Empties the last leaf page of a table or an index. */
async function emptyPage(path: string, name: string): Promise<void> {
  const db = await openDatabase(path);
  const page = db
    .prepare<{ pageno: number }>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno DESC LIMIT 1",
    )
    .get([name])?.pageno;
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(4_096), 0, 4_096, ((page ?? 1) - 1) * 4_096);
  closeSync(file);
}

const check = (home: string, paths = [join(home, "memory.db")]) =>
  checkDatabases(home, paths, { now, memory: join(home, "memory.db") });

test("a damaged page is found, told once, and at the next start what can be read is carried over", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    await emptyPage(path, "observations");
    // Nobody meets it on opening.
    (await openRecords(path, now)).close();
    expect(readFindings(home)).toEqual([]);

    const damaged = readFileSync(path);
    expect(await check(home)).toEqual(["memory.db"]);
    expect(await check(home)).toEqual(["memory.db"]);
    expect(readFileSync(path).equals(damaged)).toBe(true);
    const told = readFindings(home).map(findingText);
    expect(told).toHaveLength(1);
    expect(told[0]).toBe(
      "memory.db has a damaged place, which the daily check found. What can be read of it is carried over into a new file as soon as something is stored, or at the server's next start.",
    );
    expect(readMark(path)?.found).toStartWith("observations: ");

    const store = await openRecords(path, now);
    const left = await store.observations({ limit: count });
    store.close();
    expect(left.length).toBeGreaterThan(count / 2);
    expect(left.length).toBeLessThan(count);
    expect(damagedFiles(path)).toHaveLength(1);
    expect(readFindings(home)[1]).toMatchObject({
      ...{ file: "memory.db", what: "was damaged", lost: { pages: 1 } },
      saved: { observations: left.length },
    });
    expect(await check(home)).toEqual([]);
    expect(readFindings(home)).toHaveLength(2);
  }));

test("while the storage is open, it is recovered with the next thing that is stored", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    await emptyPage(path, "observations");
    const store = await openRecords(path, now);
    expect(await check(home)).toEqual(["memory.db"]);
    await store.put({ key: "one", records: { observations: [observation(count)] } });
    await store.put({ key: "two", records: { observations: [observation(count + 1)] } });
    const newest = (await store.observations({ limit: 2 })).map(({ title }) => title).sort();
    store.close();
    expect(newest).toEqual([`Heron number${count}`, `Heron number${count + 1}`]);
    expect(damagedFiles(path)).toHaveLength(1);
    expect(readMark(path)).toBeUndefined();
    expect(await check(home)).toEqual([]);
  }));

test("what is stored at the same time as it is replaced is stored all the same, each once", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    // No put meets it by itself.
    await emptyPage(path, "filler");
    const store = await openRecords(path, now);
    await untilWhole(store);
    await check(home);
    const keys = Array.from({ length: 12 }, (_, at) => count + at);
    await Promise.all(
      keys.map((at) => store.put({ key: `${at}`, records: { observations: [observation(at)] } })),
    );
    const newest = (await store.observations({ limit: 12 })).map(({ title }) => title);
    store.close();
    expect(newest.toSorted()).toEqual(keys.map((at) => `Heron number${at}`).toSorted());
    expect(damagedFiles(path)).toHaveLength(1);
  }));

test("where it is the index alone, that is made anew at the next start, and no file is set aside", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    await emptyPage(path, "search_terms_by_spelling");
    expect(await check(home)).toEqual(["memory.db"]);
    expect(readFindings(home).map(({ fix }) => fix)).toEqual([
      "It is the search index alone, which is rebuilt at the server's next start.",
    ]);
    const store = await openRecords(path, now);
    await untilWhole(store);
    expect(await store.observations({ limit: count })).toHaveLength(count);
    store.close();
    expect(damagedFiles(path)).toEqual([]);
    expect(await check(home)).toEqual([]);
  }));

test("every other database is checked on opening where the check found something, however large it is", () =>
  inFolder(async (home) => {
    const path = join(home, "journal.db");
    const form: DatabaseForm = {
      ...{ name: "The shelf", checkedBytes: 1 },
      migrations: ["CREATE TABLE things (text TEXT)"],
    };
    let replaced = 0;
    const open = () =>
      openOrBeginAnew(path, form, {
        now,
        replaced() {
          replaced++;
        },
      });
    const db = await open();
    for (let i = 0; i < 200; i++)
      db.prepare("INSERT INTO things VALUES (?)").run([`${i}`.padEnd(500, ".")]);
    db.close();
    await emptyPage(path, "things");
    (await open()).close();
    expect(replaced).toBe(0);
    expect(await check(home, [path, join(home, "usage.db")])).toEqual(["journal.db"]);
    expect(readFindings(home)[0]?.fix).toBe(
      "What can be read of it is carried over into a new file at the server's next start.",
    );
    (await open()).close();
    expect(replaced).toBe(1);
    expect(await check(home, [path])).toEqual([]);
  }));

test("tables that have pages are looked at as they lie in the file: no virtual one, no index, no view", async () => {
  const db = await openDatabase(":memory:");
  db.exec(`CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT); CREATE INDEX i ON b (x);
    DROP TABLE a; CREATE TABLE z (x TEXT); CREATE VIEW v AS SELECT x FROM b;
    CREATE VIRTUAL TABLE words USING fts5(x)`);
  const names = tablesOf(db);
  db.close();
  expect(names.slice(0, 2)).toEqual(["z", "b"]);
  expect(names).toContain("words_data");
  for (const other of ["words", "i", "v"]) expect(names).not.toContain(other);
});

test("a mark of a file that is whole costs one check; no record moves", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    const whole = readFileSync(path);
    await emptyPage(path, "observations");
    await check(home);
    await Bun.write(path, whole);
    const store = await openRecords(path, now);
    expect(await store.observations({ limit: count })).toHaveLength(count);
    store.close();
    expect(damagedFiles(path)).toEqual([]);
    expect(readMark(path)).toBeUndefined();
  }));

test("of a home that is whole the process says nothing and changes no database; of one that is not, it notes so", () =>
  inFolder(async (home) => {
    const path = await largeMemory(home);
    const before = { bytes: readFileSync(path), changed: statSync(path).mtimeMs };
    const daily = () => runMemoir(["doctor", "--daily"], { MEMOIR_HOME: home, HOME: home }, home);
    expect(await daily()).toMatchObject({ code: 0, out: "" });
    expect(readFileSync(path).equals(before.bytes)).toBe(true);
    expect(statSync(path).mtimeMs).toBe(before.changed);
    expect(readFindings(home)).toEqual([]);
    expect(readdirSync(home).filter((name) => name.endsWith(".suspect"))).toEqual([]);
    expect(checkedAt(home)).toBeGreaterThan(0);
    await emptyPage(path, "observations");
    expect(await daily()).toMatchObject({ code: 1 });
    expect(readFindings(home)).toHaveLength(1);
  }));

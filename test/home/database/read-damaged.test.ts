// What is read out of damaged files, against a count that knows nothing of trees: the bytes that are still there.
import { describe, expect, test } from "bun:test";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DatabaseForm,
  damagedFiles,
  openDatabaseFile,
} from "../../../src/home/database/open-file.ts";
import { type RecoveredRows, recover } from "../../../src/home/database/read-damaged.ts";
import { openOrBeginAnew } from "../../../src/home/database/replace.ts";
import { readFindings } from "../../../src/home/findings.ts";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";
import { randomNumbers } from "../../support/mutations.ts";

const form: DatabaseForm = {
  name: "The shelf",
  migrations: [
    `CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
     CREATE TABLE things (
       id INTEGER PRIMARY KEY AUTOINCREMENT, shelf INTEGER NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
       text TEXT NOT NULL, facts TEXT NOT NULL CHECK (json_valid(facts)), weight REAL, at INTEGER
     );
     CREATE INDEX things_by_shelf ON things (shelf, at);
     CREATE TABLE labels (thing INTEGER NOT NULL, label TEXT NOT NULL, PRIMARY KEY (label, thing)) WITHOUT ROWID;
     CREATE TABLE loose (word TEXT NOT NULL, picture BLOB)`,
    "ALTER TABLE things ADD COLUMN colour TEXT",
  ],
};
const pageSize = 4_096;
const rows = 900;

/** Every 64 bytes of a text bear its row's number, so that bytes that are left are known without reading the tree. */
const textOf = (id: number) =>
  Array.from({ length: 1 + ((id * 7) % 90) }, (_, part) => `<${id}.${part}>`.padEnd(64, "-")).join(
    "",
  );

/** A file of 900 things, some of them larger than a page. */
async function filled(path: string, shape = form): Promise<Database> {
  const db = await openDatabaseFile(path, shape);
  db.transaction(() => {
    for (let id = 1; id <= 10; id++)
      db.prepare("INSERT INTO shelves VALUES (?, ?)").run([id, `shelf ${id}`]);
    for (let id = 1; id <= rows; id++) {
      db.prepare(
        "INSERT INTO things (shelf, text, facts, weight, at, colour) VALUES (?, ?, ?, ?, ?, ?)",
      ).run([
        1 + (id % 10),
        textOf(id),
        JSON.stringify([`fact ${id}`]),
        id / 4,
        2 ** 41 + id,
        id % 2 ? null : "red",
      ]);
      db.prepare("INSERT INTO labels VALUES (?, ?)").run([id, `label ${id % 50}`]);
      db.prepare("INSERT INTO loose VALUES (?, ?)").run([
        `word ${id}`,
        new Uint8Array([id & 255, 2]),
      ]);
    }
  });
  return db;
}

/** Things of which every marked piece that whole bytes have is in `left` too. */
function readable(whole: Buffer, left: Buffer): Set<number> {
  const count = (bytes: Buffer) => {
    const found = new Map<number, number>();
    for (const [, id] of bytes.toString("latin1").matchAll(/<(\d+)\.\d+>/g))
      found.set(Number(id), (found.get(Number(id)) ?? 0) + 1);
    return found;
  };
  const all = count(whole);
  const there = count(left);
  return new Set([...all].filter(([id, n]) => there.get(id) === n).map(([id]) => id));
}

/** The same pages overwritten for the same seed; the first only where asked. */
function damagePages(bytes: Buffer, seed: number, many: number): Buffer {
  const random = randomNumbers(seed);
  for (let n = 0; n < many; n++) {
    const page = 1 + Math.floor(random() * (bytes.length / pageSize - 1));
    for (let at = page * pageSize; at < (page + 1) * pageSize; at++) bytes[at] = random() * 256;
  }
  return bytes;
}

const damages: Array<[name: string, damage: (bytes: Buffer) => Buffer]> = [
  ["nothing", (bytes) => bytes],
  ["its header", (bytes) => bytes.fill(0xaa, 0, 100)],
  [
    "half its length",
    (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2 / pageSize) * pageSize),
  ],
  ["an odd length", (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.8) + 77)],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed): [string, (bytes: Buffer) => Buffer] => [
    `${seed * 3} random pages`,
    (bytes) => damagePages(bytes, seed, seed * 3),
  ]),
  ["its header and random pages", (bytes) => damagePages(bytes.fill(0x55, 0, 100), 11, 10)],
];

async function recovered(
  from: string,
  folder: string,
): Promise<{ things: Map<number, string>; told: RecoveredRows; counts: Record<string, number> }> {
  const into = await openDatabaseFile(join(folder, "fresh.db"), form);
  try {
    const told = await recover(from, into);
    const things = into.prepare<{ id: number; text: string }>("SELECT id, text FROM things").all();
    expect(into.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    return { things: new Map(things.map(({ id, text }) => [id, text])), told, counts: told.saved };
  } finally {
    into.close();
  }
}

describe("rows of a file that lost", () => {
  test.each(damages)("%s: all whose bytes are there, none other", (_, damage) =>
    inFolder(async (folder) => {
      const path = join(folder, "shelf.db");
      (await filled(path)).close();
      const whole = await readFile(path);
      const left = damage(Buffer.from(whole));
      await writeFile(path, left);
      const { things, told } = await recovered(path, folder);
      const there = readable(whole, left);
      expect([...things].filter(([id, text]) => text !== textOf(id))).toEqual([]);
      expect([...things.keys()].filter((id) => !there.has(id))).toEqual([]);
      // Where a page is cut SQLite reads none of it.
      expect(there.size - things.size).toBeLessThanOrEqual(2);
      if (there.size < rows) expect(told.lost.pages + told.lost.rows).toBeGreaterThan(0);
    }),
  );

  test("nothing: every value of every table, and the numbers that were given", () =>
    inFolder(async (folder) => {
      const path = join(folder, "shelf.db");
      const db = await filled(path);
      db.exec("DELETE FROM things WHERE id = 900; INSERT INTO loose VALUES ('none', NULL)");
      const tables = ["shelves", "things", "labels", "loose", "sqlite_sequence"];
      const all = (from: Database) =>
        tables.map((table) => from.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());
      const before = all(db);
      db.close();
      const fresh = await openDatabaseFile(join(folder, "fresh.db"), form);
      expect(await recover(path, fresh)).toEqual({
        saved: { shelves: 10, things: 899, labels: 900, loose: 901 },
        lost: { pages: 0, rows: 0 },
      });
      expect(all(fresh)).toEqual(before);
      fresh.close();
    }));

  test("what was deleted stays deleted, also where its page is still in the file", () =>
    inFolder(async (folder) => {
      const path = join(folder, "shelf.db");
      const db = await filled(path);
      db.exec("DELETE FROM things WHERE id BETWEEN 300 AND 600");
      db.close();
      await writeFile(path, (await readFile(path)).fill(0xaa, 16, 24).fill(0x11, 40, 48));
      const { things } = await recovered(path, folder);
      expect([...things.keys()].filter((id) => id >= 300 && id <= 600)).toEqual([]);
    }));

  test("the form of a row that an earlier version wrote", () =>
    inFolder(async (folder) => {
      const path = join(folder, "shelf.db");
      const old = await openDatabaseFile(path, {
        ...form,
        migrations: form.migrations.slice(0, 1),
      });
      old.exec(
        "INSERT INTO shelves VALUES (1, 'a'); INSERT INTO things VALUES (7, 1, 'old', '[]', 1.5, 3)",
      );
      old.close();
      for (const header of [false, true]) {
        if (header) await writeFile(path, (await readFile(path)).fill(0xaa, 0, 100));
        const fresh = await openDatabaseFile(join(folder, `fresh ${header}.db`), form);
        await recover(path, fresh);
        expect(fresh.prepare("SELECT * FROM things").all()).toEqual([
          { id: 7, shelf: 1, text: "old", facts: "[]", weight: 1.5, at: 3, colour: null },
        ]);
        fresh.close();
      }
    }));
});

describe("a write-ahead log", () => {
  /** The file and its log as a killed process leaves them. */
  async function killed(folder: string): Promise<string> {
    const live = join(folder, "live.db");
    const db = await filled(live, { ...form, logPages: 0 });
    const path = join(folder, "shelf.db");
    await copyFile(live, path);
    await copyFile(`${live}-wal`, `${path}-wal`);
    db.close();
    return path;
  }

  test("whose file is gone or empty is read", () =>
    inFolder(async (folder) => {
      const path = await killed(folder);
      await writeFile(path, "");
      const told: RecoveredRows[] = [];
      const db = await openOrBeginAnew(path, form, {
        now: () => 5,
        replaced: (_aside, _db, _cause, what) => void told.push(what),
      });
      expect(db.prepare("SELECT count(*) AS n FROM things").get()).toEqual({ n: rows });
      db.close();
      expect(told[0]?.saved.things).toBe(rows);
      expect(damagedFiles(path)).toEqual([`${path}.damaged-5`]);
      expect((await readFile(`${path}.damaged-5-wal`)).length).toBeGreaterThan(100_000);
    }));

  test("that was cut in its last frame is no damage", () =>
    inFolder(async (folder) => {
      const path = await killed(folder);
      const log = await readFile(`${path}-wal`);
      await writeFile(`${path}-wal`, log.subarray(0, log.length - 1_000));
      const db = await openOrBeginAnew(path, form, { now: () => 5, replaced: () => undefined });
      db.close();
      expect(damagedFiles(path)).toEqual([]);
    }));
});

test("what is missing is told where no tree says so: the list of tables is lost, or the ledger knows of more", () =>
  inFolder(async (folder) => {
    const path = join(folder, "shelf.db");
    const counted = { ...form, recovery: { counted: ["things"] } };
    const open = () => openOrBeginAnew(path, counted, { now: () => 5, replaced: () => undefined });
    (await filled(path, counted)).close();
    (await open()).close();
    await writeFile(path, (await readFile(path)).fill(0, 0, pageSize));
    (await open()).close();
    expect(readFindings(folder)).toMatchObject([
      { lost: { pages: 1 }, missing: { records: rows, of: rows } },
    ]);
  }));

describe("a replacement that was cut off", () => {
  test("while rows were carried over begins again; after that it goes on", () =>
    inFolder(async (folder) => {
      const path = join(folder, "shelf.db");
      (await filled(path)).close();
      const damaged = damagePages(await readFile(path), 3, 12);
      const { things } = await inFolder(async (other) => {
        await writeFile(join(other, "shelf.db"), damaged);
        return await recovered(join(other, "shelf.db"), other);
      });
      for (const ending of [".recovering", ".recovered"]) {
        await writeFile(path, damaged);
        const half = await openDatabase(path + ending);
        half.exec("CREATE TABLE half (n)");
        half.close();
        if (ending === ".recovered") {
          const whole = await openDatabaseFile(join(folder, "made.db"), form);
          await recover(path, whole);
          whole.close();
          await copyFile(join(folder, "made.db"), path + ending);
        }
        const db = await openOrBeginAnew(path, form, { now: () => 9, replaced: () => undefined });
        expect(db.prepare("SELECT count(*) AS n FROM things").get()).toEqual({ n: things.size });
        db.close();
      }
      expect(damagedFiles(path)).toEqual([`${path}.damaged-10`, `${path}.damaged-9`].sort());
      expect(
        readFindings(folder)
          .map(({ aside }) => aside)
          .sort(),
      ).toEqual(damagedFiles(path));
    }));
});

test("a file that is not there, or holds nothing, gives nothing", () =>
  inFolder(async (folder) => {
    const into = await openDatabase(":memory:");
    into.exec("CREATE TABLE things (id INTEGER PRIMARY KEY)");
    const nothing = { saved: {}, lost: { pages: 0, rows: 0 } };
    expect(await recover(join(folder, "none.db"), into)).toEqual(nothing);
    await Bun.write(join(folder, "empty.db"), "");
    expect(await recover(join(folder, "empty.db"), into)).toEqual(nothing);
    into.close();
  }));

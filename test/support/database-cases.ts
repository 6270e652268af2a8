// What the SQLite leaf promises under every runtime, as cases that need no test runner.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Database,
  isBusy,
  isCorrupt,
  openDatabase,
  type SqlInput,
} from "../../src/host/sqlite.ts";

/** One promise, checked in a folder of its own. */
export interface DatabaseCase {
  name: string;
  run(folder: string): Promise<void>;
}

/** A case on an open, private database. */
function inMemory(name: string, check: (db: Database) => void): DatabaseCase {
  return {
    name,
    async run() {
      const db = await openDatabase(":memory:");
      try {
        check(db);
      } finally {
        db.close();
      }
    },
  };
}

const values: Array<[bound: SqlInput, type: string, read: unknown]> = [
  [null, "null", null],
  [undefined, "null", null],
  [Number.NaN, "null", null],
  [true, "integer", 1],
  [false, "integer", 0],
  [5, "integer", 5],
  [-0.5, "real", -0.5],
  [Number.MAX_SAFE_INTEGER, "integer", Number.MAX_SAFE_INTEGER],
  [7n, "integer", 7],
  ["text 日本", "text", "text 日本"],
  ["a\0b", "text", "a\ufffdb"],
  ["", "text", ""],
  [new Uint8Array([1, 0, 255]), "blob", new Uint8Array([1, 0, 255])],
  [new Uint8Array(), "blob", new Uint8Array()],
];

export const databaseCases: readonly DatabaseCase[] = [
  inMemory("values have one meaning under every driver", (db) => {
    for (const [bound, type, read] of values) {
      const row = db.prepare("SELECT typeof(?1) AS type, ?1 AS value").get([bound]);
      assert.deepEqual(row, { type, value: read }, `${String(bound)}`);
    }
    assert.throws(() => db.prepare("SELECT ?").get([2n ** 60n]), RangeError);
  }),

  inMemory("a number in a text column stays a whole one", (db) => {
    db.exec("CREATE TABLE t (a TEXT)");
    db.prepare("INSERT INTO t VALUES (?)").run([5]);
    assert.deepEqual(db.prepare("SELECT a FROM t").get(), { a: "5" });
  }),

  inMemory("parameters go by place or by name", (db) => {
    assert.deepEqual(db.prepare("SELECT ? AS a, ? AS b").get([1, "x"]), { a: 1, b: "x" });
    const named = db.prepare("SELECT $a AS a, :b AS b, @c AS c");
    assert.deepEqual(named.get({ a: 1, b: 2, c: 3, unknown: 4 }), { a: 1, b: 2, c: 3 });
    assert.equal(db.prepare("SELECT 1 WHERE 0").get(), undefined);
    assert.deepEqual(db.prepare("SELECT 1 WHERE 0").all(), []);
  }),

  inMemory("rows can be walked, and changes are counted", (db) => {
    db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, a)");
    const insert = db.prepare("INSERT INTO t (a) VALUES (?)");
    assert.deepEqual(insert.run(["x"]), { changes: 1, lastInsertRowid: 1 });
    assert.deepEqual(insert.run(["y"]), { changes: 1, lastInsertRowid: 2 });
    const seen: unknown[] = [];
    for (const row of db.prepare("SELECT a FROM t ORDER BY id").iterate()) seen.push(row.a);
    assert.deepEqual(seen, ["x", "y"]);
    assert.equal(db.prepare("UPDATE t SET a = 1").run().changes, 2);
  }),

  inMemory("a transaction is all or nothing, also inside another", (db) => {
    db.exec("CREATE TABLE t (a)");
    const insert = db.prepare("INSERT INTO t VALUES (?)");
    const all = () =>
      db
        .prepare("SELECT a FROM t")
        .all()
        .map((row) => row.a);
    assert.equal(
      db.transaction(() => {
        insert.run([1]);
        assert.throws(() =>
          db.transaction(() => {
            insert.run([2]);
            throw new Error("inner");
          }),
        );
        db.transaction(() => insert.run([3]));
        return "done";
      }),
      "done",
    );
    assert.deepEqual(all(), [1, 3]);
    assert.throws(
      () =>
        db.transaction(() => {
          insert.run([4]);
          throw new Error("outer");
        }),
      /outer/,
    );
    assert.throws(() => db.transaction(async () => insert.run([5])), TypeError);
    assert.deepEqual(all(), [1, 3]);
  }),

  inMemory("foreign keys hold", (db) => {
    db.exec("CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id))");
    assert.throws(() => db.prepare("INSERT INTO b VALUES (1)").run(), /FOREIGN KEY/);
  }),

  {
    name: "a database file is its owner's alone, and whole after closing",
    async run(folder) {
      const path = join(folder, "deep", "er", "a.db");
      const db = await openDatabase(path);
      db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
      db.prepare("INSERT INTO t VALUES (1)").run();
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal((await stat(join(folder, "deep"))).mode & 0o777, 0o700);
      assert.equal((await stat(`${path}-wal`)).mode & 0o777, 0o600);
      db.close();
      db.close();
      assert.deepEqual(await readdir(join(folder, "deep", "er")), ["a.db"]);
    },
  },

  {
    name: "a file is only made when that was asked for",
    async run(folder) {
      const path = join(folder, "missing.db");
      await assert.rejects(openDatabase(path, { create: false }), { code: "ENOENT" });
      await assert.rejects(openDatabase(path, { readonly: true }), { code: "ENOENT" });
      assert.deepEqual(await readdir(folder), []);
      const db = await openDatabase(path);
      db.exec("CREATE TABLE t (a)");
      db.close();
      const reader = await openDatabase(path, { readonly: true });
      assert.throws(() => reader.exec("INSERT INTO t VALUES (1)"), /readonly/);
      reader.close();
    },
  },

  {
    name: "what was committed is flushed where it stands, and the log goes on",
    async run(folder) {
      const path = join(folder, "a.db");
      const db = await openDatabase(path);
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE t (a)");
      await db.flush();
      db.prepare("INSERT INTO t VALUES (1)").run();
      await Promise.all([db.flush(), db.flush(), db.flush()]);
      // Folded into the database only where flushing the log itself fails.
      assert.ok((await stat(`${path}-wal`)).size > 0);
      db.close();
    },
  },
  {
    name: "a log that cannot be flushed is folded into the database, or the flush rejects",
    async run(folder) {
      const path = join(folder, "a.db");
      const db = await openDatabase(path, { busyTimeoutMs: 0 });
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE t (a)");
      const reader = await openDatabase(path, { readonly: true });
      reader.exec("BEGIN; SELECT * FROM t");
      db.prepare("INSERT INTO t VALUES ('folded')").run();
      await unlink(`${path}-wal`);
      await assert.rejects(db.flush());
      reader.exec("COMMIT");
      await db.flush();
      assert.ok((await readFile(path)).includes("folded"));
      reader.close();
      db.close();
    },
  },

  {
    name: "a lock and a damaged file are told apart",
    async run(folder) {
      const path = join(folder, "a.db");
      const one = await openDatabase(path);
      const two = await openDatabase(path, { busyTimeoutMs: 0 });
      one.exec("CREATE TABLE t (a)");
      one.transaction(() => {
        for (const write of [
          () => two.transaction(() => {}),
          () => two.prepare("INSERT INTO t VALUES (1)").run(),
          () => two.exec("INSERT INTO t VALUES (1)"),
        ])
          assert.throws(write, (error: unknown) => isBusy(error) && !isCorrupt(error));
      });
      two.transaction(() => {});
      one.close();
      two.close();

      await mkdir(join(folder, "bad"));
      const bad = join(folder, "bad", "a.db");
      await writeFile(bad, "This is not a database. ".repeat(100));
      const read = async () => {
        const db = await openDatabase(bad);
        try {
          db.prepare("SELECT * FROM sqlite_master").all();
        } finally {
          db.close();
        }
      };
      await assert.rejects(read(), (error: unknown) => isCorrupt(error) && !isBusy(error));
      assert.equal(isBusy(new Error("something else")) || isCorrupt("no error"), false);
    },
  },
];

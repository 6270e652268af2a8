import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isBusy, isCorrupt, openDatabase } from "../../src/host/sqlite.ts";
import { takeOutTables } from "../../src/host/write-anew.ts";
import { databaseCases } from "../support/database-cases.ts";
import { inFolder } from "../support/in-folder.ts";
import { outcomeOf } from "../support/outcome-of.ts";

describe("the SQLite leaf", () => {
  for (const { name, run } of databaseCases) test(name, () => inFolder(run));
});

test("the same statement is prepared once, and another once for itself", async () => {
  const db = await openDatabase(":memory:");
  expect(db.prepare("SELECT 1")).toBe(db.prepare("SELECT 1"));
  expect(db.prepare("SELECT 2")).not.toBe(db.prepare("SELECT 1") as never);
  db.close();
});

test("tables that are taken out are gone for whoever has the file open, with their indexes; others stay", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a.db");
    const db = await openDatabase(path);
    db.exec(`CREATE TABLE gone (x TEXT); CREATE INDEX of_gone ON gone (x); CREATE TABLE stays (x TEXT);
      INSERT INTO gone VALUES ('a'); INSERT INTO stays VALUES ('b')`);
    await takeOutTables(path, ["gone", "never there"]);
    expect(() => db.exec("INSERT INTO gone VALUES ('c')")).toThrow("no such table");
    expect(db.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "stays" }]);
    expect(db.prepare("SELECT x FROM stays").all()).toEqual([{ x: "b" }]);
    db.close();
  }));

test.each<[string, unknown, boolean, boolean]>([
  ["busy", Object.assign(new Error("x"), { errno: 5 }), true, false],
  ["a locked table", Object.assign(new Error("x"), { errno: 6 }), true, false],
  ["busy, in full", Object.assign(new Error("x"), { errno: 5 + 256 }), true, false],
  ["busy, as Deno says it", Object.assign(new Error("x"), { errcode: 5 }), true, false],
  ["locked, in words", new Error("database table is locked"), true, false],
  ["corrupt", Object.assign(new Error("x"), { errno: 11 + 256 }), false, true],
  ["no database", Object.assign(new Error("x"), { errno: 26 }), false, true],
  ["malformed, in words", new Error("database disk image is malformed"), false, true],
  ["no database, in words", "file is not a database", false, true],
  ["anything else", Object.assign(new Error("no such table"), { errno: 1 }), false, false],
  ["a code that is no number", Object.assign(new Error("x"), { errno: "5" }), false, false],
])("%s is told apart", (_, error, busy, corrupt) => {
  expect([isBusy(error), isCorrupt(error)]).toEqual([busy, corrupt]);
});

const root = join(import.meta.dir, "../..");
const deno = join(root, "node_modules/.bin/deno");

test.skipIf(!existsSync(deno))(
  "Deno keeps every database promise with node:sqlite",
  async () => {
    const child = Bun.spawn([deno, "run", "-A", "--no-check", "test/support/run-cases.ts"], {
      cwd: root,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const { code, out, err } = await outcomeOf(child);
    const lines = out.trim().split("\n");
    expect({ failed: lines.filter((line) => !line.startsWith("ok ")), err, code }).toEqual({
      failed: [],
      err: "",
      code: 0,
    });
    expect(lines.length).toBe(databaseCases.length);
  },
  180_000,
);

// What is deleted leaves the file, by writing it anew or by filling what is free; and free pages go back to the disk bit by bit.
import { expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { giveBack, overwriteFree, writeAnew } from "../../src/host/write-anew.ts";
import { inFolder } from "../support/in-folder.ts";

const secret = "what-has-to-go-".repeat(200);
const number = (db: Database, pragma: string) =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);

/** A database in which much was written and deleted again. */
async function deleted(path: string, more = "") {
  const db = await openDatabase(path);
  db.exec(
    `${more}PRAGMA journal_mode = WAL; PRAGMA secure_delete = OFF; CREATE TABLE t (text TEXT)`,
  );
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  db.transaction(() => {
    for (let row = 0; row < 500; row++) insert.run([`${secret}${row}`]);
  });
  db.exec("DELETE FROM t; INSERT INTO t VALUES ('kept')");
  return db;
}
/** How often what was deleted stands in the file and its log. */
const left = async (path: string) => {
  const texts = [path, `${path}-wal`].map((file) => readFile(file, "latin1").catch(() => ""));
  return (await Promise.all(texts)).join("").split("what-has-to-go").length - 1;
};
const kept = (db: Database) => db.prepare("SELECT text FROM t").all();

test("a file up to the limit is written anew, and its log is empty", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a.db");
    const db = await deleted(path);
    writeAnew(db);
    expect([number(db, "freelist_count"), (await stat(`${path}-wal`)).size]).toEqual([0, 0]);
    expect([await left(path), kept(db)]).toEqual([0, [{ text: "kept" }]]);
    db.close();
  }));

test("a larger one keeps its size, and its free pages hold nothing", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a.db");
    const db = await deleted(path);
    const pages = number(db, "page_count");
    writeAnew(db, pages * number(db, "page_size") - 1);
    expect(number(db, "page_count")).toBeGreaterThanOrEqual(pages);
    expect((await stat(`${path}-wal`)).size).toBe(0);
    // Of the one page that is in use some bytes may stay.
    expect(await left(path)).toBeLessThan(4_096 / 15);
    expect(kept(db)).toEqual([{ text: "kept" }]);
    db.close();
  }));

test("at the limit itself it is written anew; where nothing is free nothing is filled", () =>
  inFolder(async (folder) => {
    const db = await deleted(join(folder, "a.db"));
    const bytes = number(db, "page_count") * number(db, "page_size");
    writeAnew(db, bytes);
    const pages = number(db, "page_count");
    expect(pages).toBeLessThan(10);
    overwriteFree(db);
    expect(number(db, "page_count")).toBe(pages);
    db.close();
  }));

test("free pages go back some at a time, and a file that was made without that learns it once", () =>
  inFolder(async (folder) => {
    const db = await deleted(join(folder, "a.db"), "PRAGMA auto_vacuum = INCREMENTAL; ");
    const free = number(db, "freelist_count");
    expect(free).toBeGreaterThan(256);
    giveBack(db);
    expect(number(db, "freelist_count")).toBe(free - 256);
    while (number(db, "freelist_count") > 0) giveBack(db);
    const pages = number(db, "page_count");
    giveBack(db);
    expect(number(db, "page_count")).toBe(pages);
    db.close();
    const plain = await deleted(join(folder, "b.db"));
    expect(number(plain, "auto_vacuum")).toBe(0);
    giveBack(plain);
    expect([number(plain, "auto_vacuum"), number(plain, "freelist_count")]).toEqual([2, 0]);
    expect(kept(plain)).toEqual([{ text: "kept" }]);
    plain.close();
  }));

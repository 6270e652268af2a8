// Every kind of value comes out of a file as SQLite wrote it, whatever the file's own form; what is deleted stays so.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { recover, savedRows } from "../../../src/home/database/read-damaged.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

const schema = `CREATE TABLE things (id INTEGER PRIMARY KEY, number INTEGER, text TEXT, bytes BLOB, real REAL, any);
  CREATE TABLE named (name TEXT NOT NULL, value ANY, PRIMARY KEY (name)) WITHOUT ROWID`;

const numbers = [
  ...[0, 1, -1, 127, 128, -128, -129, 32_767, 32_768, -32_769, 8_388_607, 8_388_608, -8_388_609],
  ...[2_147_483_647, 2_147_483_648, -2_147_483_649, 2 ** 47 - 1, 2 ** 47, -(2 ** 47) - 1],
  ...[Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
];
const texts = ["", "a", "日本語 👍", "\ufeffmarked", "x".repeat(20_000)];
const blobs = [new Uint8Array(), new Uint8Array([0, 255]), new Uint8Array(9_000).fill(7)];
const reals = [0.5, -1e300, 1e-300, 3];

/** Writes all of it into a file of that form, and carries it over into another. */
async function through(folder: string, pragmas: string, deleting = "") {
  const from = join(folder, "from.db");
  const db = await openDatabase(from);
  db.exec(`${pragmas}; ${schema}`);
  const insert = db.prepare("INSERT INTO things VALUES (?, ?, ?, ?, ?, ?)");
  const count = Math.max(numbers.length, texts.length, blobs.length, reals.length);
  for (let row = 0; row < count; row++)
    insert.run([
      ...[row * 3 + 1, numbers[row] ?? null, texts[row] ?? null, blobs[row] ?? null],
      ...[reals[row] ?? null, [null, 7, "text", 0.25][row % 4] ?? null],
    ]);
  for (const name of ["b", "a", "c".repeat(9_000)])
    db.prepare("INSERT INTO named VALUES (?, ?)").run([name, name.length]);
  if (deleting) db.exec(deleting);
  const all = () => ({
    things: db.prepare("SELECT * FROM things ORDER BY id").all(),
    named: db.prepare("SELECT * FROM named ORDER BY name").all(),
  });
  const before = all();
  db.close();
  const into = await openDatabase(join(folder, "into.db"));
  into.exec(schema);
  const told = await recover(from, into);
  const after = {
    things: into.prepare("SELECT * FROM things ORDER BY id").all(),
    named: into.prepare("SELECT * FROM named ORDER BY name").all(),
  };
  into.close();
  return { before, after, told };
}

test.each([
  ["small pages", "PRAGMA page_size = 512"],
  ["usual pages", "PRAGMA page_size = 4096"],
  ["the largest pages", "PRAGMA page_size = 65536"],
  ["one that gives pages back at once", "PRAGMA auto_vacuum = FULL"],
  ["one that gives pages back when asked", "PRAGMA auto_vacuum = INCREMENTAL"],
])("%s", (_, pragmas) =>
  inFolder(async (folder) => {
    const { before, after, told } = await through(folder, pragmas);
    expect(after).toEqual(before);
    expect(told.lost).toEqual({ pages: 0, rows: 0 });
    expect(savedRows(told)).toBe(before.things.length + before.named.length);
  }),
);

test.each([
  ["", "PRAGMA page_size = 512; PRAGMA secure_delete = OFF"],
  [
    "that keeps a map of its pages",
    "PRAGMA page_size = 512; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = OFF",
  ],
])("rows that were deleted do not come back out of free pages of a file %s", (_, pragmas) =>
  inFolder(async (folder) => {
    const { before, after, told } = await through(
      folder,
      pragmas,
      "DELETE FROM things WHERE id > 1",
    );
    expect(before.things).toHaveLength(1);
    expect(after).toEqual(before);
    expect(told.lost).toEqual({ pages: 0, rows: 0 });
  }),
);

test("a file that is not there, or holds nothing, gives nothing", () =>
  inFolder(async (folder) => {
    const into = await openDatabase(":memory:");
    into.exec(schema);
    const nothing = { saved: {}, lost: { pages: 0, rows: 0 } };
    expect(await recover(join(folder, "none.db"), into)).toEqual(nothing);
    await Bun.write(join(folder, "empty.db"), "");
    expect(await recover(join(folder, "empty.db"), into)).toEqual(nothing);
    into.close();
  }));

// A plugin's own database: opened, migrated all or nothing, forgotten in, and written into an export.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  exportPluginData,
  forgetInPluginData,
  isMigrated,
  openPluginData,
  pluginDatabases,
} from "../../../src/home/database/plugin-data.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import type { OwnData } from "../../../src/sdk/context.ts";

const notes = "CREATE TABLE notes (record TEXT NOT NULL, text TEXT NOT NULL)";
let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-data-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const open = (data: OwnData, placeOf?: (sql: string) => string) =>
  openPluginData(data, { paths: memoirPaths(home), plugin: "notes", ...(placeOf && { placeOf }) });

/** What is in the file, asked by a plugin that has these migrations. */
async function tables(...migrations: string[]) {
  const { client, close } = await open({ migrations });
  const names = client.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'memoir_plugin' ORDER BY name",
  );
  close();
  return names.map(({ name }) => name);
}

test("each migration is run once, and what is new later", async () => {
  const first = await open({ migrations: [notes] });
  first.client.run("INSERT INTO notes VALUES (?, ?)", ["o1", "kept"]);
  first.close();
  const second = await open({ migrations: [notes, "ALTER TABLE notes ADD COLUMN at INTEGER"] });
  expect(second.client.all("SELECT * FROM notes")).toEqual([
    { record: "o1", text: "kept", at: null },
  ]);
  second.close();
  expect((await stat(join(home, "data/notes.db"))).mode & 0o777).toBe(0o600);
});

test("a transaction that throws leaves nothing", async () => {
  const { client, close } = await open({ migrations: [notes] });
  const work = () =>
    client.transaction(() => {
      client.run("INSERT INTO notes VALUES ('o1', 'a')");
      throw new Error("boom");
    });
  expect(work).toThrow("boom");
  expect(client.all("SELECT * FROM notes")).toEqual([]);
  close();
});

const broken: ReadonlyArray<readonly [what: string, data: OwnData, said: string]> = [
  ["the second of two", { migrations: [notes, "CRATE TABLE more (a)"] }, "migration 2 failed"],
  [
    "the second half of one",
    { migrations: [`${notes}; CREATE TABLE notes (a)`] },
    "migration 1 failed",
  ],
  [
    "a table that is not there",
    { migrations: [notes, "ALTER TABLE note ADD COLUMN a"] },
    "no such table",
  ],
  [
    "a column to forget by that is not there",
    { migrations: [notes], forget: { notes: "id" } },
    "notes.id",
  ],
  [
    "a table to forget in that is not there",
    { migrations: [notes], forget: { more: "id" } },
    "more.id",
  ],
];

describe("a migration that fails leaves the old state", () => {
  test.each([...broken])("%s", async (_what, data, said) => {
    const seen: string[] = [];
    const opening = open(data, (sql) => {
      seen.push(sql);
      return " (/plugins/notes.ts:7)";
    });
    await expect(opening).rejects.toThrow(said);
    await expect(opening).rejects.toMatchObject({ code: "plugin_invalid", plugin: "notes" });
    await expect(opening).rejects.toThrow("(/plugins/notes.ts:7)");
    expect(await tables("CREATE TABLE other (a)")).toEqual(["other"]);
  });

  test("also where rows are there already", async () => {
    const first = await open({ migrations: [notes] });
    first.client.run("INSERT INTO notes VALUES ('o1', 'a')");
    first.close();
    const wrong = [notes, "DELETE FROM notes; INSERT INTO more VALUES (1)"];
    await expect(open({ migrations: wrong })).rejects.toThrow("migration 2 failed");
    const again = await open({ migrations: [notes] });
    expect(again.client.all("SELECT record FROM notes")).toEqual([{ record: "o1" }]);
    again.close();
  });
});

test("one that ends its transaction is named all the same", async () => {
  const trigger = "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END; END";
  await expect(open({ migrations: [notes, trigger] })).rejects.toThrow("migration 2 failed");
});

test("a migration that was run and is another now is refused, and so is an older plugin", async () => {
  await tables(notes, "CREATE TABLE more (a)");
  await expect(open({ migrations: [`${notes} STRICT`, "CREATE TABLE more (a)"] })).rejects.toThrow(
    "migration 1 is another than the one that was run",
  );
  await expect(open({ migrations: [notes] })).rejects.toThrow(
    "its database has run 2 migrations, the plugin has 1",
  );
});

test("a file that is no database is refused and left", async () => {
  await tables(notes);
  await writeFile(
    join(home, "data/notes.db"),
    "no database at all, but long enough to look".repeat(50),
  );
  await expect(open({ migrations: [notes] })).rejects.toThrow("not a database");
  expect(await readFile(join(home, "data/notes.db"), "utf8")).toStartWith("no database");
});

test("what is forgotten goes from every file, byte for byte, while its plugin is off", async () => {
  const { client, close } = await open({ migrations: [notes], forget: { notes: "record" } });
  client.run("INSERT INTO notes VALUES ('o1', 'walrus-secret'), ('o2', 'otter')");
  close();
  expect(await forgetInPluginData(memoirPaths(home), ["o1", "s9"])).toEqual([]);
  const again = await open({ migrations: [notes], forget: { notes: "record" } });
  expect(again.client.all("SELECT record FROM notes")).toEqual([{ record: "o2" }]);
  again.close();
  expect(await readFile(join(home, "data/notes.db"), "latin1")).not.toContain("walrus-secret");
});

test("also while the plugin has it open; a damaged one is named and keeps none of the others", async () => {
  const { client, close } = await open({ migrations: [notes], forget: { notes: "record" } });
  client.run("INSERT INTO notes VALUES ('o1', 'a')");
  await writeFile(join(home, "data/broken.db"), "no database".repeat(100));
  const failed = await forgetInPluginData(memoirPaths(home), ["o1"]);
  expect(failed.map(({ name }) => name)).toEqual(["data/broken.db"]);
  expect(client.all("SELECT * FROM notes")).toEqual([]);
  close();
});

test("while another holds it, the process goes on: it is waited for where it has to be", async () => {
  const data: OwnData = { migrations: [notes], forget: { notes: "record" } };
  const { client, close } = await open(data);
  client.run("INSERT INTO notes VALUES ('o1', 'a')");
  client.run("PRAGMA journal_mode = DELETE");
  client.run("BEGIN EXCLUSIVE");
  const begun = performance.now();
  expect(await isMigrated(data, memoirPaths(home), "notes")).toBe(false);
  setTimeout(() => client.run("COMMIT"), 100);
  expect(await forgetInPluginData(memoirPaths(home), ["o1"])).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect(client.all("SELECT * FROM notes")).toEqual([]);
  close();
});

test("an export has every row with its plugin and table, bytes as base64", async () => {
  const { client, close } = await open({
    migrations: [notes, "CREATE TABLE files (name TEXT, bytes BLOB)"],
  });
  client.run("INSERT INTO notes VALUES ('o1', 'a')");
  client.run("INSERT INTO files VALUES (?, ?)", ["x", new Uint8Array([1, 2])]);
  close();
  expect(await Array.fromAsync(exportPluginData(memoirPaths(home)))).toEqual([
    {
      memoir: "data",
      plugin: "notes",
      table: "files",
      row: { name: "x", bytes: { base64: "AQI=" } },
    },
    { memoir: "data", plugin: "notes", table: "notes", row: { record: "o1", text: "a" } },
  ]);
  expect(Object.keys(await pluginDatabases(memoirPaths(home)))).toEqual(["data/notes.db"]);
});

test("a home without plugins' data has none", async () => {
  expect(await pluginDatabases(memoirPaths(home))).toEqual({});
  expect(await forgetInPluginData(memoirPaths(home), ["o1"])).toEqual([]);
});

test("whether there is a migration to run is seen without running it", async () => {
  const seen = (data: OwnData) => isMigrated(data, memoirPaths(home), "notes");
  expect(await seen({ migrations: [notes] })).toBe(false);
  (await open({ migrations: [notes] })).close();
  expect(await seen({ migrations: [notes] })).toBe(true);
  expect(await seen({ migrations: [notes, "CREATE TABLE more (a)"] })).toBe(false);
  expect(await seen({ migrations: [notes], forget: { notes: "record" } })).toBe(false);
  await writeFile(join(home, "data/notes.db"), "no database".repeat(100));
  expect(await seen({ migrations: [notes] })).toBe(false);
});

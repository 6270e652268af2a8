// Before a database's form is changed it is copied as it is.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backUpForMigration } from "../../../src/home/backups/make-backup.ts";
import { listBackups, readFailure } from "../../../src/home/backups/read-backups.ts";
import { type DatabaseForm, openDatabaseFile } from "../../../src/home/database/open-file.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

const one: DatabaseForm = {
  name: "The list",
  migrations: ["CREATE TABLE list (word TEXT); INSERT INTO list VALUES ('first')"],
};
const two: DatabaseForm = { ...one, migrations: [...one.migrations, "DELETE FROM list"] };
const open = async (path: string, form: DatabaseForm) =>
  (await openDatabaseFile(path, form)).close();

test("a new database and one that is up to date are not copied; one that is older is", () =>
  inFolder(async (home) => {
    const path = join(home, "list.db");
    await open(path, one);
    await open(path, one);
    expect(await listBackups(memoirPaths(home))).toEqual([]);
    await open(path, two);
    await open(path, two);
    const [backup, ...rest] = await listBackups(memoirPaths(home));
    expect([backup?.reason, backup?.manifest?.files, rest]).toMatchObject([
      "migration",
      [{ name: "list.db", schema: 1, counts: { list: 1 } }],
      [],
    ]);
    const copy = await openDatabase(join(backup?.folder ?? "", "list.db"), { readonly: true });
    expect(copy.prepare("SELECT word FROM list").all()).toEqual([{ word: "first" }]);
    copy.close();
  }));

test("where no copy can be made the change goes on", () =>
  inFolder(async (home) => {
    const path = join(home, "list.db");
    await open(path, one);
    await writeFile(join(home, "backups"), "a file where the folder would be");
    await open(path, two);
    const db = await openDatabaseFile(path, two);
    expect(db.prepare("SELECT word FROM list").all()).toEqual([]);
    db.close();
    expect(await readFailure(memoirPaths(home))).toBeUndefined();
  }));

test("that no copy could be made is noted beside the backups, with the reason and the time", () =>
  inFolder(async (home) => {
    const path = join(home, "list.db");
    await writeFile(path, "this is no database ".repeat(300));
    await backUpForMigration(path, () => 7);
    const failure = await readFailure(memoirPaths(home));
    expect(failure).toEqual({ time: 7, message: expect.stringContaining("No backup was made in") });
    expect(failure?.message).toContain("list.db: ");
    expect(await listBackups(memoirPaths(home))).toEqual([]);
  }));

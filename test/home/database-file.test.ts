// A database file opened, migrated, refused and set aside.
import { describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DatabaseForm,
  damagedFiles,
  openDatabaseFile,
  schemaVersion,
  setAside,
} from "../../src/home/database/open-file.ts";
import { openOrBeginAnew } from "../../src/home/database/replace.ts";
import { inFolder } from "../support/in-folder.ts";

const one: DatabaseForm = {
  name: "The list",
  migrations: ["CREATE TABLE list (word TEXT); INSERT INTO list VALUES ('first')"],
};
const two: DatabaseForm = {
  ...one,
  migrations: [...one.migrations, (db) => db.exec("UPDATE list SET word = word || ' second'")],
};
const words = async (path: string, form: DatabaseForm) => {
  const db = await openDatabaseFile(path, form);
  try {
    return db.prepare<{ word: string }>("SELECT word FROM list").all();
  } finally {
    db.close();
  }
};

describe("a file", () => {
  test("is made, migrated once, and brought on by what came since", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      expect(await words(path, one)).toEqual([{ word: "first" }]);
      expect(await words(path, two)).toEqual([{ word: "first second" }]);
      const before = await readFile(path);
      expect(await words(path, two)).toEqual([{ word: "first second" }]);
      expect((await readFile(path)).equals(before)).toBe(true);
    }));

  test("of a newer memoir is refused, and left as it is", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      await words(path, two);
      const before = await readFile(path);
      await expect(openDatabaseFile(path, one)).rejects.toMatchObject({
        code: "storage_newer",
        message: `The list (${path}) has schema 2; this memoir knows up to 1.`,
      });
      expect((await readFile(path)).equals(before)).toBe(true);
    }));

  test("whose migration fails stays at its version", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      await words(path, one);
      const broken = { ...one, migrations: [...one.migrations, "DELETE FROM list; nonsense"] };
      await expect(openDatabaseFile(path, broken)).rejects.toThrow("nonsense");
      expect(await words(path, one)).toEqual([{ word: "first" }]);
    }));

  test("of another program is refused where the form bears a mark", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      await words(path, one);
      const own = { ...one, applicationId: 77 };
      await expect(openDatabaseFile(path, own)).rejects.toMatchObject({ code: "storage_foreign" });
      const db = await openDatabaseFile(join(folder, "own.db"), own);
      db.close();
      (await openDatabaseFile(join(folder, "own.db"), own)).close();
    }));
});

describe("a damaged file", () => {
  test("is set aside whole under a name that is free, and a new one begun", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      const damage = "This is not a database. ".repeat(100);
      const told: string[] = [];
      for (let time = 0; time < 2; time++) {
        await writeFile(path, damage);
        const db = await openOrBeginAnew(path, two, {
          now: () => 5,
          replaced: (aside, begun) => void told.push(`${aside} ${schemaVersion(begun)}`),
        });
        db.close();
      }
      expect(told).toEqual([`${path}.damaged-5 2`, `${path}.damaged-6 2`]);
      expect(damagedFiles(path)).toEqual([`${path}.damaged-5`, `${path}.damaged-6`]);
      expect(await readFile(`${path}.damaged-5`, "utf8")).toBe(damage);
    }));

  test("is found by a look at all of it, up to a size", () =>
    inFolder(async (folder) => {
      const path = join(folder, "list.db");
      await words(path, one);
      // The second page is the table.
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0, 4_096));
      (await openDatabaseFile(path, { ...one, checkedBytes: 0 })).close();
      const begun = await openOrBeginAnew(path, one, { now: () => 5, replaced: () => undefined });
      begun.close();
      expect(damagedFiles(path)).toEqual([`${path}.damaged-5`]);
    }));
});

test("what belongs to a file goes with it, and what is not there is not missed", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "list.db"), "");
    await writeFile(join(folder, "list.db-wal"), "");
    await setAside(join(folder, "list.db"), 1);
    await setAside(join(folder, "none.db"), 1);
    expect((await readdir(folder)).sort()).toEqual(["list.db.damaged-1", "list.db.damaged-1-wal"]);
    expect(damagedFiles(join(folder, "list.db"))).toEqual([join(folder, "list.db.damaged-1")]);
  }));

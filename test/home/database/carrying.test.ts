// A damaged file whose rows cannot be carried over yet, since the disk is full: told once, and told no more once it is done.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DatabaseForm, openDatabaseFile } from "../../../src/home/database/open-file.ts";
import { openOrBeginAnew } from "../../../src/home/database/replace.ts";
import { openFindings } from "../../../src/home/findings.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const form: DatabaseForm = {
  name: "The shelf",
  migrations: ["CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"],
};

test("however often it is tried, and how long each takes", () =>
  inFolder(async (folder) => {
    const path = join(folder, "shelf.db");
    const db = await openDatabaseFile(path, form);
    db.exec("INSERT INTO things VALUES (1, 'one')");
    db.close();
    await writeFile(path, (await readFile(path)).fill(0, 0, 100));
    let time = 1_000;
    let isFull = true;
    const how = {
      now: () => time++,
      replaced: () => undefined,
      open: (async (file, options) => {
        const made = await openDatabase(file, options);
        if (!file.endsWith(".recovering")) return made;
        jest.advanceTimersByTime(2_000);
        if (!isFull) return made;
        made.close();
        throw new Error("database or disk is full");
      }) satisfies typeof openDatabase,
    };
    for (let tries = 0; tries < 3; tries++)
      await expect(openOrBeginAnew(path, form, how)).rejects.toThrow("disk is full");
    const carrying =
      "was damaged; what can be read of it is being carried over; a message follows once that is done";
    expect(openFindings(folder).map(({ what }) => what)).toEqual([carrying]);
    isFull = false;
    (await openOrBeginAnew(path, form, how)).close();
    expect(openFindings(folder).map(({ what, saved }) => [what, saved])).toEqual([
      ["was damaged", { things: 1 }],
    ]);
  }));

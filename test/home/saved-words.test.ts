// What was saved of each database, in a user's words.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type DatabaseForm, openDatabaseFile } from "../../src/home/database/open-file.ts";
import { savedText, savedThings } from "../../src/home/findings.ts";
import type { Database } from "../../src/host/sqlite.ts";
import { ledgerForm } from "../../src/runtime/budget/ledger.ts";
import { endlessForm } from "../../src/runtime/endless/open-store.ts";
import { journalForm } from "../../src/runtime/journal/schema.ts";
import { inFolder } from "../support/in-folder.ts";
import { openStorage } from "../support/open-storage.ts";

const by = (form: DatabaseForm) => (path: string) => openDatabaseFile(path, form);
const databases: Record<string, (path: string) => Promise<Database>> = {
  "memory.db": openStorage,
  "journal.db": by(journalForm),
  "endless.db": by(endlessForm),
  "usage.db": by(ledgerForm),
};

test("there are words for the four databases", () => {
  expect(Object.keys(savedThings).sort()).toEqual(Object.keys(databases).sort());
});

test.each(Object.keys(databases))("%s: no name of a table is told, only things it has", (file) =>
  inFolder(async (folder) => {
    const db = await databases[file]?.(join(folder, file));
    const tables = db
      ?.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    db?.close();
    const things = savedThings[file] ?? {};
    expect(tables).toEqual(expect.arrayContaining(Object.keys(things)));
    const saved = Object.fromEntries((tables ?? []).map((name) => [name, 2]));
    const said = savedText(file, saved).split(/, | and /);
    const others = (tables ?? []).length - Object.keys(things).length;
    expect(said).toEqual([
      ...Object.values(things).map(([, many]) => `2 ${many}`),
      `${2 * others} other rows`,
    ]);
  }),
);

test.each([
  [
    "memory.db",
    { puts: 43, session_summaries: 14, turns: 10, prompts: 10, turn_files: 17 },
    "10 prompts, 10 turns, 14 summaries and 60 other rows",
  ],
  ["memory.db", { memory: 1, sessions: 1 }, "1 session and 1 memory item"],
  ["memory.db", { observations: 3 }, "3 observations"],
  ["memory.db", { puts: 1 }, "1 row"],
  ["journal.db", { payloads: 5, events: 5, sessions: 1 }, "1 session, 5 events and 5 other rows"],
  [
    "endless.db",
    { contents: 4, blobs: 4, refs: 6, books: 1 },
    "6 tool results kept and 9 other rows",
  ],
  ["usage.db", { calls: 1, told: 1 }, "1 model call and 1 other row"],
  ["notes.db", { sessions: 3, passages: 4 }, "7 rows"],
])("%s: %p", (file, saved, text) => {
  expect(savedText(file, saved)).toBe(text);
});

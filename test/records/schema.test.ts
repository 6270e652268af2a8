// A new file is made by one schema, an old one by the migrations: both are the same file.
import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { type DatabaseForm, openDatabaseFile } from "../../src/home/database/open-file.ts";
import type { Database } from "../../src/host/sqlite.ts";
import { recordsForm } from "../../src/records/records-file.ts";
import { expectGolden } from "../support/golden.ts";
import { inFolder } from "../support/in-folder.ts";

const { schema: _, ...migrated } = recordsForm;
const place = resolve(import.meta.dir, "../../src/records/schema.sql.txt");
const heading = `-- What the migrations lead to, for a new file. Made of them: \`UPDATE_GOLDEN=1 bun test test/records/schema.test.ts\`.
-- Times are epoch ms; lists are JSON text; ids are integers here and \`o12\`, \`s5\`, \`p3\`, \`m4\` outside.
`;

interface Made {
  name: string;
  type: string;
  sql: string | null;
}

/** What SQLite says of a database's tables, in the order in which they were made. */
const made = (db: Database) =>
  db.all<Made & Record<string, string | null>>("SELECT name, type, sql FROM sqlite_schema");

/** A table begins a paragraph. */
const shown = (sql: string) => `${/^CREATE (TABLE|VIEW)/.test(sql) ? "\n" : ""}${sql};\n`;

/** A new file of a form, as `ask` sees it. */
const fresh = <Answer>(form: DatabaseForm, ask: (db: Database) => Answer) =>
  inFolder(async (folder) => {
    const db = await openDatabaseFile(join(folder, "memory.db"), form);
    try {
      return ask(db);
    } finally {
      db.close();
    }
  });

test("the schema of a new file is what the migrations lead to", async () => {
  const statements = await fresh(migrated, (db) =>
    made(db).flatMap(({ name, sql }) => (sql && !name.startsWith("sqlite_") ? [sql] : [])),
  );
  await expectGolden(place, `${heading}${statements.map(shown).join("")}`);
});

test("a new file and a migrated one are the same: tables, versions, rows", async () => {
  const all = (db: Database) => ({
    made: made(db),
    version: db.get("PRAGMA user_version"),
    application: db.get("PRAGMA application_id"),
    vacuum: db.get("PRAGMA auto_vacuum"),
    rows: made(db)
      .filter(({ type }) => type === "table")
      .map(({ name }) => [name, db.all(`SELECT * FROM "${name}"`)]),
  });
  const [ofSchema, ofMigrations] = [await fresh(recordsForm, all), await fresh(migrated, all)];
  expect(ofSchema.made.length).toBeGreaterThan(50);
  expect(ofSchema).toEqual(ofMigrations);
});

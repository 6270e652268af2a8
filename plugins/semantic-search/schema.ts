// The database of vectors: no text stands in it, and all of it can be made again from the records.
import { join } from "node:path";
import { type Database, type DatabaseForm, openOrBeginAnew } from "../../src/records/index.ts";
import type { PluginContext } from "../../src/sdk/index.ts";

const tables = `
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A turn that was looked at. "hash" is that of its passages once all of them have vectors, else empty; "sweep" is the last
-- look over all turns that met it.
CREATE TABLE turns (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,
  client TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  time REAL NOT NULL,
  sweep INTEGER NOT NULL
) WITHOUT ROWID;

-- "vector" is of length 1, in float32; empty for a text that the endpoint refuses. "code" is made once there is a centre.
CREATE TABLE passages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  turn TEXT NOT NULL,
  hash TEXT NOT NULL,
  code BLOB,
  vector BLOB NOT NULL
);
CREATE INDEX passages_by_turn ON passages (turn, hash);
`;

const form: DatabaseForm = {
  name: "The database of vectors",
  migrations: [tables],
  applicationId: 0x6d_65_6d_76,
  autoVacuum: true,
  // Which passages are lost, a look at every turn tells; those that are there are not embedded again.
  recovery: { settle: (db) => db.exec("UPDATE turns SET hash = ''") },
};

/** Opens it beside the records; a damaged one is set aside, and what cannot be read of it is embedded once more. */
export async function openVectors({
  home,
  now,
  log,
}: Pick<PluginContext, "home" | "now" | "log">): Promise<Database> {
  const db = await openOrBeginAnew(join(home, "semantic-search.db"), form, {
    now,
    replaced: (aside) =>
      log.warn(
        "The database of vectors was damaged; what could not be read of it is embedded anew.",
        { aside },
      ),
  });
  // What is forgotten is overwritten.
  db.exec("PRAGMA secure_delete = ON");
  return db;
}

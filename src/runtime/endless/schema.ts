// The tables of Endless Mode's database: what was kept, the books, and what sessions took.
import type { DatabaseForm } from "../../home/database-file.ts";

/** Times in epoch ms; `day` is a local date. `characters` and `tokens` of the books may be negative where more was put in than taken out. */
const tables = `
CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  characters INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE TABLE blobs (
  content INTEGER PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE,
  data BLOB NOT NULL
);
CREATE TABLE refs (
  id INTEGER PRIMARY KEY,
  tool_use TEXT NOT NULL,
  part TEXT NOT NULL,
  session TEXT NOT NULL,
  strategy TEXT NOT NULL,
  project TEXT,
  agent TEXT,
  tool TEXT NOT NULL,
  content INTEGER NOT NULL REFERENCES contents (id),
  kept_at INTEGER NOT NULL,
  UNIQUE (tool_use, part, session, strategy, content)
);
CREATE INDEX refs_content ON refs (content);
CREATE INDEX refs_kept_at ON refs (kept_at);
CREATE TABLE books (
  day TEXT NOT NULL,
  strategy TEXT NOT NULL,
  kind TEXT NOT NULL,
  tool TEXT NOT NULL,
  part TEXT NOT NULL,
  session TEXT NOT NULL,
  reason TEXT NOT NULL,
  project TEXT NOT NULL,
  count INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  longest_ms INTEGER NOT NULL,
  PRIMARY KEY (day, strategy, kind, tool, part, session, reason)
) WITHOUT ROWID;
CREATE TABLE sessions (
  session TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  strategies TEXT NOT NULL,
  held_out INTEGER NOT NULL,
  first_reduced_at INTEGER,
  updated_at INTEGER NOT NULL,
  usage TEXT NOT NULL
) WITHOUT ROWID;
`;

/** Of which kind what was kept is, in its strategy's words. */
const kinds = "ALTER TABLE refs ADD COLUMN kind TEXT NOT NULL DEFAULT ''";

/** Its file. Waiting for another program's lock holds up the whole server. */
export const endlessForm: DatabaseForm = {
  name: "The database of Endless Mode",
  migrations: [tables, kinds],
  tables: ["refs", "contents", "blobs"],
  isHomes: true,
  autoVacuum: true,
  busyTimeoutMs: 250,
  recovery: {
    counted: ["refs"],
    fromBackup: true,
    // What is only half there could not be given back.
    settle: (db) =>
      db.exec(`
        DELETE FROM blobs WHERE content NOT IN (SELECT id FROM contents);
        DELETE FROM refs WHERE content NOT IN (SELECT content FROM blobs);
        DELETE FROM contents WHERE id NOT IN (SELECT content FROM blobs)`),
  },
};

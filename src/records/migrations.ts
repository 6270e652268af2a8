// The migrations in order: each runs once, forward only. A released one is never changed; add the next instead. Long ones stand in `migrations`.
import { sumsOf } from "../home/database/intact.ts";
import type { Database } from "../host/sqlite.ts";
import { beginLog } from "./log-schema.ts";
import records from "./migrations/1-records.sql.txt" with { type: "text" };
import turns from "./migrations/2-turns.sql.txt" with { type: "text" };
import search from "./migrations/3-search.sql.txt" with { type: "text" };
import evidence from "./migrations/4-evidence.sql.txt" with { type: "text" };

// Schema version 7: what the user made of records: pinned, hidden, edited. What goes takes its marks along.
const marked = {
  observation: "observations",
  summary: "session_summaries",
  prompt: "prompts",
  session: "sessions",
  memory: "memory",
  turn: "turns",
};

/** Statements that lead from version 6. `texts` are the user's words by field, `was` what stood there before. */
const marks = `
CREATE TABLE marks (
  kind TEXT NOT NULL,
  record INTEGER NOT NULL,
  pinned INTEGER NOT NULL DEFAULT 0,
  hidden INTEGER NOT NULL DEFAULT 0,
  edited_at INTEGER,
  texts TEXT CHECK (json_valid(texts)),
  was TEXT CHECK (json_valid(was)),
  PRIMARY KEY (kind, record)
) WITHOUT ROWID;
${Object.entries(marked)
  .map(
    ([kind, table]) => `CREATE TRIGGER ${table}_unmarked AFTER DELETE ON ${table} BEGIN
  DELETE FROM marks WHERE kind = '${kind}' AND record = old.id;
END;`,
  )
  .join("\n")}
`;

/** Statements by schema version; the first entry makes version 1. */
export const migrations: ReadonlyArray<string | ((db: Database) => void)> = [
  records,
  turns,
  search,
  evidence,
  // 5: why a session ended, in its client's word.
  "ALTER TABLE sessions ADD COLUMN end_reason TEXT;",
  // 6: observations of a type in a project, without reading the project's others.
  "CREATE INDEX observations_by_type ON observations (project, type, created_at);",
  marks,
  // 8: which record says it, too, and is shown in its place.
  "ALTER TABLE marks ADD COLUMN merged TEXT;",
  // 9: a checksum in each row, which tells of a byte that changed on the disk.
  [
    ...Object.values(marked).map((table) => sumsOf(table, ["id"])),
    sumsOf("projects", ["number"]),
    sumsOf("marks", ["kind", "record"]),
  ].join("\n"),
  // 10: what came from another memory, and which records it names there, by hashes that are the same in both.
  `CREATE TABLE imported (
  kind TEXT NOT NULL,
  record INTEGER NOT NULL,
  identity TEXT NOT NULL,
  superseder TEXT,
  merged TEXT,
  PRIMARY KEY (kind, record)
) WITHOUT ROWID;
CREATE INDEX imported_by_identity ON imported (identity);
CREATE INDEX imported_by_superseder ON imported (superseder) WHERE superseder IS NOT NULL;
CREATE INDEX imported_by_merged ON imported (merged) WHERE merged IS NOT NULL;
CREATE TRIGGER observations_not_imported AFTER DELETE ON observations BEGIN
  DELETE FROM imported WHERE kind = 'observation' AND record = old.id;
END;
CREATE TRIGGER memory_not_imported AFTER DELETE ON memory BEGIN
  DELETE FROM imported WHERE kind = 'memory' AND record = old.id;
END;`,
  // 11: what a person decided about projects: which one a captured id belongs to (itself: kept apart), and what one is called.
  `CREATE TABLE project_choices (
  id TEXT PRIMARY KEY,
  project TEXT,
  name TEXT
) WITHOUT ROWID;
CREATE INDEX sessions_by_place ON sessions (project, root, branch);`,
  // 12: the log of changes.
  beginLog,
];

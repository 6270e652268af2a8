// The migrations in order: each runs once, forward only. A released one is never changed; add the next instead.
import { sumsOf } from "../../home/database/row-sums.ts";
import { sql as records } from "./001-records.ts";
import { sql as turns } from "./002-turns.ts";
import { sql as search } from "./003-search.ts";
import { sql as evidence } from "./004-evidence.ts";
import { sql as marks } from "./007-marks.ts";

/** Statements by schema version; the first entry makes version 1. More than a statement or two have a file of their own. */
export const migrations: readonly string[] = [
  records,
  turns,
  search,
  evidence,
  // 5: why a session ended, in its client's word.
  "ALTER TABLE sessions ADD COLUMN end_reason TEXT;",
  // 6: observations of a type in a project, without reading the project's others.
  "CREATE INDEX observations_by_type ON observations (project, type, created_at);",
  marks,
  // 8: which record says it, too, and is told in its place.
  "ALTER TABLE marks ADD COLUMN merged TEXT;",
  // 9: a checksum in each row, which tells of a byte that changed on the disk.
  [
    ...["observations", "session_summaries", "prompts", "sessions", "memory", "turns"].map(
      (table) => sumsOf(table, ["id"]),
    ),
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
];

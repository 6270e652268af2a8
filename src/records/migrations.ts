// The migrations in order: each runs once, forward only. A released one is never changed; add the next instead.
import { sumsOf } from "../home/database/row-sums.ts";
import type { Database } from "../host/sqlite.ts";
import { beginLog } from "./log-schema.ts";

// Schema version 1: the records, side tables for exact look-ups, and the full-text index over all of them.
// Times are epoch ms; lists are JSON text; ids are integers here and `o12`, `s5`, `p3`, `m4` outside.
const records = `
CREATE TABLE projects (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL COLLATE NOCASE
);
CREATE INDEX projects_by_name ON projects (name);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  client_session_id TEXT NOT NULL,
  project TEXT NOT NULL REFERENCES projects (id),
  root TEXT NOT NULL,
  branch TEXT,
  title TEXT NOT NULL DEFAULT '',
  subtitle TEXT NOT NULL DEFAULT '',
  prompts INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL CHECK (status IN ('active', 'ended')),
  transcript_path TEXT,
  started_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL,
  ended_at INTEGER,
  UNIQUE (client, client_session_id)
);
CREATE INDEX sessions_by_client_id ON sessions (client_session_id);
CREATE INDEX sessions_by_project ON sessions (project, last_active_at);
CREATE INDEX sessions_by_time ON sessions (last_active_at);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT NOT NULL,
  prompt_number INTEGER NOT NULL,
  user_prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, prompt_number)
);
CREATE INDEX prompts_by_project ON prompts (project, created_at);
CREATE INDEX prompts_by_time ON prompts (created_at);

CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT NOT NULL,
  branch TEXT,
  prompt_number INTEGER NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  narrative TEXT NOT NULL,
  concepts TEXT NOT NULL CHECK (json_valid(concepts)),
  files_read TEXT NOT NULL CHECK (json_valid(files_read)),
  files_modified TEXT NOT NULL CHECK (json_valid(files_modified)),
  tool_use_ids TEXT NOT NULL CHECK (json_valid(tool_use_ids)),
  agent_id TEXT,
  agent_type TEXT,
  discovery_tokens INTEGER,
  observer_tokens INTEGER,
  strategy TEXT NOT NULL,
  model TEXT,
  content_hash TEXT NOT NULL,
  title_key TEXT NOT NULL,
  superseded_by INTEGER REFERENCES observations (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, content_hash)
);
CREATE INDEX observations_by_project ON observations (project, created_at);
CREATE INDEX observations_by_time ON observations (created_at);
CREATE INDEX observations_by_session ON observations (session_id, created_at);
CREATE INDEX observations_by_title ON observations (project, title_key);
CREATE INDEX observations_superseded ON observations (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE observation_files (
  observation_id INTEGER NOT NULL REFERENCES observations (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  basename TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('read', 'modified')),
  PRIMARY KEY (observation_id, path, mode)
) WITHOUT ROWID;
CREATE INDEX observation_files_by_basename ON observation_files (basename, path);

CREATE TABLE observation_concepts (
  observation_id INTEGER NOT NULL REFERENCES observations (id) ON DELETE CASCADE,
  concept TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (observation_id, concept)
) WITHOUT ROWID;
CREATE INDEX observation_concepts_by_concept ON observation_concepts (concept);

-- Each fact a row, for people with a question of their own; memoir reads the column.
CREATE VIEW observation_facts AS
  SELECT o.id AS observation_id, o.project, o.type, f.key AS position, f.value AS fact
  FROM observations o, json_each(o.facts) f;

CREATE TABLE session_summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('prompt', 'session')),
  prompt_number INTEGER NOT NULL,
  request TEXT NOT NULL,
  investigated TEXT NOT NULL,
  learned TEXT NOT NULL,
  completed TEXT NOT NULL,
  next_steps TEXT NOT NULL,
  files_read TEXT NOT NULL CHECK (json_valid(files_read)),
  files_edited TEXT NOT NULL CHECK (json_valid(files_edited)),
  notes TEXT NOT NULL,
  observer_tokens INTEGER,
  strategy TEXT NOT NULL,
  model TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (session_id, scope, prompt_number)
);
CREATE TABLE summary_files (
  summary_id INTEGER NOT NULL REFERENCES session_summaries (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  basename TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('read', 'modified')),
  PRIMARY KEY (summary_id, path, mode)
) WITHOUT ROWID;
CREATE INDEX summary_files_by_basename ON summary_files (basename, path);
CREATE INDEX session_summaries_by_project ON session_summaries (project, created_at);
CREATE INDEX session_summaries_by_time ON session_summaries (created_at);

CREATE TABLE memory (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  client_session_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('decisions', 'preferences', 'projects', 'facts')),
  date TEXT NOT NULL,
  content TEXT NOT NULL,
  context TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (project, kind, content)
);

-- Keys of finished puts and the answer each was given.
CREATE TABLE puts (
  key TEXT PRIMARY KEY,
  result TEXT NOT NULL CHECK (json_valid(result)),
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- What is searched: one slim row a record, newest id last, so that filters never touch the wide tables.
CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  record INTEGER NOT NULL,
  project TEXT NOT NULL,
  client_session_id TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, record)
);
CREATE INDEX entries_by_time ON entries (created_at);
CREATE INDEX entries_by_project ON entries (project, created_at);
CREATE INDEX entries_by_session ON entries (client_session_id, created_at);

-- The texts come prepared (identifiers split, words segmented). "scope" holds project, kind, type and concept as words, so that a filter
-- is an intersection inside the index. No less than full detail: without it bm25() is always 0 in a contentless table.
CREATE VIRTUAL TABLE search USING fts5 (
  scope, title, facts, subtitle, labels, narrative,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

-- Unstemmed words, for the correction of typing errors.
CREATE TABLE words (
  length INTEGER NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (length, word)
) WITHOUT ROWID;

CREATE TRIGGER entries_deleted AFTER DELETE ON entries BEGIN
  DELETE FROM search WHERE rowid = old.id;
END;
CREATE TRIGGER observations_deleted AFTER DELETE ON observations BEGIN
  DELETE FROM entries WHERE kind = 'observation' AND record = old.id;
END;
CREATE TRIGGER session_summaries_deleted AFTER DELETE ON session_summaries BEGIN
  DELETE FROM entries WHERE kind = 'summary' AND record = old.id;
END;
CREATE TRIGGER prompts_deleted AFTER DELETE ON prompts BEGIN
  DELETE FROM entries WHERE kind = 'prompt' AND record = old.id;
END;
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions BEGIN
  DELETE FROM entries WHERE kind = 'session' AND record = old.id;
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
  DELETE FROM entries WHERE kind = 'memory' AND record = old.id;
END;
`;

// Schema version 2: turns, the evidence of each prompt. Pieces and files are JSON; files have a side table for look-ups.
/** Statements that add turns to version 1. Ids are `t7` outside; `created_at` is the time of the prompt. */
const turns = `
CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  project TEXT NOT NULL,
  branch TEXT,
  prompt_number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended TEXT NOT NULL CHECK (ended IN ('closed', 'interrupted', 'open')),
  pieces TEXT NOT NULL CHECK (json_valid(pieces)),
  files TEXT NOT NULL CHECK (json_valid(files)),
  left_out TEXT CHECK (json_valid(left_out)),
  gaps INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session_id, prompt_number)
);
CREATE INDEX turns_by_project ON turns (project, created_at);
CREATE INDEX turns_by_time ON turns (created_at);

CREATE TABLE turn_files (
  turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  basename TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('read', 'modified')),
  PRIMARY KEY (turn_id, path, mode)
) WITHOUT ROWID;
CREATE INDEX turn_files_by_basename ON turn_files (basename, path);

-- Each piece a row, for people with a question of their own; memoir reads the column.
CREATE VIEW turn_pieces AS
  SELECT t.id AS turn_id, t.project, p.key AS position, p.value ->> 'kind' AS kind, p.value ->> 'about' AS about,
    p.value ->> 'text' AS text
  FROM turns t, json_each(t.pieces) p;

CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
  DELETE FROM entries WHERE kind = 'turn' AND record = old.id;
END;
`;

// Schema version 3: the full-text tables go; the search index makes its own tables, which can be rebuilt at any time.
/** Statements that lead from version 2. What is deleted by whatever hand is noted, for the index to forget it. */
const search = `
DROP TRIGGER observations_deleted;
DROP TRIGGER session_summaries_deleted;
DROP TRIGGER prompts_deleted;
DROP TRIGGER sessions_deleted;
DROP TRIGGER memory_deleted;
DROP TRIGGER turns_deleted;
DROP TABLE entries;
DROP TABLE search;
DROP TABLE words;

CREATE TABLE unsearched (document TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER observations_deleted AFTER DELETE ON observations BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('o' || old.id);
END;
CREATE TRIGGER session_summaries_deleted AFTER DELETE ON session_summaries BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('s' || old.id);
END;
CREATE TRIGGER prompts_deleted AFTER DELETE ON prompts BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('p' || old.id);
END;
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('session ' || old.id);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('m' || old.id);
END;
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('t' || old.id);
END;
`;

// Schema version 4: derived records name the pieces of turns they quote; memory items have a state, and two more kinds.
/** Statements that add evidence to version 3. A kind is checked by the schema of records alone: the next one needs no new table. */
const evidence = `
ALTER TABLE observations ADD COLUMN evidence TEXT CHECK (json_valid(evidence));
ALTER TABLE session_summaries ADD COLUMN evidence TEXT CHECK (json_valid(evidence));

CREATE TABLE memory_next (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  client_session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  date TEXT NOT NULL,
  content TEXT NOT NULL,
  context TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT CHECK (state IN ('standing', 'candidate')),
  quote TEXT,
  evidence TEXT CHECK (json_valid(evidence)),
  UNIQUE (project, kind, content)
);
INSERT INTO memory_next (id, project, client_session_id, kind, date, content, context, created_at)
  SELECT id, project, client_session_id, kind, date, content, context, created_at FROM memory;
-- An id that was given once is never given again.
DELETE FROM sqlite_sequence WHERE name = 'memory_next';
INSERT INTO sqlite_sequence (name, seq) SELECT 'memory_next', seq FROM sqlite_sequence WHERE name = 'memory';
DROP TABLE memory;
ALTER TABLE memory_next RENAME TO memory;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
  INSERT OR IGNORE INTO unsearched VALUES ('m' || old.id);
END;
`;

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

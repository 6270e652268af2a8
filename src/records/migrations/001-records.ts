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
`;

const index = `
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

/** Statements that make the schema in an empty database. */
export const sql = records + index;

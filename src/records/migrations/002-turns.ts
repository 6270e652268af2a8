// Schema version 2: turns, the evidence of each prompt. Pieces and files are JSON; files have a side table for look-ups.

/** Statements that add turns to version 1. Ids are `t7` outside; `created_at` is the time of the prompt. */
export const sql = `
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

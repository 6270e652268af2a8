// Schema version 4: derived records name the pieces of turns they quote; memory items have a state, and two more kinds.

/** Statements that add evidence to version 3. A kind is checked by the schema of records alone: the next one needs no new table. */
export const sql = `
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

// Schema version 3: the full-text tables go; the search index makes its own tables, which can be made anew at any time.

/** Statements that lead from version 2. What is deleted by whatever hand is noted, for the index to forget it. */
export const sql = `
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

// Schema version 7: what the user made of records: pinned, hidden, edited. What goes takes its marks along.

const tables = {
  observation: "observations",
  summary: "session_summaries",
  prompt: "prompts",
  session: "sessions",
  memory: "memory",
  turn: "turns",
};

/** Statements that lead from version 6. `texts` are the user's words by field, `was` what stood there before. */
export const sql = `
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
${Object.entries(tables)
  .map(
    ([kind, table]) => `CREATE TRIGGER ${table}_unmarked AFTER DELETE ON ${table} BEGIN
  DELETE FROM marks WHERE kind = '${kind}' AND record = old.id;
END;`,
  )
  .join("\n")}
`;

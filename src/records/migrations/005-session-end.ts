// Schema version 5: why a session ended, in the client's own word.

/** Statements that lead from version 4. */
export const sql = `
ALTER TABLE sessions ADD COLUMN end_reason TEXT;
`;

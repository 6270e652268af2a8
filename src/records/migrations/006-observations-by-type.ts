// Schema version 6: observations of a type in a project, without reading the project's others.

/** Statements that lead from version 5. */
export const sql = `
CREATE INDEX observations_by_type ON observations (project, type, created_at);
`;

// Takes tables out of a damaged file without reading them.

/**
 * Takes tables with their indexes and triggers out of a file that nothing else has open, without reading their pages: DROP TABLE reads all
 * of them, and fails on a damaged one. The pages stay in the file, used by nothing, until a VACUUM.
 */
export async function takeOutTables(path: string, names: readonly string[]): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  // Only this driver lets the schema be written; Deno's types do not name what allows it.
  const writable: object = { defensive: false };
  const db = new DatabaseSync(path, writable);
  try {
    db.exec("PRAGMA busy_timeout = 5000; PRAGMA writable_schema = ON; BEGIN IMMEDIATE");
    db.prepare("DELETE FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?))").run(
      JSON.stringify(names),
    );
    const { schema_version: version } = db.prepare("PRAGMA schema_version").get() ?? {};
    // Others that have the file open learn of it by this number.
    db.exec(`PRAGMA schema_version = ${Number(version) + 1}; COMMIT`);
  } finally {
    db.close();
  }
}

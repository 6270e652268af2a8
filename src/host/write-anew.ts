// Takes out of a database file what its tables hold no more, and damaged tables without reading them.
import type { Database } from "./sqlite.ts";

/** Up to so many bytes a file is written anew as a whole. */
const wholeBytes = 1_000_000_000;
const chunkBytes = 1024 * 1024;

/**
 * Writes the file anew and empties its log, so that nothing is left of what was deleted. Of a larger one only the free pages are
 * filled with zeros: in the unused room of a page that is in use some bytes may stay, until that page is written again.
 */
export function writeAnew(db: Database, limit = wholeBytes): void {
  if (pragma(db, "page_count") * pragma(db, "page_size") <= limit) db.exec("VACUUM");
  else overwriteFree(db);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** How many free pages go at a time: some milliseconds. */
const freedPages = 256;

/** Gives some of the free pages back to the disk; a file that was made without that is written anew once. */
export function giveBack(db: Database): void {
  if (pragma(db, "freelist_count") === 0) return;
  if (pragma(db, "auto_vacuum") === 0) db.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
  else db.exec(`PRAGMA incremental_vacuum(${freedPages})`);
  db.exec("PRAGMA wal_checkpoint(PASSIVE)");
}

/** Fills all free pages with zeros. */
export function overwriteFree(db: Database): void {
  const chunks = Math.ceil((pragma(db, "freelist_count") * pragma(db, "page_size")) / chunkBytes);
  if (chunks === 0) return;
  db.transaction(() => {
    db.exec("CREATE TABLE overwritten (zeros BLOB)");
    const insert = db.prepare("INSERT INTO overwritten VALUES (zeroblob(?))");
    for (let chunk = 0; chunk < chunks; chunk++) insert.run([chunkBytes]);
    db.exec("DROP TABLE overwritten");
  });
}

function pragma(db: Database, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

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

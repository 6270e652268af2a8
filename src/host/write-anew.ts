// Takes out of a database's file what its tables hold no more: deleted texts stand in free pages, and in the unused room of others.
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

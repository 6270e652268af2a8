// The files that a record names, so that a file leads to its records: how paths are kept for look-ups, and their writer.
import type { Database } from "../host/sqlite.ts";
import { baseName } from "../text/text.ts";

/** A path as it is kept: forward slashes, no leading `./`. `.\\src\\a.ts` and `./src/a.ts` are both `src/a.ts`. */
export function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/+$/, "");
}

/** True for `/a` and `C:/a`. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(slashed(path));
}

/** Paths as a record has them, by what was done to the files. */
interface NamedFiles {
  read: readonly string[];
  modified: readonly string[];
}

/** The writer of one kind's files: `add` leaves what is there, `replace` takes it out first. */
export function filesWriter(db: Database, kind: "observation" | "summary" | "turn") {
  const remove = db.prepare(`DELETE FROM ${kind}_files WHERE ${kind}_id = ?`);
  const insert = db.prepare(
    `INSERT OR IGNORE INTO ${kind}_files (${kind}_id, path, basename, mode) VALUES (?, ?, ?, ?)`,
  );

  function add(id: number | bigint, files: NamedFiles): void {
    for (const mode of ["read", "modified"] as const)
      for (const path of files[mode]) insert.run([id, slashed(path), baseName(path), mode]);
  }

  function replace(id: number | bigint, files: NamedFiles): void {
    remove.run([id]);
    add(id, files);
  }

  return { add, replace };
}

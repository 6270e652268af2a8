// Writes which files a record names, so that a file leads to its records.
import type { Database } from "../host/sqlite.ts";
import { baseName } from "../text/base-name.ts";
import { slashed } from "./paths.ts";

/** Paths as a record has them, by what was done to the files. */
export interface NamedFiles {
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

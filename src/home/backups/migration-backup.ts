// The backup of one database before its form is changed.
import { basename, dirname } from "node:path";
import { memoirPaths } from "../paths.ts";
import { makeBackup } from "./make-backup.ts";
import { noteFailure } from "./read-backups.ts";

/** Copies the database at `path` into `backups` beside it. Never rejects: a failure is noted for `doctor`. */
export async function backUpForMigration(
  path: string,
  now: () => number = Date.now,
): Promise<void> {
  const paths = memoirPaths(dirname(path));
  try {
    await makeBackup(paths, { reason: "migration", now, only: { [basename(path)]: path } });
  } catch (error) {
    await noteFailure(paths, error, now());
  }
}

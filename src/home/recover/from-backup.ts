// What the pages of a damaged file do not give may stand in the newest backup of it.
import { join } from "node:path";
import type { Database } from "../../host/sqlite.ts";
import { listBackups, verifyBackup } from "../backups/read-backups.ts";
import { memoirPaths } from "../paths.ts";
import { type RecoverOptions, recover, savedRows } from "./recover.ts";

/** What came out of a backup. */
export interface FromBackup {
  /** Rows that the file itself had lost. */
  rows: number;
  /** The backup in words; with none that could be taken, why. */
  said: string;
}

/**
 * Adds rows of the newest whole backup of `file` that `into` lacks. One from before something was forgotten for good is left
 * alone: it would bring that back. Undefined where there is no backup of the file.
 */
export async function addFromBackup(
  home: string,
  file: string,
  into: Database,
  options: RecoverOptions,
  forgottenAt = 0,
): Promise<FromBackup | undefined> {
  for (const backup of await listBackups(memoirPaths(home))) {
    if (!backup.manifest?.files.some(({ name }) => name === file)) continue;
    if ((await verifyBackup(backup, [file])).length > 0) continue;
    if (backup.time <= forgottenAt)
      return {
        rows: 0,
        said: `the backup ${backup.name} was left alone: it is from before something was forgotten`,
      };
    const { saved, lost } = await recover(join(backup.folder, file), into, options);
    const rows = savedRows({ saved, lost });
    return { rows, said: `${rows} rows from the backup ${backup.name}` };
  }
  return undefined;
}

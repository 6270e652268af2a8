// Opens the database file: refuses what is not memoir's, damaged or newer, and migrates what is older.

import { damageOfTable, tablesOf } from "../home/database/check-databases.ts";
import { noteContents, readMark } from "../home/database/contents.ts";
import type { DatabaseForm, Replacement } from "../home/database/open-file.ts";
import { beginAnew, openOrBeginAnew } from "../home/database/replace.ts";
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { recordTables } from "./kinds.ts";
import { migrations } from "./migrations/index.ts";
import { recordsRecovery } from "./recovery.ts";

const form: DatabaseForm = {
  name: "The database",
  migrations,
  autoVacuum: true,
  // "memo" in ASCII: tells memoir's database from any other.
  applicationId: 0x6d656d6f,
  // Waiting blocks the whole process: rather fail soon and be tried again.
  busyTimeoutMs: 2_000,
  logBytes: 64 * 1024 * 1024,
  // Its index is looked after apart; see `checkRecords`.
  checkedBytes: 0,
  recovery: recordsRecovery,
  isHomes: true,
};

/** Up to so many bytes the tables of records are read whole when the file is opened. */
const checkedBytes = 32 * 1024 * 1024;

const checkedTables = [
  ...recordTables,
  ...["observation_files", "observation_concepts", "summary_files", "turn_files"],
  ...["projects", "puts", "marks"],
];

/**
 * The database at `path`, migrated to the newest schema; of a damaged file what can be read, and the file itself is set aside. Rejects
 * with `storage_newer` or `storage_foreign` without having changed the file.
 */
export async function openOrRecover(path: string, how: Replacement): Promise<Database> {
  const db = await openOrBeginAnew(path, form, how).catch((error: unknown) => {
    throw readable(error, path);
  });
  try {
    checkRecords(db, readMark(path) !== undefined);
    return db;
  } catch (error) {
    db.close();
    if (!isCorrupt(error)) throw readable(error, path);
    return await beginAnew(path, form, how, error);
  }
}

/** Notes in the ledger what the file holds; see `noteContents`. */
export function noteRecords(
  path: string,
  db: Database,
  how: Pick<Replacement, "home" | "now">,
  forgotten = false,
): Promise<void> {
  return noteContents(path, db, form, how, forgotten);
}

/** Sets a file aside that turned out to be damaged (it must be closed), and carries over what can be read of it. */
export function recoverStorage(path: string, how: Replacement, cause: unknown): Promise<Database> {
  return beginAnew(path, form, how, cause);
}

/** Throws as SQLite does where a table of records has a damaged page, in a file that is not large or is `suspect`. */
function checkRecords(db: Database, suspect: boolean): void {
  const bytes = db
    .prepare<{ n: number }>(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    )
    .get()?.n;
  if ((bytes ?? 0) > checkedBytes && !suspect) return;
  const tables = suspect
    ? tablesOf(db).filter((name) => !name.startsWith("search_"))
    : checkedTables;
  for (const table of tables) {
    const damage = damageOfTable(db, table);
    if (damage) throw new Error(`database disk image is malformed: ${table}: ${damage}`);
  }
}

/** Names a file that is damaged or out of reach; every other error passes unchanged. */
export function readable(error: unknown, path: string): unknown {
  if (error instanceof MemoirError) return error;
  // SQLite's own words name no file: it may be the log or the index beside it that nobody can read.
  if (/unable to open database file/i.test(String(error)))
    return new MemoirError(
      "file_unusable",
      `The database ${path}, or a file of its own beside it, cannot be opened. Nothing was changed.`,
      { cause: error },
    );
  if (!isCorrupt(error)) return error;
  return new MemoirError("storage_damaged", `The database ${path} is damaged.`, { cause: error });
}

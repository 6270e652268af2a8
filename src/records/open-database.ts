// Opens the database file: refuses what is not memoir's, damaged or newer, and migrates what is older.
import { type DatabaseForm, openDatabaseFile } from "../home/database-file.ts";
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { migrations } from "./migrations/index.ts";

const form: DatabaseForm = {
  name: "The database",
  migrations,
  // "memo" in ASCII: tells memoir's database from any other.
  applicationId: 0x6d656d6f,
  // Waiting blocks the whole process: rather fail soon and be tried again.
  busyTimeoutMs: 2_000,
  logBytes: 64 * 1024 * 1024,
  // It is opened for every look at it, and nothing would take its place.
  checkedBytes: 0,
};

/**
 * The database at `path`, migrated to the newest schema. Rejects with `storage_newer`, `storage_damaged` or
 * `storage_foreign` without having changed the file.
 */
export async function openStorage(path: string): Promise<Database> {
  try {
    return await openDatabaseFile(path, form);
  } catch (error) {
    throw readable(error, path);
  }
}

/** Names a damaged file as such; every other error passes unchanged. */
export function readable(error: unknown, path: string): unknown {
  if (error instanceof MemoirError || !isCorrupt(error)) return error;
  return new MemoirError("storage_damaged", `The database ${path} is damaged.`, { cause: error });
}

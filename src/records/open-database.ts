// Opens the database file: refuses what is not memoir's, damaged or newer, and migrates what is older.
import { setTimeout as pause } from "node:timers/promises";
import { type Database, isBusy, isCorrupt, openDatabase } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { migrations } from "./migrations/index.ts";

/** "memo" in ASCII: tells memoir's database from any other. */
const applicationId = 0x6d656d6f;

/** Waiting blocks the whole process: rather fail soon and be tried again. */
const busyTimeoutMs = 2000;

/**
 * The database at `path`, migrated to the newest schema. Rejects with `storage_newer`, `storage_damaged` or
 * `storage_foreign` without having changed the file.
 */
export async function openStorage(path: string): Promise<Database> {
  const db = await openDatabase(path, { busyTimeoutMs }).catch((error: unknown) => {
    throw readable(error, path);
  });
  try {
    inspect(db, path);
    // NORMAL: a put that has to outlive a power failure waits for `flush`, and nobody else waits with it.
    await turnOnWal(db);
    db.exec("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864");
    db.transaction(() => migrate(db, path));
    return db;
  } catch (error) {
    db.close();
    throw readable(error, path);
  }
}

/** Two processes that make the file at once: the change of mode is refused at once, whatever the busy timeout says. */
async function turnOnWal(db: Database): Promise<void> {
  for (let waited = 0; ; waited += 20)
    try {
      return db.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!isBusy(error) || waited >= busyTimeoutMs) throw error;
      await pause(20);
    }
}

/** The schema version of an open database. */
export function schemaVersion(db: Database): number {
  return db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Names a damaged file as such; every other error passes unchanged. */
export function readable(error: unknown, path: string): unknown {
  if (error instanceof MemoirError || !isCorrupt(error)) return error;
  return new MemoirError("storage_damaged", `The database ${path} is damaged.`, { cause: error });
}

/** Reads only. */
function inspect(db: Database, path: string): void {
  const version = schemaVersion(db);
  const id = db.prepare<{ application_id: number }>("PRAGMA application_id").get()?.application_id;
  const tables = db.prepare<{ n: number }>("SELECT count(*) AS n FROM sqlite_master").get()?.n ?? 0;
  if (id !== applicationId && (tables > 0 || version > 0))
    throw new MemoirError("storage_foreign", `${path} is another program's database.`);
  if (version > migrations.length)
    throw new MemoirError(
      "storage_newer",
      `The database ${path} has schema ${version}; this memoir knows up to ${migrations.length}.`,
    );
}

/** Under the write lock: another process may have migrated since the file was inspected. */
function migrate(db: Database, path: string): void {
  inspect(db, path);
  for (let version = schemaVersion(db); version < migrations.length; version++) {
    db.exec(migrations[version] ?? "");
    db.exec(`PRAGMA user_version = ${version + 1}; PRAGMA application_id = ${applicationId}`);
  }
}

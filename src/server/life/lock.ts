// Decides which process is the one server of a home: whoever holds an exclusive transaction on a small database file.
import { type Database, isBusy, openDatabase } from "../../host/sqlite.ts";

/** Held for the life of the server; the operating system lets go of it when the process dies, however it dies. */
export interface ServerLock {
  release(): void;
}

/**
 * Takes the lock, or gives undefined when another server holds it. Does not wait. With `create: false` a missing file
 * rejects with ENOENT.
 */
export async function acquireLock(
  path: string,
  { create = true }: { create?: boolean } = {},
): Promise<ServerLock | undefined> {
  let database: Database | undefined;
  try {
    database = await openDatabase(path, { busyTimeoutMs: 0, create });
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  const held = database;
  return { release: () => held.close() };
}

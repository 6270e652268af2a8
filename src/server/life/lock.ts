// Decides which process is the one server of a home: whoever holds an exclusive transaction on a small database file.
import { mendLock } from "../../home/mend-home.ts";
import { type Database, isBusy, isCorrupt, openDatabase } from "../../host/sqlite.ts";

/** Held for the life of the server; the operating system lets go of it when the process dies, however it dies. */
export interface ServerLock {
  release(): void;
}

/**
 * Takes the lock, or gives undefined when another server holds it. Does not wait. With `create: false` a missing file
 * rejects with ENOENT. A file that holds something else is mended: it could be read, so nobody holds it.
 */
export async function acquireLock(
  path: string,
  { create = true }: { create?: boolean } = {},
): Promise<ServerLock | undefined> {
  try {
    return await take(path, create);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    await mendLock(path);
    return await take(path, create);
  }
}

async function take(path: string, create: boolean): Promise<ServerLock | undefined> {
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

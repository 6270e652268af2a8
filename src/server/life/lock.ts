// Decides which process is the one server of a home: whoever holds an exclusive transaction on a small database file.

import { setTimeout as pause } from "node:timers/promises";
import { mendLock } from "../../home/make-home.ts";
import type { Paths } from "../../home/paths.ts";
import { type Database, isBusy, isCorrupt, openDatabase } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { readServerInfo } from "./server-info.ts";

/** Held for the life of the server; the operating system releases it when the process dies, however it dies. */
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

// Taking a home for this process: waits where a server is just coming or going, else says who has it.

/** How long a start waits for a server that is just coming or going. */
const waitMs = 5_000;
/** How long somebody who only looks whether the lock is free may hold it. */
const glanceMs = 200;
const retryMs = 50;

/** The home's lock. Throws MemoirError `server_running` when another process keeps it. */
export async function lockOrThrow(paths: Paths): Promise<ServerLock> {
  const began = Date.now();
  for (;;) {
    const lock = await acquireLock(paths.serverLock);
    if (lock) return lock;
    const info = await readServerInfo(paths.serverInfo);
    // Locked but not announced: a server that is just starting, or just stopping. A shorter hold is somebody's look.
    if (Date.now() - began > (info ? glanceMs : waitMs)) {
      const who = info ? ` (pid ${info.pid})` : "";
      throw new MemoirError("server_running", `A memoir server${who} owns ${paths.home}.`);
    }
    await pause(retryMs);
  }
}

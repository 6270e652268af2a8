// Taking a home for this process: waits where a server is just coming or going, else says who has it.
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { acquireLock, type ServerLock } from "./lock.ts";
import { readServerInfo } from "./server-info.ts";

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

// `memoir stop`: asks the server to finish what is under way, and waits until it is gone.

import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { acquireLock } from "../../server/life/lock.ts";
import { readServerInfo } from "../../server/life/server-info.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { server } from "./client.ts";
import { currentPaths } from "./reach.ts";
import { gatewaySessions, standInNote, startStandIn } from "./stand-in.ts";

export interface StopOptions {
  json?: boolean;
}

const goneWithinMs = 15_000;
const askedWithinMs = 3_000;

/**
 * Stops the server; gives exit code 0, also when none runs. Sessions that reach their model through the gateway go on
 * through a process of their own. Throws `server_unreachable` when the server does not go.
 */
export async function stop(options: StopOptions, terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  const sessions = await gatewaySessions(paths);
  const standsIn = sessions > 0 && (await startStandIn(paths));
  const stopped = await stopServer(paths);
  if (options.json) {
    terminal.print(JSON.stringify({ stopped, gatewaySessions: sessions, standsIn }));
    return 0;
  }
  terminal.print(stopped ? "The memoir server is stopped." : "No memoir server was running.");
  if (sessions > 0) terminal.print(`  ${standInNote(sessions, standsIn)}`);
  return 0;
}

/** Stops a home's server and waits until it is gone: the lock is free, or another's already. False when none ran. */
export async function stopServer(paths: Paths): Promise<boolean> {
  if (!(await isServed(paths))) return false;
  const info = await readServerInfo(paths.serverInfo);
  try {
    await server.post("/api/stop", {
      start: false,
      timeoutMs: askedWithinMs,
      paths,
    });
  } catch {
    // It holds the lock and does not answer, so the pid it left is its own: a signal may still reach it.
    if (info) signal(info.pid);
  }
  const end = Date.now() + goneWithinMs;
  while (Date.now() < end) {
    if (!(await isServed(paths))) return true;
    // A hook of an open session may start one between two looks.
    const now = await readServerInfo(paths.serverInfo);
    if (info && now && now.startedAt !== info.startedAt) return true;
    await pause(25);
  }
  const who = info ? ` (pid ${info.pid})` : "";
  throw new MemoirError(
    "server_unreachable",
    `The server${who} was asked to stop and is still there.`,
    {
      fix: `See what the process does; ${paths.log} has its last words.`,
    },
  );
}

async function isServed(paths: Paths): Promise<boolean> {
  const lock = await takeLock(paths);
  lock?.release();
  return lock === undefined;
}

async function takeLock(paths: Paths): ReturnType<typeof acquireLock> {
  try {
    return await acquireLock(paths.serverLock, { create: false });
  } catch (error) {
    // Without the file nobody ever served this home.
    if ((error as { code?: string }).code === "ENOENT") return { release() {} };
    throw error;
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // Gone by itself.
  }
}

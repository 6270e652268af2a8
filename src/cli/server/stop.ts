// `memoir server stop`: asks the server to finish what is under way, and waits until it is gone; one that hangs is ended.

import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerInfo } from "../../server/endpoint.ts";
import { acquireLock } from "../../server/life/lock.ts";
import { readServerInfo } from "../../server/life/server-info.ts";
import { inJson } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { server } from "./client.ts";
import { currentPaths } from "./reach.ts";
import { gatewaySessions, standInNote, standInTookOver, startStandIn } from "./stand-in.ts";

const goneWithinMs = 15_000;
const askedWithinMs = 3_000;
/** A server that answered nobody and is still there so long after its signal hangs. What it had accepted is on disk. */
const hangsAfterMs = 10_000;
const lookMs = 25;
const askAgainMs = 200;

/**
 * Stops the server; gives exit code 0, also when none runs. Sessions that reach their model through the gateway go on
 * through a process of their own. Throws `server_unreachable` when the server does not go.
 */
export async function stop(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  const sessions = await gatewaySessions(paths);
  const came = sessions > 0 && (await startStandIn(paths));
  let hung = false;
  const stopped = await stopServer(paths, () => {
    hung = true;
  });
  const standsIn = came && (await standInTookOver(paths));
  if (inJson({ stopped, hung, gatewaySessions: sessions, standsIn }, options, terminal)) return 0;
  terminal.print(stopped ? "The memoir server is stopped." : "No memoir server was running.");
  if (hung) terminal.print("  It answered nobody, and was ended. What it had taken is kept.");
  if (sessions > 0) terminal.print(`  ${standInNote(sessions, standsIn)}`);
  return 0;
}

/**
 * Stops a home's server and waits until it is gone: the lock is free, or another's already. One that is just starting is
 * asked once it listens. One that hangs is ended, which `ended` is told of. False when none ran.
 */
export async function stopServer(paths: Paths, ended?: () => void): Promise<boolean> {
  if (!(await isServed(paths))) return false;
  const end = Date.now() + goneWithinMs;
  let info: ServerInfo | undefined;
  let isAsked: Asked | undefined;
  let hangsAt = Number.POSITIVE_INFINITY;
  while (Date.now() < end) {
    if (!isAsked) {
      const before = info;
      info = await readServerInfo(paths.serverInfo);
      isAsked = await ask(paths, info, before);
      if (isAsked === "silent") hangsAt = Date.now() + hangsAfterMs;
    }
    if (info && Date.now() > hangsAt) {
      hangsAt = Number.POSITIVE_INFINITY;
      signal(info.pid, "SIGKILL");
      ended?.();
    }
    if (!(await isServed(paths))) return true;
    // A hook of an open session may start one between two looks.
    const now = await readServerInfo(paths.serverInfo);
    if (isAsked && info && now && now.startedAt !== info.startedAt) return true;
    await pause(isAsked ? lookMs : askAgainMs);
  }
  const who = info ? ` (pid ${info.pid})` : "";
  const what = isAsked ? "was asked to stop and is still there" : "does not listen yet";
  throw new MemoirError("server_unreachable", `The server${who} ${what}.`, {
    fix: `See what the process does; ${paths.log} has its last words.`,
  });
}

/** It was told to go; `silent`: by a signal, since it listens and answers nobody. */
type Asked = "told" | "silent";

/** Undefined while it does not listen: it is coming, or going already. */
async function ask(
  paths: Paths,
  info: ServerInfo | undefined,
  before: ServerInfo | undefined,
): Promise<Asked | undefined> {
  try {
    await server.post("/api/stop", { start: false, timeoutMs: askedWithinMs, paths });
    return "told";
  } catch (error) {
    const { code } = error as { code?: string };
    // A server that starts takes away what a killed one left; what stands there for a while is said by who holds the lock.
    const isListening = code !== "server_unreachable";
    if (!info || !(isListening || before?.startedAt === info.startedAt)) return undefined;
    signal(info.pid, "SIGTERM");
    return code === "server_silent" ? "silent" : "told";
  }
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

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone by itself.
  }
}

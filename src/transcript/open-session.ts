// Whether a client has a session open: clients say in a folder of their own which process works on which session.

import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "./file-lock.ts";
import { type Json, parseObject } from "./parse-entry.ts";

/** `unknown`: the client tells nothing, or something that cannot be understood. */
type SessionUse = "open" | "closed" | "unknown";

/**
 * Asks for the session of a transcript `<config>/projects/<folder>/<session>.jsonl`; the client keeps
 * `<config>/sessions/<pid>.json` while it runs, and changes the session in it on `/clear` and `/resume`.
 */
export async function sessionUse(path: string, session: string): Promise<SessionUse> {
  const projects = dirname(dirname(path));
  if (basename(projects) !== "projects") return "unknown";
  const folder = join(dirname(projects), "sessions");
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return "unknown";
  const uses = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map((name) => useBy(join(folder, name), session)),
  );
  return uses.find((use) => use === "open") ?? uses.find((use) => use === "unknown") ?? "closed";
}

async function useBy(path: string, session: string): Promise<SessionUse> {
  const named = Number(/^(\d+)\.json$/.exec(basename(path))?.[1]);
  const entry = await readEntry(path);
  // Gone meanwhile: the process ended in order.
  if (entry === undefined) return "closed";
  if (entry === "unreadable") return Number.isNaN(named) || isAlive(named) ? "unknown" : "closed";
  if (entry.sessionId !== session) return "closed";
  const pid = typeof entry.pid === "number" ? entry.pid : named;
  // Another machine or container: its processes cannot be seen from here.
  if (typeof entry.pidDomain === "string" && !(await isOwnDomain(entry.pidDomain))) return "open";
  return (await runsStill(pid, entry.procStart)) ? "open" : "closed";
}

async function readEntry(path: string): Promise<Json | "unreadable" | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const entry = parseObject(await readFile(path, "utf8"));
      if (entry) return entry;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    }
    // It may just be written.
    await pause(20);
  }
  return "unreadable";
}

/** Linux names the process-id namespace at the domain's end; elsewhere there is but one. */
async function isOwnDomain(domain: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const own = await readlink("/proc/self/ns/pid").catch(() => undefined);
  return own === undefined || !domain.includes("pid:[") || domain.endsWith(own);
}

/** The same process, not another one that got its number; one that ended and was not waited for runs no more. */
async function runsStill(pid: number, started: unknown): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  if (!isAlive(pid)) return false;
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return isAlive(pid);
  // The name in parentheses may hold anything; start time is the 22nd field.
  const startedAt = text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  return typeof started !== "string" || !/^\d+$/.test(started) || startedAt === started;
}

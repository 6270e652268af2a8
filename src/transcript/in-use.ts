// Who has a transcript in use: another process of memoir's, by a lock file that names its owner and gives way when the owner is gone; or the client.
import { readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, readlink, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { type Json, parseObject } from "./parse-entry.ts";

/** Nothing that is locked here takes longer; a process id may be somebody else's by then. */
const staleMs = 10 * 60_000;
/** Locks of this process: a process that died may have had its number. */
const own = new Set<string>();

/** Takes the lock and gives what frees it; undefined while somebody else has it. */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      own.add(path);
      return async () => {
        own.delete(path);
        await rm(path, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (!(await isStale(path))) return undefined;
      await rm(path, { force: true });
    }
  }
  return undefined;
}

async function isStale(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(path, "utf8"));
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleMs) return true;
    // Not yet written: its owner has just made it.
    if (owner === 0) return false;
    return owner === process.pid ? !own.has(path) : !isAlive(owner);
  } catch {
    return false;
  }
}

/** True while a process with this id runs, whoever owns it. One that ended and was not waited for runs no more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything.
    return /^ [ZX]/.test(text.slice(text.lastIndexOf(")") + 1));
  } catch {
    return false;
  }
}

// Whether a client has a session open: clients say in a folder of their own which process works on which session.

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

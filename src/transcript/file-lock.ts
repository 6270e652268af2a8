// One process at a time: a lock file that names its owner, and gives way when the owner is gone.
import { readFileSync } from "node:fs";
import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";

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

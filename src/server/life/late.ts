// A server that did not answer in time is asked again after growing pauses, by one hook at a time; the others spool at once.
import { open, rename, rm, stat, writeFile } from "node:fs/promises";
import process from "node:process";
import type { Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";

/** What `<home>/late.json` says. */
interface Late {
  /** Epoch ms until which nobody asks. */
  until: number;
  /** The pause that is under way, or was before the look. */
  pauseMs: number;
  /** The process that looks right now. */
  looking?: number;
}

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** The longest that a hook waits by itself, and a little more. */
const lookMs = 3_000;
/** Whoever claimed the look longer ago than this was killed before it said so. */
const claimMs = 5_000;

/** True for the one hook that is to ask the server now; all others are to spool. Never rejects. */
export async function mayProbe(paths: Paths, now: number = Date.now()): Promise<boolean> {
  const found = await read(paths.late);
  if (!found) return true;
  // A clock that was set back must not keep everybody away.
  if (found.until > now && found.until - now <= longestPauseMs) return false;
  const claim = `${paths.late}.${found.until}`;
  if (!(await claimed(claim, now))) return false;
  // Who read before another's look was written may claim after that one let go.
  if ((await read(paths.late))?.until !== found.until) {
    await remove(claim);
    return false;
  }
  const looking = { until: now + lookMs, pauseMs: found.pauseMs, looking: process.pid };
  await write(paths.late, looking);
  await remove(claim);
  return true;
}

/** Notes that this process waited in vain; gives the pause in ms. Never rejects. */
export async function notInTime(paths: Paths, now: number = Date.now()): Promise<number> {
  const found = await read(paths.late);
  // Of many that waited at the same time the first begins the pause.
  if (found && found.until > now && found.looking !== process.pid) return found.pauseMs;
  const pauseMs = found ? Math.min(found.pauseMs * 2, longestPauseMs) : firstPauseMs;
  await write(paths.late, { until: now + pauseMs, pauseMs });
  return pauseMs;
}

/** The server answers again. Never rejects. */
export function inTime(paths: Paths): Promise<void> {
  return remove(paths.late);
}

/** Undefined where there is none, or where it makes no sense. */
async function read(path: string): Promise<Late | undefined> {
  try {
    const found = JSON.parse(await readFileText(path)) as Partial<Late>;
    const { until, pauseMs } = found;
    if (!Number.isFinite(until) || !Number.isFinite(pauseMs)) return undefined;
    return found as Late;
  } catch {
    return undefined;
  }
}

/** Whole or not at all; a power failure may take it, a hook must not wait for the disk. */
async function write(path: string, late: Late): Promise<void> {
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(late)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch {
    // Then the next hook waits as well.
    await remove(draft);
  }
}

/** True for one of all that want it at the same time. */
async function claimed(path: string, now: number): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (Math.abs(now - mtimeMs) < claimMs) return false;
    // The next hook claims anew.
    await remove(path);
    return false;
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

// What memoir leaves beside its files and no database bounds: backups, files that were set aside, drafts, and spooled files that were no events.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Paths } from "./paths.ts";

/** Paths relative to the home, of those made since `since` (epoch ms). */
export async function copiesOf(home: string, since: number): Promise<string[]> {
  const aside = (await names(home)).filter((name) => {
    const [, time] = /\.damaged-(\d+)(?:-wal|-shm)?$/.exec(name) ?? [];
    return time !== undefined && Number(time) >= since;
  });
  const backups: string[] = [];
  for (const name of await names(join(home, "backups")))
    if (madeBy(name) >= since && (await isFolder(join(home, "backups", name))))
      backups.push(`backups/${name}`);
  return [...aside, ...backups].sort();
}

/** Removes them, by the user's word. */
export async function removeCopies(home: string, since: number): Promise<void> {
  for (const path of await copiesOf(home, since))
    await rm(join(home, path), { recursive: true, force: true });
}

/** The latest that `20261122T142500Z-daily` may be of: its second's end. What says no time may be of any. */
function madeBy(name: string): number {
  const [, date = "", hour, minute, second] =
    /^(\d{8})T(\d{2})(\d{2})(\d{2})\d*Z-/.exec(name) ?? [];
  if (date === "") return Number.POSITIVE_INFINITY;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const time = Date.parse(`${day}T${hour}:${minute}:${second}.999Z`);
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

// What no database bounds by itself: files that were set aside, files in the spool that were no events, and drafts that a kill left.

/** How long they are kept, in days; 0 is forever. */
export interface HomeRule {
  setAsideDays: number;
  rejectedDays: number;
}

const dayMs = 86_400_000;
/** Nobody writes a draft for so long. */
const draftMs = dayMs;
const setAsideName = /\.damaged-(\d{10,16})(?:-wal|-shm)?$/;
const draft = /\.[0-9a-f-]{36}\.tmp$/;

/** Deletes what is older than the rule allows; answers the paths that went. */
export async function pruneHome(paths: Paths, rule: HomeRule, now: number): Promise<string[]> {
  const gone: string[] = [];
  const remove = async (path: string) => {
    await rm(path, { recursive: true, force: true });
    gone.push(path);
  };
  const isOlder = async (path: string, ms: number) => {
    const info = await stat(path).catch(() => undefined);
    return info !== undefined && now - info.mtimeMs > ms;
  };
  for (const name of await names(paths.home)) {
    const path = join(paths.home, name);
    // The name says when: renaming a file leaves its own time as it was.
    const time = Number(setAsideName.exec(name)?.[1] ?? Number.NaN);
    if (rule.setAsideDays > 0 && now - time > rule.setAsideDays * dayMs) await remove(path);
  }
  const rejected = join(paths.spool, "rejected");
  if (rule.rejectedDays > 0)
    for (const name of await names(rejected)) {
      const path = join(rejected, name);
      if (await isOlder(path, rule.rejectedDays * dayMs)) await remove(path);
    }
  for (const folder of [paths.home, paths.spool])
    for (const name of await names(folder)) {
      const path = join(folder, name);
      if (draft.test(name) && (await isOlder(path, draftMs))) await remove(path);
    }
  return gone;
}

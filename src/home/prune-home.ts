// What no database bounds by itself: files that were set aside, files in the spool that were no events, and drafts that a kill left.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Paths } from "./paths.ts";

/** How long they are kept, in days; 0 is for ever. */
export interface HomeRule {
  setAsideDays: number;
  rejectedDays: number;
}

const dayMs = 86_400_000;
/** Nobody writes a draft for so long. */
const draftMs = dayMs;
const setAside = /\.damaged-(\d{10,16})(?:-wal|-shm)?$/;
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
  for (const name of await namesIn(paths.home)) {
    const path = join(paths.home, name);
    // The name says when: renaming a file leaves its own time as it was.
    const time = Number(setAside.exec(name)?.[1] ?? Number.NaN);
    if (rule.setAsideDays > 0 && now - time > rule.setAsideDays * dayMs) await remove(path);
  }
  const rejected = join(paths.spool, "rejected");
  if (rule.rejectedDays > 0)
    for (const name of await namesIn(rejected)) {
      const path = join(rejected, name);
      if (await isOlder(path, rule.rejectedDays * dayMs)) await remove(path);
    }
  for (const folder of [paths.home, paths.spool])
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (draft.test(name) && (await isOlder(path, draftMs))) await remove(path);
    }
  return gone;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

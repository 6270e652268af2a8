// How much room everything in the home takes, what bounds it, and what memory is about to delete by the user's rules.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { logBounds } from "../home/log.ts";
import type { Paths } from "../home/paths.ts";
import type { Config } from "../runtime/config/schema.ts";
import { size } from "../text/amounts.ts";
import { localClock, plural } from "../text/text.ts";

/** A part of the home with what keeps it from growing. */
export interface BoundedSize extends PartSize {
  /** In words, with the config's key where there is one. */
  bound: string;
}

/** All parts, the largest first. */
export async function boundedSizes(paths: Paths, config: Config): Promise<BoundedSize[]> {
  const bounds = boundsOf(config);
  return (await homeSizes(paths)).map((part) => ({
    ...part,
    bound: bounds[part.name] ?? (part.name.endsWith("/") ? "yours" : "its plugin's own rule"),
  }));
}

/** What the rules for memory say, in words. */
function memoryBound({ days, bytes, projects }: Config["retention"]["memory"]): string {
  const own = Object.keys(projects).length;
  const rules = [
    ...(days > 0 ? [`${days} ${days === 1 ? "day" : "days"} (retention.memory.days)`] : []),
    ...(bytes > 0 ? [`${size(bytes)} (retention.memory.bytes)`] : []),
    ...(own > 0 ? [`${own} by rules of their own (retention.memory.projects)`] : []),
  ];
  return rules.length === 0 ? "forever" : rules.join(", ");
}

function boundsOf({ journal, endless, backup, retention }: Config): Record<string, string> {
  const days = (key: string, n: number) =>
    n === 0 ? `forever (${key})` : `${n} ${n === 1 ? "day" : "days"} (${key})`;
  return {
    "memory.db": memoryBound(retention.memory),
    "memory/": "yours, forever",
    "journal.db": `${days("journal.keepDays", journal.keepDays)} after the work is done`,
    "endless.db": `${days("endless.keepDays", endless.keepDays)}, ${size(endless.keepBytes)} (endless.keepBytes)`,
    "endless/": "a week longer than the client keeps its transcript",
    "sync.db": "what this home shares, until it leaves",
    "usage.db": "a year of calls",
    "semantic-search.db": "as many vectors as there are turns",
    "backups/": `${size(backup.maxBytes)} (backup.maxBytes), ${days("backup.keepDays", backup.keepDays)}, ${backup.keepWeeks} weeks`,
    "logs/": `${logBounds.files} files of ${size(logBounds.maxBytes)}`,
    "spool/": `until the server reads it; rejected files ${days("retention.rejectedDays", retention.rejectedDays)}`,
    [setAsidePart]: days("retention.setAsideDays", retention.setAsideDays),
    "cache/": "rebuilt at any time",
    "trusted/": "one copy for each plugin you allowed",
    "node_modules/": "what your plugins import",
    "plugins/": "yours",
    "bin/": "this program and its predecessor",
    [otherPart]: "some small files",
  };
}

// How much room everything in the home takes, by what it is.

/** One part of the home. */
interface PartSize {
  /** A file's or a folder's name; `set aside` and `others` for what has no name of its own. */
  name: string;
  bytes: number;
  files: number;
}

const databaseFile = /\.db(?:-wal|-shm|-journal)?$/;
/** What was set aside, whatever it was. */
const setAsidePart = "set aside";
/** The small files of a running server, and what memoir does not know. */
const otherPart = "others";

/** Every part that is there, the largest first. A database counts with its log; what vanishes meanwhile does not count. */
export async function homeSizes(paths: Paths): Promise<PartSize[]> {
  const parts = new Map<string, PartSize>();
  const add = (name: string, bytes: number, files: number) => {
    const part = parts.get(name) ?? { name, bytes: 0, files: 0 };
    parts.set(name, { name, bytes: part.bytes + bytes, files: part.files + files });
  };
  for (const name of await readdir(paths.home).catch(() => [])) {
    const path = join(paths.home, name);
    const info = await lstat(path).catch(() => undefined);
    if (!info) continue;
    const whole = info.isDirectory() ? await folderSize(path) : { bytes: info.size, files: 1 };
    add(partOf(name, info.isDirectory()), whole.bytes, whole.files);
  }
  return [...parts.values()].sort((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name));
}

function partOf(name: string, isFolder: boolean): string {
  if (name.includes(".damaged-")) return setAsidePart;
  if (isFolder) return `${name}/`;
  return databaseFile.test(name) ? name.replace(/-(?:wal|shm|journal)$/, "") : otherPart;
}

async function folderSize(folder: string): Promise<{ bytes: number; files: number }> {
  let [bytes, files] = [0, 0];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = await folderSize(path);
      bytes += inner.bytes;
      files += inner.files;
    } else {
      // A link counts as itself: what it leads to is not the home's.
      bytes += (await lstat(path).catch(() => ({ size: 0 }))).size;
      files++;
    }
  }
  return { bytes, files };
}

// What memory is about to let go by the user's rules, in a line.

/** What is said of a plan; the oldest session first. */
interface Going {
  sessions: ReadonlyArray<{ lastActiveAt: number; prompts: number }>;
  bytes: number;
  freed: number;
}

/** `12 sessions with 1,204 prompts, last active before 2026-01-02, about 3 MB of 10 MB`; undefined where nothing would go. */
export function saidOf({ sessions, bytes, freed }: Going): string | undefined {
  const newest = sessions.at(-1);
  if (!newest) return undefined;
  const prompts = sessions.reduce((sum, session) => sum + session.prompts, 0);
  const day = localClock.day(newest.lastActiveAt + 86_400_000);
  return `${plural(sessions.length, "session")} with ${plural(prompts, "prompt")}, last active before ${day}, about ${size(freed)} of ${size(bytes)}`;
}

/** True where no rule deletes anything. */
export function isForEver({ days, bytes, projects }: Config["retention"]["memory"]): boolean {
  const rules = Object.values(projects);
  return days === 0 && bytes === 0 && rules.every((rule) => !rule.days && !rule.bytes);
}

// How much room everything in the home takes, by what it is.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Paths } from "./paths.ts";

/** One part of the home. */
export interface PartSize {
  /** A file's or a folder's name; `set aside` and `others` for what has no name of its own. */
  name: string;
  bytes: number;
  files: number;
}

const databaseFile = /\.db(?:-wal|-shm|-journal)?$/;
/** What was set aside, whatever it was. */
export const setAsidePart = "set aside";
/** The small files of a running server, and what memoir does not know. */
export const otherPart = "others";

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

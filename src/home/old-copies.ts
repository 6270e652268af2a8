// Copies of memory that memoir made: backups, and databases that were set aside as damaged. What is forgotten stands in them until they go.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

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
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})\d*Z-/.exec(name) ?? [];
  if (year === undefined) return Number.POSITIVE_INFINITY;
  return Date.UTC(
    +year,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    999,
  );
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

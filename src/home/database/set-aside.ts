// Gives a damaged file another name: nothing that a user has is ever deleted for its damage.
import { readdirSync } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A database file and what SQLite keeps beside it. */
export const endings = ["", "-wal", "-shm"];

/** Between a file's name and the time at which it was set aside. */
export const mark = ".damaged-";

/** Gives a file, and what belongs to it, a new name that nothing has; answers that name. */
export async function setAside(path: string, time: number): Promise<string> {
  const aside = await freeName(`${path}${mark}`, time);
  for (const ending of endings) await rename(path + ending, aside + ending).catch(absent);
  return aside;
}

/** Files that were set aside, oldest first. */
export function damagedFiles(path: string): string[] {
  const beginning = `${basename(path)}${mark}`;
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(beginning) && /\d$/.test(name))
      .sort()
      .map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}

/** The first name of this beginning and a time that nothing has. */
export async function freeName(beginning: string, time: number): Promise<string> {
  for (let at = time; ; at++) {
    if (!(await isThere(`${beginning}${at}`))) return `${beginning}${at}`;
  }
}

/** True where there is anything of that name. */
export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function absent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

// A database whose file is deleted or replaced while it is open: what it holds is kept, and put back.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Database } from "../../host/sqlite.ts";
import { addFinding } from "../findings.ts";
import { isThere } from "../read-file.ts";
import type { DatabaseForm } from "./open-file.ts";
import { freeName, homeOf, mark, note, type Replacement, setAside } from "./set-aside.ts";

/** After the file's name, while its new one is written. */
export const beingMade = ".recovering";

/** After the name of a file that was deleted while it was open: what it held. */
const keptOfDeleted = ".kept";

/** Which files stood at a path and at its log's when it was opened. */
export interface Standing {
  file: bigint | undefined;
  log: bigint | undefined;
}

/** What stands at the path of a database that has just been opened. */
export function standingAt(path: string): Standing {
  return { file: inodeOf(path), log: inodeOf(`${path}-wal`) };
}

/** Whether the file that was opened is deleted, or another stands in its place. Costs one look at the disk. */
export function isAway(path: string, { file }: Standing): boolean {
  return file !== undefined && inodeOf(path) !== file && existsSync(dirname(path));
}

/**
 * Copies what is in an open database, whose file is away, beside its place, where the next to open it finds it, and closes it
 * with `close`. False, and nothing is done, where the file is there.
 */
export function keepDeleted(
  path: string,
  db: Database,
  opened: Standing,
  close: () => void,
): boolean {
  if (!isAway(path, opened)) return false;
  const another = inodeOf(path);
  const making = `${path}${beingMade}`;
  rmSync(making, { force: true });
  closeSync(openSync(making, "wx", 0o600));
  db.prepare("VACUUM INTO ?").run([making]);
  const file = openSync(making, "r+");
  fsyncSync(file);
  closeSync(file);
  renameSync(making, path + keptOfDeleted);
  close();
  // As SQLite does itself where it finds its file: all that the log held is in the copy, and any other file would get it.
  const isOwnLog =
    another === undefined ? !existsSync(path) : inodeOf(`${path}-wal`) === opened.log;
  if (isOwnLog) for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
  return true;
}

/** Closes a database; what it holds is kept where its file is away. */
export function closeDatabase(path: string, db: Database, opened: Standing): void {
  try {
    keepDeleted(path, db, opened, () => db.close());
  } finally {
    db.close();
  }
}

function inodeOf(path: string): bigint | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  } catch {
    // A link that leads nowhere.
    return undefined;
  }
}

/** Puts what `keepDeleted` copied into its place; where another file came there since, beside it. */
export async function putBackDeleted(
  path: string,
  form: DatabaseForm,
  how: Replacement,
): Promise<void> {
  if (!(await isThere(path + keptOfDeleted))) return;
  const time = how.now();
  if (await isThere(path)) {
    const aside = await freeName(`${path}${mark}`, time);
    await rename(path + keptOfDeleted, aside);
    const what = "was deleted while it was open, and another stands in its place";
    note(path, form, how, { time, what, aside });
    return;
  }
  // A log that was left behind belongs to what was deleted, and would be taken for the new file's.
  await setAside(path, time);
  await rename(path + keptOfDeleted, path);
  const what = "was deleted while it was open; all that it held is in its place again";
  addFinding(homeOf(path, how), { file: basename(path), time, what });
}

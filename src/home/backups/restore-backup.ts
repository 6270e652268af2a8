// Puts a backup's files in the place of those that are there. The caller holds the server's lock and has copied what was there.
import { chmod, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDatabase } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { setAside } from "../database/open-file.ts";
import type { Paths } from "../paths.ts";
import { flushFile, flushFolder, isThere } from "../read-file.ts";
import { copiedDatabases } from "./make-backup.ts";
import { type Backup, type BackupFile, verifyBackup } from "./read-backups.ts";

/** Where files of a backup go, and what this memoir can read. */
export interface RestorePlaces {
  memory?: string;
  memoryFiles?: string;
  /** The newest schema that is known, by a database's name in the backup. */
  schemas: Readonly<Record<string, number>>;
  /** Which databases go back, by their names in the backup. */
  isWanted(name: string): boolean;
  /** Whether config goes back as well. */
  config: boolean;
}

/** One file that goes back. */
export interface RestoredFile extends BackupFile {
  /** Where it goes. */
  to: string;
  isDatabase: boolean;
}

/**
 * The files that would go back. Rejects with `backup_damaged` when the manifest or a byte of them is not as it was, with
 * `backup_newer` when a newer memoir made them. Changes nothing.
 */
export async function restorePlan(
  paths: Paths,
  backup: Backup,
  places: RestorePlaces,
): Promise<RestoredFile[]> {
  const { manifest, name } = backup;
  if (!manifest) throw damaged(name, backup.fault ?? "its manifest is missing");
  const databases = copiedDatabases(paths, places.memory);
  const memoryFiles = places.memoryFiles ?? join(paths.home, "memory");
  const files = manifest.files.flatMap((file): RestoredFile[] => {
    if (file.name.endsWith(".db")) {
      if (!places.isWanted(file.name)) return [];
      const to = databases[file.name] ?? join(paths.home, file.name);
      return [{ ...file, to, isDatabase: true }];
    }
    if (file.name.startsWith("memory/"))
      return [{ ...file, to: join(memoryFiles, file.name.slice(7)), isDatabase: false }];
    return places.config ? [{ ...file, to: paths.config, isDatabase: false }] : [];
  });
  for (const { name: file, schema = 0 } of files) {
    const known = places.schemas[file];
    if (known !== undefined && schema > known)
      throw new MemoirError(
        "backup_newer",
        `${file} of ${name} has schema ${schema}, made by memoir ${manifest.madeBy}; this memoir knows up to ${known}.`,
      );
  }
  const faults = await verifyBackup(
    backup,
    files.map((file) => file.name),
  );
  if (faults[0] !== undefined) throw damaged(name, faults.join(" "));
  return files;
}

/**
 * Puts the files back: all are copied beside their places and flushed before the first is replaced, and each is replaced at
 * once, so that a crash leaves every file either as it was or as in the backup; the same call again ends it. A database of
 * which `isCopied` says no is set aside, not replaced. Answers the names under which such ones are.
 */
export async function putBack(
  backup: Backup,
  files: readonly RestoredFile[],
  { isCopied, now }: { isCopied(name: string): boolean; now(): number },
): Promise<string[]> {
  for (const { name, to } of files) await stage(join(backup.folder, name), to);
  const aside: string[] = [];
  for (const { name, to, isDatabase } of files) {
    // A log of the old file would be read into the new one.
    if (isDatabase && !(isCopied(name) && (await isFolded(to))))
      if (await isThere(to)) aside.push(await setAside(to, now()));
    await rename(draftOf(to), to);
    await flushFolder(dirname(to));
  }
  return aside;
}

function draftOf(to: string): string {
  return `${to}.restoring`;
}

async function stage(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const draft = draftOf(to);
  await copyFile(from, draft);
  await chmod(draft, 0o600);
  await flushFile(draft);
}

/** Whether a database is one file now: its log is folded into it and gone. */
async function isFolded(path: string): Promise<boolean> {
  if (!(await isThere(path))) return !(await isThere(`${path}-wal`));
  try {
    const db = await openDatabase(path, { create: false });
    try {
      db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
  const left = await stat(`${path}-wal`).then(
    ({ size }) => size,
    () => 0,
  );
  if (left > 0) return false;
  for (const ending of ["-wal", "-shm"]) await rm(path + ending, { force: true });
  return true;
}

function damaged(name: string, why: string): MemoirError {
  return new MemoirError("backup_damaged", `The backup ${name} is damaged: ${why}`);
}

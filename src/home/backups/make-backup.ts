// Makes a backup while others write: consistent copies under a temporary name, flushed to disk, and renamed at the end. Old ones go by a rule.
import { chmod, copyFile, lstat, mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openDatabase } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { pluginDatabases } from "../database/plugin-data.ts";
import { errorMessage } from "../describe-error.ts";
import { memoirPaths, type Paths } from "../paths.ts";
import { atomicWrite, flushFile, flushFolder, isThere } from "../read-file.ts";
import { version } from "../version.ts";
import {
  type Backup,
  type BackupManifest,
  type BackupReason,
  backupFolder,
  backupName,
  bytesOf,
  describeFile,
  listBackups,
  manifestName,
  manifestText,
  noteFailure,
  verifyBackup,
} from "./read-backups.ts";

/** How a backup is made. */
interface MakeOptions {
  reason: BackupReason;
  /** Epoch ms. */
  now: () => number;
  /** Where instead of the home's own folder of backups. */
  to?: string;
  /** The storage's file where config names another; it is `memory.db` in the backup. */
  memory?: string;
  /** These databases alone, by their names in the backup, instead of all that is backed up. */
  only?: Readonly<Record<string, string>>;
  /** The folder of memory files where config names another; it is `memory` in the backup. */
  memoryFiles?: string;
}

/** The databases of a backup by their names there, and where they are. */
export function copiedDatabases(paths: Paths, memory = paths.memory): Record<string, string> {
  return {
    "memory.db": memory,
    "journal.db": paths.journal,
    "endless.db": paths.endless,
    "usage.db": paths.usage,
  };
}

/** Begins the name of what is being made: it is never listed. */
const draftMark = ".making-";
/** What is left of one that was killed is taken away once it is as old as no backup takes. */
const abandonedMs = 6 * 3_600_000;

/**
 * Makes a backup; servers and hooks go on writing meanwhile. Copying a database holds up the calling process for as
 * long as it takes: call it in one that nobody waits for. A database that cannot be copied is named in `missing` of the
 * manifest. Rejects with `backup_failed` when there is nothing to copy, no room, or the folder cannot be written.
 */
export async function makeBackup(paths: Paths, options: MakeOptions): Promise<Backup> {
  const parent = options.to ?? backupFolder(paths);
  const draft = join(parent, `${draftMark}${crypto.randomUUID()}`);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await takeAwayAbandoned(parent, options.now());
    await assertRoom(parent, [
      ...Object.values(databasesOf(paths, options)),
      ...Object.values(await pluginDatabases(paths)),
    ]);
    await mkdir(draft, { mode: 0o700 });
    const manifest = await fillDraft(draft, paths, options);
    if (manifest.files.length === 0) throw nothingOf(manifest, paths);
    await atomicWrite(join(draft, manifestName), manifestText(manifest));
    const folder = await renameDraft(
      draft,
      join(parent, backupName(manifest.time, options.reason)),
    );
    const { reason, time } = manifest;
    return { name: basename(folder), folder, reason, time, bytes: bytesOf(manifest), manifest };
  } catch (cause) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    if (cause instanceof MemoirError) throw cause;
    const message = `No backup was made in ${parent}: ${errorMessage(cause)}`;
    throw new MemoirError("backup_failed", message, { cause });
  }
}

function databasesOf(paths: Paths, { only, memory }: MakeOptions) {
  return only ?? copiedDatabases(paths, memory);
}

/** Copies everything into the folder and tells what it copied. */
async function fillDraft(
  draft: string,
  paths: Paths,
  options: MakeOptions,
): Promise<BackupManifest> {
  const { reason, now, memoryFiles = join(paths.home, "memory") } = options;
  const manifest: BackupManifest = {
    ...{ memoir: "backup", version: 1, madeBy: version, reason, time: now() },
    ...{ files: [], missing: [] },
  };
  const add = async (name: string, copy: (to: string) => Promise<boolean>) => {
    try {
      if (!(await copy(join(draft, name)))) return;
      manifest.files.push(await describeFile(draft, name));
    } catch (error) {
      if (isRefusedByDisk(error)) throw error;
      await rm(join(draft, name), { force: true });
      manifest.missing.push({ name, why: errorMessage(error) });
    }
  };
  for (const [name, path] of Object.entries(databasesOf(paths, options)))
    await add(name, (to) => copyDatabase(path, to));
  if (options.only) return manifest;
  for (const [name, path] of Object.entries(await pluginDatabases(paths)))
    await add(name, (to) => copyDatabase(path, to));
  await add(basename(paths.config), (to) => copyPlainFile(paths.config, to));
  for (const path of await plainFiles(memoryFiles))
    await add(`memory/${path}`, (to) => copyPlainFile(join(memoryFiles, path), to));
  return manifest;
}

/** Whether there was something to copy. The copy is of one moment, whatever is written meanwhile. */
async function copyDatabase(path: string, to: string): Promise<boolean> {
  if (!(await isThere(path))) return false;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const made = await open(to, "wx", 0o600);
  await made.close();
  const db = await openDatabase(path, { readonly: true, busyTimeoutMs: 30_000 });
  try {
    db.prepare("VACUUM INTO ?").run([to]);
  } finally {
    db.close();
  }
  await flushFile(to);
  return true;
}

async function copyPlainFile(path: string, to: string): Promise<boolean> {
  if (!(await isThere(path))) return false;
  if (!(await stat(path)).isFile()) throw new Error("it is no file");
  await mkdir(join(to, ".."), { recursive: true, mode: 0o700 });
  await copyFile(path, to);
  await chmod(to, 0o600);
  await flushFile(to);
  return true;
}

/** Files below `folder`, relative, with `/`; links are left out. */
async function plainFiles(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await plainFiles(folder, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Two backups of one second and reason: the later gets a number. */
async function renameDraft(draft: string, wanted: string): Promise<string> {
  await flushFolder(draft);
  for (let at = 1; ; at++) {
    const path = at === 1 ? wanted : `${wanted}-${at}`;
    if (await isThere(path)) continue;
    try {
      await moveFile(draft, path);
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") continue;
      throw error;
    }
    await flushFolder(dirname(path));
    return path;
  }
}

/** A full disk fails the server's own writes too: rather no backup than the last free byte. */
async function assertRoom(parent: string, databases: readonly string[]): Promise<void> {
  let wanted = 0;
  for (const path of databases.flatMap((one) => [one, `${one}-wal`]))
    wanted += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  const { bavail, bsize } = await statfs(parent);
  const free = bavail * bsize;
  if (free > wanted + 64 * 1024 * 1024) return;
  const mb = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new Error(`it may take ${mb(wanted)}, and ${mb(free)} are free.`);
}

async function takeAwayAbandoned(parent: string, now: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(draftMark)) continue;
    const path = join(parent, name);
    const { mtimeMs } = await lstat(path);
    if (now - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

function nothingOf({ missing }: BackupManifest, { home }: Paths): Error {
  if (missing.length > 0)
    return new Error(missing.map(({ name, why }) => `${name}: ${why}`).join("; "));
  return new MemoirError("backup_failed", `There is nothing in ${home} yet to be backed up.`, {
    fix: "`memoir install` lets a client remember; `MEMOIR_HOME` names another home.",
  });
}

/** Full, read-only or forbidden: no other file would fare better. */
function isRefusedByDisk(error: unknown): boolean {
  return (
    ["ENOSPC", "EROFS", "EDQUOT"].includes(String(codeOf(error))) ||
    /database or disk is full/i.test(errorMessage(error))
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

// The backup of one database before its form is changed.

/** Copies the database at `path` into `backups` beside it. Never rejects: a failure is noted for `doctor`. */
export async function backUpForMigration(
  path: string,
  now: () => number = Date.now,
): Promise<void> {
  const paths = memoirPaths(dirname(path));
  try {
    await makeBackup(paths, { reason: "migration", now, only: { [basename(path)]: path } });
  } catch (error) {
    await noteFailure(paths, error, now());
  }
}

// Which backups are kept: a rule over their reasons, ages and sizes. One made by hand is never taken away by it.

/** How many backups are kept. */
export interface KeepRule {
  /** Newest of so many days. */
  days: number;
  /** Beyond these, newest of so many weeks. */
  weeks: number;
  /** So many of those made before a change of a database's form, of each database, and before another was put back. */
  changes: number;
  /** Bytes of all together; those by hand count, and stay. */
  maxBytes: number;
}

/** The rule unless config says otherwise. */
export const keepDefaults: KeepRule = { days: 7, weeks: 4, changes: 3, maxBytes: 10_000_000_000 };

/**
 * Those of `backups` that the rule does not keep, oldest first. `good` names the newest backup that is whole, which stays
 * whatever the rule says; so does every one made by hand.
 */
export function unkeptBackups(backups: readonly Backup[], rule: KeepRule, good?: string): Backup[] {
  const newestFirst = [...backups].sort((a, b) => b.time - a.time);
  const kept = new Set<Backup>(
    newestFirst.filter(({ name, reason }) => name === good || reason === "manual"),
  );
  const daily = newestFirst.filter(({ reason }) => reason === "daily");
  const days = newestOf(daily, dayOf).slice(0, rule.days);
  const keptDays = new Set(days.map(dayOf));
  const older = daily.filter((backup) => !keptDays.has(dayOf(backup)));
  const weeks = newestOf(older, weekOf).slice(0, rule.weeks);
  for (const backup of [...days, ...weeks]) kept.add(backup);
  // Before a change of form only the database that is changed is copied: three of each.
  const changes = newestFirst.filter(
    ({ reason }) => reason === "migration" || reason === "restore",
  );
  for (const backup of changes) {
    const alike = changes.filter((other) => contentOf(other) === contentOf(backup));
    if (alike.indexOf(backup) < rule.changes) kept.add(backup);
  }
  let bytes = [...kept].reduce((sum, backup) => sum + backup.bytes, 0);
  for (const backup of [...newestFirst].reverse()) {
    if (bytes <= rule.maxBytes) break;
    if (!kept.has(backup) || backup.reason === "manual" || backup.name === good) continue;
    kept.delete(backup);
    bytes -= backup.bytes;
  }
  return newestFirst.filter((backup) => !kept.has(backup)).reverse();
}

/** Takes away what the rule does not keep; answers what went. Nothing goes while no backup is known to be whole. */
export async function pruneBackups(paths: Paths, rule: KeepRule = keepDefaults): Promise<Backup[]> {
  const backups = await listBackups(paths);
  const good = await newestGood(backups);
  if (!good) return [];
  const unkept = unkeptBackups(backups, rule, good.name);
  for (const { folder, name } of unkept) {
    // Out of the list at once: a crash in the midst leaves no half of it there.
    const draft = join(dirname(folder), `.making-${name}`);
    await moveFile(folder, draft);
    await rm(draft, { recursive: true, force: true });
  }
  return unkept;
}

/** One without the memory that others hold is not good, however whole it is. */
async function newestGood(newestFirst: readonly Backup[]): Promise<Backup | undefined> {
  const holdsMemory = ({ manifest }: Backup) =>
    manifest?.files.some(({ name }) => name === "memory.db") ?? false;
  const isMemoryHeld = newestFirst.some(holdsMemory);
  for (const backup of newestFirst) {
    if (!backup.manifest || backup.manifest.missing.length > 0) continue;
    if (isMemoryHeld && !holdsMemory(backup)) continue;
    if ((await verifyBackup(backup)).length === 0) return backup;
  }
  return undefined;
}

/** The first of each group, in order. */
function newestOf(newestFirst: readonly Backup[], group: (backup: Backup) => number): Backup[] {
  const seen = new Set<number>();
  return newestFirst.filter((backup) => {
    const key = group(backup);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Why, and of which databases. */
function contentOf({ reason, manifest }: Backup): string {
  const names = manifest?.files.map(({ name }) => name).filter((name) => name.endsWith(".db"));
  return [reason, ...(names ?? [])].join(" ");
}

/** Number of the day, UTC. */
function dayOf({ time }: Backup): number {
  return Math.floor(time / 86_400_000);
}

/** Number of the week, which begins on a Monday: 1 January 1970 was a Thursday. */
function weekOf(backup: Backup): number {
  return Math.floor((dayOf(backup) + 3) / 7);
}

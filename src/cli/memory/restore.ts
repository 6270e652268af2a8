// `memoir memory restore`: goes back to a backup. What is there now becomes a backup first, and hooks spool until it is done.

import { chmod, copyFile, mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dropMark } from "../../health/redaction.ts";
import { copiedDatabases, makeBackup, pruneBackups } from "../../home/backups/make-backup.ts";
import {
  type Backup,
  type BackupFile,
  findBackup,
  listBackups,
  verifyBackup,
} from "../../home/backups/read-backups.ts";
import { knownFile } from "../../home/database/intact.ts";
import { setAside } from "../../home/database/open-file.ts";
import { wantRebuild } from "../../home/findings.ts";
import type { Paths } from "../../home/paths.ts";
import { flushFile, flushFolder, isThere } from "../../home/read-file.ts";
import { type Database, openDatabase } from "../../host/sqlite.ts";
import { type BackupPlaces, backupPlaces } from "../../runtime/config/backup-places.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { lockOrThrow } from "../../server/life/lock.ts";
import { knownSchemas } from "../../stored/schemas.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { carryCommands } from "../commands/memory.ts";
import { currentPaths, startAndWait } from "../server/client.ts";
import { stopServer } from "../server/start-stop.ts";
import { ago, columns, dateTime, printable } from "../terminal/layout.ts";
import { agreed, answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type RestoreOptions = OptionsOf<(typeof carryCommands)["restore"]>;

/** What of a database is counted for a person. */
const counted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "memory.db": {
    sessions: "sessions",
    turns: "turns",
    observations: "observations",
    session_summaries: "summaries",
    memory: "memory items",
  },
  "journal.db": { events: "events" },
  "endless.db": { refs: "originals" },
  "usage.db": { calls: "model calls" },
};

/** Gives 1 when the person said no. Rejects with `backup_not_found`, `backup_damaged` or `backup_newer` before anything is changed. */
export async function restore(
  which: string | undefined,
  options: RestoreOptions,
  terminal: Terminal,
): Promise<number> {
  const paths = currentPaths();
  const backup = await backupNamed(paths, which);
  const places = await backupPlaces(paths);
  const lost = await unreadable(paths, places.memory);
  const files = await restorePlan(paths, backup, {
    ...{ ...places, schemas: knownSchemas, config: options.config ?? false },
    // Events that wait, originals and counts of calls are not undone with memory, unless they are lost anyway.
    isWanted: (name) =>
      name === "memory.db" || name.startsWith("data/") || options.all === true || lost.has(name),
  });
  const changes = await changesOf(files);
  const deleted = await deletedSince(paths, backup, files);
  const kept = deleted === 0 ? "" : `, all but ${deleted} that you deleted since`;
  if (!options.json) {
    show(backup, files, changes, terminal);
    if (deleted > 0)
      terminal.print(`  ${plural(deleted, "record")} that you deleted since stay deleted`);
  }
  const plan = { backup: backup.name, changes, deleted, restored: options.dryRun !== true };
  if (options.dryRun) return answer(terminal, options, plan, () => ["Nothing was changed."]);
  const fix = "Pass `--yes` to confirm; `--dry-run` shows what would change.";
  if (!(await agreed(`Go back to ${backup.name}?`, options, terminal, { fix }))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  const { before, aside } = await swap(paths, backup, files, places, terminal);
  const { dim, green } = terminal.colors;
  return answer(terminal, options, { ...plan, before: before?.name ?? null, aside }, () => [
    `${green("✓")} Memory is as it was ${ago(backup.time, terminal.now())}${kept}.`,
    ...aside.map((path) => `What could not be copied is set aside: ${printable(path)}`),
    ...(before ? [dim(`\`memoir memory restore ${before.name}\` takes this back.`)] : []),
    dim(
      "What the journal and your client's transcripts have of the time since comes back while the server runs.",
    ),
  ]);
}

/** The one that was named, or the newest that is no copy of what was there before another restore. */
async function backupNamed(paths: Paths, which: string | undefined): Promise<Backup> {
  if (which !== undefined) {
    const found = await findBackup(paths, which);
    if (found) return found;
    throw new MemoirError("backup_not_found", `No single backup is called ${which}.`);
  }
  const holding = (await listBackups(paths)).filter(
    ({ manifest, reason }) =>
      reason !== "restore" && manifest?.files.some(({ name }) => name === "memory.db"),
  );
  if (holding[0]) return holding[0];
  throw new MemoirError("backup_not_found", "There is no backup that holds memory.", {
    fix: "`memoir memory backup` makes one; what your client recorded comes back with `memoir backfill`.",
  });
}

/** No server writes meanwhile: it is stopped, and none can start. It comes back where one ran. */
async function swap(
  paths: Paths,
  backup: Backup,
  files: readonly RestoredFile[],
  places: BackupPlaces,
  { now }: Terminal,
): Promise<{ before: Backup | undefined; aside: string[] }> {
  const wasServed = await stopServer(paths);
  const lock = await lockOrThrow(paths);
  try {
    const before = await copyOfNow(paths, places, now);
    const copied = new Set(before?.manifest?.files.map(({ name }) => name));
    const isCopied = (name: string) => copied.has(name);
    // First: a crash in between leaves nothing unsaid.
    await dropMark(paths.home);
    wantRebuild(paths.home, { time: now(), file: "memory.db", why: "restore" });
    const aside = await putBack(backup, files, { isCopied, now });
    await pruneBackups(paths, places.rule);
    return { before, aside };
  } finally {
    lock.release();
    if (wasServed) await startAndWait(paths);
  }
}

/** Where nothing of it can be read any more there is nothing to be copied: it is set aside. */
async function copyOfNow(
  paths: Paths,
  { memory, memoryFiles }: BackupPlaces,
  now: () => number,
): Promise<Backup | undefined> {
  const databases = copiedDatabases(paths, memory);
  const lost = await unreadable(paths, memory);
  if (lost.size === Object.keys(databases).length) return undefined;
  return await makeBackup(paths, { reason: "restore", now, memory, memoryFiles });
}

/** Names of databases that are not there, or cannot be opened. */
async function unreadable(paths: Paths, memory?: string): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const [name, path] of Object.entries(copiedDatabases(paths, memory)))
    if ((await countsOf(path)) === undefined) lost.add(name);
  return lost;
}

interface Change {
  file: string;
  what: string;
  /** Null where the file that is there cannot be read, or there is none. */
  now: number | null;
  then: number;
}

async function changesOf(files: readonly RestoredFile[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { name, to, counts } of files) {
    const tables = counted[name];
    if (!tables || !counts) continue;
    const now = await countsOf(to, Object.keys(tables));
    for (const [table, what] of Object.entries(tables)) {
      const then = counts[table];
      if (then !== undefined) changes.push({ file: name, what, now: now?.[table] ?? null, then });
    }
  }
  return changes;
}

/** How many records the backup holds that were deleted for good since: its server takes them out again. */
async function deletedSince(
  { home }: Paths,
  backup: Backup,
  files: readonly RestoredFile[],
): Promise<number> {
  const file = files.find(({ name }) => name === "memory.db");
  if (!file || (knownFile(home, file.to)?.forgottenAt ?? 0) <= backup.time) return 0;
  const [now, then] = await Promise.all([idsOf(file.to), idsOf(join(backup.folder, file.name))]);
  return now && then ? [...then].filter((id) => !now.has(id)).length : 0;
}

/** Tables of memory whose rows are records. */
const recordTables = [
  "sessions",
  "turns",
  "prompts",
  "observations",
  "session_summaries",
  "memory",
];

/** Undefined where the file cannot be read. */
async function idsOf(path: string): Promise<Set<string> | undefined> {
  return await read(path, (db) => {
    const rows = (table: string) => db.all<{ id: unknown }>(`SELECT id FROM ${table}`);
    return new Set(recordTables.flatMap((table) => rows(table).map(({ id }) => `${table} ${id}`)));
  });
}

/** Rows of tables; undefined where the file cannot be read. */
async function countsOf(
  path: string,
  tables: readonly string[] = [],
): Promise<Record<string, number> | undefined> {
  return await read(path, (db) => {
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    const count = (table: string) =>
      db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    return Object.fromEntries(tables.map((table) => [table, count(table)]));
  });
}

/** What is read of a database; undefined where it cannot be. */
async function read<Found>(path: string, find: (db: Database) => Found) {
  try {
    const db = await openDatabase(path, { readonly: true });
    try {
      return find(db);
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function show(
  backup: Backup,
  files: readonly RestoredFile[],
  changes: readonly Change[],
  { print, now, colors }: Terminal,
): void {
  print(`${backup.name}: as it was on ${dateTime(backup.time)}, ${ago(backup.time, now())}.`);
  const rows = changes.map(({ what, now: there, then }) => [
    `  ${what}`,
    `${there === null ? "unreadable" : there} now`,
    `${then} then`,
  ]);
  for (const line of columns(rows)) print(line);
  const others = files.filter(({ isDatabase }) => !isDatabase).length;
  if (others > 0) print(`  and ${others} of memory's own files`);
  for (const { name, why } of backup.manifest?.missing ?? [])
    print(colors.dim(`  ${name} is not in it (${printable(why)}) and stays as it is`));
}

// Puts a backup's files in the place of those that are there. The caller holds the server's lock and has copied what was there.

/** Where files of a backup go, and what this memoir can read. */
interface RestorePlaces {
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
interface RestoredFile extends BackupFile {
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
    await moveFile(draftOf(to), to);
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

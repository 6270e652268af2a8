// The one way to open a database file, and to set a damaged one aside: nothing that a user has is ever deleted for it.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, isBusy, isCorrupt, openDatabase } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { clearMark, readMark } from "./damage-mark.ts";
import { errorMessage } from "./describe-error.ts";
import { addFinding, type Finding, readFindings } from "./findings.ts";
import { setAsideNoFiles } from "./not-a-file.ts";
import { wantRebuild } from "./rebuild-wanted.ts";
import type { FromBackup } from "./recover/from-backup.ts";
import { countRows, knownFile, noteFile } from "./recover/known-files.ts";
import { lookAtLog } from "./recover/pages.ts";
import {
  others,
  type RecoveredRows,
  type RecoverOptions,
  recover,
  savedRows,
} from "./recover/recover.ts";

export { damageOfTable, tablesOf } from "./check-databases.ts";
export { clearMark, markOfThis, readMark } from "./damage-mark.ts";

/** What a database file is made of. */
export interface DatabaseForm {
  /** What it is, in messages: `The journal`. */
  name: string;
  /** Each leads to its version, beginning with 1: SQL, or what has to be done. Never change one that was released. */
  migrations: ReadonlyArray<string | ((db: Database) => void)>;
  /** SQLite's `application_id`: a file with tables and without it is somebody else's, and refused. */
  applicationId?: number;
  /** Tables that every version of it has: a file with others and without these is somebody else's, and refused. */
  tables?: readonly string[];
  /** In memoir's home its name is its own: what else stands there is set aside. */
  isHomes?: boolean;
  /** Pages that are given up go back to the file system when asked. */
  autoVacuum?: boolean;
  /** What is left of the write-ahead log once it is folded in. Default: all. */
  logBytes?: number;
  /** Pages in the log before it is folded in. Default 1,000. */
  logPages?: number;
  /** Up to this size the whole file is checked when it is opened; damage in a larger one shows when it is met. Default 32 MB. */
  checkedBytes?: number;
  /** How long a statement waits for another process's lock; the whole process waits with it. Default 5,000. */
  busyTimeoutMs?: number;
  /** What to mind when rows are carried over from a damaged file. */
  recovery?: RecoverOptions & {
    /** Makes what was derived, and puts right what refers to rows that are lost; `others` lets others have their turn. */
    /** Its rows are counted in the ledger: without them a file that is gone is damage. */
    counted?: readonly string[];
    /** What is lost may be made again of other files: the journal of transcripts, memory of both. */
    rebuilt?: boolean;
    /** Rows that are lost may be taken from the newest backup: none of them is about work that goes on. */
    fromBackup?: boolean;
    settle?(
      db: Database,
      recovered: RecoveredRows,
      others: () => Promise<void>,
    ): void | Promise<void>;
  };
}

/** How a file is opened; replaceable to see what a failing disk does. */
export type OpenDatabase = typeof openDatabase;

/**
 * The database at `path` (made when missing) in WAL mode, with `synchronous = NORMAL`, migrated. Rejects with
 * `storage_newer` or `storage_foreign` before anything is changed, else with the driver's error; see `isCorrupt`.
 */
export async function openDatabaseFile(
  path: string,
  form: DatabaseForm,
  open: OpenDatabase = openDatabase,
): Promise<Database> {
  const { busyTimeoutMs = 5_000, checkedBytes = 32 * 1024 * 1024 } = form;
  const db = await open(path, { busyTimeoutMs });
  try {
    inspect(db, path, form);
    // It must be chosen before the first table is there.
    if (form.autoVacuum && schemaVersion(db) === 0) db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    await turnOnWal(db, busyTimeoutMs);
    // A commit that has to outlive a power failure is flushed by whoever needs it.
    db.exec("PRAGMA synchronous = NORMAL");
    if (form.logBytes !== undefined) db.exec(`PRAGMA journal_size_limit = ${form.logBytes}`);
    if (form.logPages !== undefined) db.exec(`PRAGMA wal_autocheckpoint = ${form.logPages}`);
    const before = schemaVersion(db);
    if (before > 0 && before < form.migrations.length) await backUpBefore(path);
    if (before < form.migrations.length) db.transaction(() => migrate(db, path, form));
    if (checkedBytes > 0 && (await stat(path)).size <= checkedBytes) check(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What happens around a file that is damaged. */
export interface Replacement {
  /** Epoch ms; stands in the name of the file that is set aside. */
  now: () => number;
  /** Called once the file is set aside and a new one, with what could be read of the old, is in its place. */
  replaced(
    aside: string,
    db: Database,
    cause: unknown,
    recovered: RecoveredRows,
  ): void | Promise<void>;
  /** Called when damage was found, before anything is read; told how many rows are saved, as often as asked. */
  begins?(cause: unknown, saved: () => number): void;
  /** Where the finding is noted. Default: the file's folder. */
  home?: string;
  open?: OpenDatabase;
}

/** `openDatabaseFile`; a damaged file is set aside, and what can be read of it carried over into a new one. */
export async function openOrBeginAnew(
  path: string,
  form: DatabaseForm,
  how: Replacement,
): Promise<Database> {
  await setAsideNoFiles(path, homeOf(path, how), how.now);
  const aside = await finishReplacement(path, how);
  if (aside !== path) note(path, form, how, { time: how.now(), aside });
  await putBackDeleted(path, form, how);
  const hidden = (await goneDamage(path, form, how)) ?? (await hiddenDamage(path));
  if (hidden !== undefined) return await beginAnew(path, form, how, new Error(hidden));
  // One that is not checked here has its mark looked at by whoever checks it.
  const isSuspect = form.checkedBytes !== 0 && readMark(path) !== undefined;
  const asked = isSuspect ? { ...form, checkedBytes: Number.POSITIVE_INFINITY } : form;
  try {
    const db = await openDatabaseFile(path, asked, how.open);
    if (isSuspect) await clearMark(path);
    try {
      lookForFewer(path, db, form, how);
      await noteContents(path, db, form, how);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  } catch (error) {
    if (isOfOthers(error) && isOfHome(path, form, how)) return await beginEmpty(path, form, how);
    if (!isCorrupt(error)) throw error;
    return await beginAnew(path, form, how, error);
  }
}

function isOfOthers(error: unknown): boolean {
  return error instanceof MemoirError && error.code === "storage_foreign";
}

/** A place where nothing but this database belongs. Elsewhere a file that is not ours may be somebody's, and is refused. */
function isOfHome(path: string, { isHomes }: DatabaseForm, how: Replacement): boolean {
  return isHomes === true && dirname(path) === homeOf(path, how);
}

/** Another program's rows are nobody's here: nothing of them is carried over. */
async function beginEmpty(path: string, form: DatabaseForm, how: Replacement): Promise<Database> {
  const time = how.now();
  const aside = await setAside(path, time);
  const what = "was another database; it is set aside, and a new one was begun";
  note(path, form, how, { time, what, aside });
  return await openOrBeginAnew(path, form, how);
}

/**
 * Begins a new file with what can be read of the damaged one at `path` (it must be closed), which is set aside. Killed in
 * between, the next to open it begins again or goes on; nothing counts twice.
 */
export async function beginAnew(
  path: string,
  form: DatabaseForm,
  how: Replacement,
  cause: unknown,
): Promise<Database> {
  const { recovery = {} } = form;
  const making = `${path}${beingMade}`;
  let saved = 0;
  how.begins?.(cause, () => saved);
  const slow = setTimeout(() => {
    const what =
      "was damaged; what can be read of it is being carried over, and told once that is done";
    addFinding(homeOf(path, how), { time: how.now(), file: basename(path), what });
  }, toldAfterMs);
  for (const ending of endings) await rm(making + ending, { force: true });
  const fresh = await openDatabaseFile(making, { ...form, checkedBytes: 0 }, how.open);
  let recovered: RecoveredRows;
  let backup: FromBackup | undefined;
  const counting = {
    ...recovery,
    saved(rows: number) {
      saved = rows;
    },
  };
  try {
    recovered = await recover(path, fresh, counting);
    const { pages, rows } = recovered.lost;
    if (recovery.fromBackup && (pages + rows > 0 || savedRows(recovered) === 0))
      backup = await rowsOfBackup(path, fresh, form, how);
    await recovery.settle?.(fresh, recovered, others);
    fresh.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    clearTimeout(slow);
    fresh.close();
  }
  await rename(making, `${path}${made}`);
  const time = how.now();
  const aside = await finishReplacement(path, how, time);
  await clearMark(path);
  const what =
    cause instanceof Error && /^was /.test(cause.message) ? cause.message : "was damaged";
  const kept = (await isThere(aside)) || (await isThere(`${aside}-wal`));
  note(path, form, how, {
    time,
    what,
    ...(kept && { aside }),
    ...recovered,
    ...(backup && { from: [backup.said] }),
  });
  const db = await openDatabaseFile(path, form, how.open);
  await noteContents(path, db, form, how);
  await how.replaced(aside, db, cause, recovered);
  return db;
}

function note(
  path: string,
  { recovery }: DatabaseForm,
  how: Replacement,
  about: Partial<Finding> & { time: number },
): void {
  const [home, file] = [homeOf(path, how), basename(path)];
  const isRebuilt =
    recovery?.rebuilt === true && wantRebuild(home, { time: about.time, file, why: "damage" });
  const fix = "What the journal and your client's transcripts have of the rest is made again.";
  addFinding(home, { file, what: "was damaged", ...(isRebuilt && { fix }), ...about });
}

/** A backup that cannot be read must not keep the file from being opened. */
async function rowsOfBackup(
  path: string,
  fresh: Database,
  { recovery = {} }: DatabaseForm,
  how: Replacement,
): Promise<FromBackup | undefined> {
  const home = homeOf(path, how);
  if (dirname(path) !== home) return undefined;
  const { addFromBackup } = await import("./recover/from-backup.ts");
  const { forgottenAt } = knownFile(home, path) ?? {};
  return await addFromBackup(home, basename(path), fresh, recovery, forgottenAt).catch(
    (error: unknown) => ({
      rows: 0,
      said: `its newest backup could not be read: ${errorMessage(error)}`,
    }),
  );
}

function homeOf(path: string, { home = dirname(path) }: Replacement): string {
  return home;
}

/** What takes longer to carry over is told of meanwhile. */
const toldAfterMs = 2_000;
const endings = ["", "-wal", "-shm"];
/** After the file's name, while rows are carried over, and once they are. */
const beingMade = ".recovering";
const made = ".recovered";
/** After the name of a file that was deleted while it was open: what it held. */
const keptOfDeleted = ".kept";

/** Puts a file that was made into the place of the damaged one, which is set aside; answers its new name. */
async function finishReplacement(
  path: string,
  { now }: Replacement,
  time = now(),
): Promise<string> {
  if (!(await isThere(path + made))) return path;
  const aside = await setAside(path, time);
  await rename(path + made, path);
  return aside;
}

/**
 * Copies what is in an open database, whose file is gone, beside its place, where the next to open it finds it, and closes it
 * with `close`. False, and nothing is done, where the file is there.
 */
export function keepDeleted(path: string, db: Database, close: () => void): boolean {
  if (path === ":memory:" || existsSync(path) || !existsSync(dirname(path))) return false;
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
  if (!existsSync(path))
    for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
  return true;
}

/** Puts what `keepDeleted` copied into its place; where another file came there since, beside it. */
async function putBackDeleted(path: string, form: DatabaseForm, how: Replacement): Promise<void> {
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

/** Rows that were there when they were last counted and are not now, without a word of anybody's: a log may be lost. */
function lookForFewer(path: string, db: Database, { recovery }: DatabaseForm, how: Replacement) {
  if (!recovery?.rebuilt || !recovery.counted || path === ":memory:") return;
  const [home, file] = [homeOf(path, how), basename(path)];
  const known = knownFile(home, path);
  // What was counted just before something was forgotten says nothing.
  if (!known || known.forgottenAt === known.seenAt) return;
  if (countRows(db, recovery.counted) < known.rows)
    wantRebuild(home, { time: how.now(), file, why: "fewer" });
}

/** Notes in the ledger how many rows there are; `forgotten`: some were taken out for good. */
export async function noteContents(
  path: string,
  db: Database,
  { recovery }: DatabaseForm,
  how: Pick<Replacement, "home" | "now">,
  forgotten = false,
): Promise<void> {
  if (!recovery?.counted || path === ":memory:") return;
  const home = how.home ?? dirname(path);
  const rows = countRows(db, recovery.counted);
  if (!forgotten && knownFile(home, path)?.rows === rows) return;
  const seenAt = how.now();
  await noteFile(home, path, { rows, seenAt, ...(forgotten && { forgottenAt: seenAt }) });
}

/** Notes rows of which a part does not parse, each once; they stay in the file as they are. */
export function noteUnreadable(
  path: string,
  rows: readonly string[],
  how: Pick<Replacement, "home" | "now">,
): void {
  const home = how.home ?? dirname(path);
  const file = basename(path);
  const known = readFindings(home)
    .filter((finding) => finding.file === file)
    .map(({ what }) => what);
  for (const row of rows) {
    const what = `has a row of which a part cannot be read: ${row}; that part is left out, and the row stays as it is`;
    if (!known.includes(what)) addFinding(home, { time: how.now(), file, what });
  }
}

/** A file that held rows when it was last seen, and is gone or empty now. */
async function goneDamage(
  path: string,
  { recovery }: DatabaseForm,
  how: Replacement,
): Promise<string | undefined> {
  const known = recovery?.counted && knownFile(homeOf(path, how), path);
  if (!known || known.rows === 0) return undefined;
  const there = await stat(path).catch(() => undefined);
  if (there && there.size > 0) return undefined;
  return `${there ? "was empty" : "was gone"}; when it was last counted it held ${known.rows} records`;
}

/** Damage that SQLite would pass over in silence: a log without its file, or one with a damaged place before good ones. */
async function hiddenDamage(path: string): Promise<string | undefined> {
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if (!log || log.size === 0) return undefined;
  const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
  const { pages, unread } = lookAtLog(path);
  if (pages > 0 && bytes === 0) return "The file of its write-ahead log is gone.";
  return unread > 0 ? "Its write-ahead log is damaged." : undefined;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Between a file's name and the time at which it was set aside. */
const mark = ".damaged-";

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

/** The schema version of an open database; 0 without tables of ours. */
export function schemaVersion(db: Database): number {
  return db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Two processes that make the file at once: the change of mode is refused at once, whatever the busy timeout says. */
async function turnOnWal(db: Database, busyTimeoutMs: number): Promise<void> {
  for (let waited = 0; ; waited += 20)
    try {
      return db.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!isBusy(error) || waited >= busyTimeoutMs) throw error;
      await pause(20);
    }
}

/** Reads only. */
function inspect(db: Database, path: string, form: DatabaseForm) {
  const { name, applicationId, migrations, tables = [] } = form;
  const version = schemaVersion(db);
  const foreign = new MemoirError("storage_foreign", `${path} is another program's database.`);
  const listed = db
    .prepare<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map((table) => table.name);
  if (listed.length > 0 && tables.some((table) => !listed.includes(table))) throw foreign;
  if (applicationId !== undefined) {
    const id = db.prepare<{ application_id: number }>("PRAGMA application_id").get();
    if (id?.application_id !== applicationId && (listed.length > 0 || version > 0)) throw foreign;
  }
  if (version > migrations.length)
    throw new MemoirError(
      "storage_newer",
      `${name} (${path}) has schema ${version}; this memoir knows up to ${migrations.length}.`,
    );
}

/**
 * A copy as it is, below `backups` beside the file. Without room for it the change goes on: it is one transaction, and a
 * memory that does not open would be the greater loss.
 */
async function backUpBefore(path: string): Promise<void> {
  const { backUpForMigration } = await import("./backups/migration-backup.ts");
  await backUpForMigration(path);
}

/** Under the write lock: another process may have migrated since the file was inspected. */
function migrate(db: Database, path: string, form: DatabaseForm): void {
  inspect(db, path, form);
  for (const [version, migration] of form.migrations.entries()) {
    if (version < schemaVersion(db)) continue;
    if (typeof migration === "string") db.exec(migration);
    else migration(db);
    db.exec(`PRAGMA user_version = ${version + 1}`);
    if (form.applicationId !== undefined) db.exec(`PRAGMA application_id = ${form.applicationId}`);
  }
}

function check(db: Database): void {
  const found = db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw new Error(`database disk image is malformed: ${found}`);
}

async function freeName(beginning: string, time: number): Promise<string> {
  for (let at = time; ; at++) {
    if (!(await isThere(`${beginning}${at}`))) return `${beginning}${at}`;
  }
}

function absent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

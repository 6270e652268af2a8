// Opens a database file: whose it is, its schema, its log; a small one is checked whole. A damaged one gets another name, and that is noted.
import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, isBusy, openDatabase } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { addFinding, type Finding, wantRebuild } from "../findings.ts";
import { isThere } from "../read-file.ts";
import { endings, type RecoveredRows, type RecoverOptions } from "./read-damaged.ts";

/** What a database file is made of. */
export interface DatabaseForm {
  /** What it is, in messages: `The journal`. */
  name: string;
  /** Each leads to its version, beginning with 1: SQL, or what has to be done. Never change one that was released. */
  migrations: ReadonlyArray<string | ((db: Database) => void)>;
  /** What they lead to, made at once in a new file. */
  schema?: string;
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
    /** Its rows are counted in the ledger: without them a file that is gone is damage. */
    counted?: readonly string[];
    /** What is lost may be made again of other files: the journal of transcripts, memory of both. */
    rebuilt?: boolean;
    /** Rows that are lost may be taken from the newest backup: none of them is about work that goes on. */
    fromBackup?: boolean;
    /** Makes what was derived, and puts right what refers to rows that are lost; `others` lets others have their turn. */
    settle?(
      db: Database,
      recovered: RecoveredRows,
      others: () => Promise<void>,
    ): void | Promise<void>;
  };
}

/** How a file is opened; replaceable to see what a failing disk does. */
type OpenDatabase = typeof openDatabase;

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
  const { backUpForMigration } = await import("../backups/make-backup.ts");
  await backUpForMigration(path);
}

/** Under the write lock: another process may have migrated since the file was inspected. */
function migrate(db: Database, path: string, form: DatabaseForm): void {
  inspect(db, path, form);
  const { migrations, schema, applicationId } = form;
  const version = schemaVersion(db);
  const steps = version === 0 && schema !== undefined ? [schema] : migrations.slice(version);
  for (const step of steps) {
    if (typeof step === "string") db.exec(step);
    else step(db);
  }
  db.exec(`PRAGMA user_version = ${migrations.length}`);
  if (applicationId !== undefined) db.exec(`PRAGMA application_id = ${applicationId}`);
}

function check(db: Database): void {
  const found = db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw new Error(`database disk image is malformed: ${found}`);
}

// Gives a damaged file another name, and says so: nothing that a user has is ever deleted for its damage.

/** Between a file's name and the time at which it was set aside. */
export const mark = ".damaged-";

/** Gives a file, and what belongs to it, a new name that nothing has; answers that name. */
export async function setAside(path: string, time: number): Promise<string> {
  const aside = await freeName(`${path}${mark}`, time);
  for (const ending of endings) await moveFile(path + ending, aside + ending).catch(absent);
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

function absent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
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
  /** Called when damage was found, before anything is read; `saved` says how many rows are by then. */
  begins?(cause: unknown, saved: () => number): void;
  /** Where the finding is noted. Default: the file's folder. */
  home?: string;
  open?: OpenDatabase;
}

/** The folder whose findings and ledger speak of the file. */
export function homeOf(path: string, { home = dirname(path) }: Replacement): string {
  return home;
}

/** Notes a damage, and asks for what is lost to be made again where other files may have it. */
export function note(
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

// The door to a database file, whatever state it is in: finds damage that SQLite passes over in silence, opens the file, and where it is damaged sets it
// aside and carries over what can be read.
import { rm, stat } from "node:fs/promises";
import { endianness } from "node:os";
import { basename, dirname } from "node:path";
import { type Database, isCorrupt, isOpenHere } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { errorMessage } from "../describe-error.ts";
import { addFinding, markSeen, recentFindings } from "../findings.ts";
import { makeWritable, setAsideOthers } from "../make-home.ts";
import { isThere, readBytes } from "../read-file.ts";
import { beingMade, clearMark, knownFile, noteContents, readMark } from "./intact.ts";
import { goneDamage, lookForFewer, missingRows, putBackDeleted } from "./losses.ts";
import {
  type DatabaseForm,
  freeName,
  homeOf,
  mark,
  note,
  openDatabaseFile,
  type Replacement,
  setAside,
} from "./open-file.ts";
import {
  addFromBackup,
  endings,
  type FromBackup,
  openCopy,
  others,
  type RecoveredRows,
  recover,
  savedRows,
} from "./read-damaged.ts";

/** A log as its writers saw it last. */
interface LogIndex {
  /** Frames up to the last commit. */
  frames: number;
  /** As many of them stand in the database itself. */
  folded: number;
  /** Which generation of the log it speaks of, as that log's own header has it. */
  generation: string;
}

/** What is known before a file is opened, which takes the traces away. */
interface HiddenDamage {
  /** There is a log, and no file. */
  isAlone?: boolean;
  /** What the log's index tells of it; absent where nothing does. */
  index?: LogIndex;
}

const headerBytes = 32;

/** Looks for it; a log of another database is set aside, and noted. */
export async function hiddenDamage(
  path: string,
  form: DatabaseForm,
  how: Replacement,
): Promise<HiddenDamage> {
  // One that is open here was looked at then, and is no killed process's.
  if (path === ":memory:" || isOpenHere(path)) return {};
  const [file, log] = await Promise.all([sizeOf(path), sizeOf(`${path}-wal`)]);
  if (log > headerBytes && file === 0) return { isAlone: true };
  const index = await readIndex(path);
  const generation = await logGeneration(path);
  // A process that has the file open may have folded the log in meanwhile.
  const again = await readIndex(path);
  if (JSON.stringify(again) !== JSON.stringify(index)) return {};
  const isKnown = generation === undefined || generation === index?.generation;
  if (!isKnown && !(await holdsOwnTables(path, form))) await setLogAside(path, form, how);
  return index ? { index } : {};
}

/** Whether the file with the log over it has this form's tables. */
async function holdsOwnTables(path: string, form: DatabaseForm): Promise<boolean> {
  const own = [...(form.tables ?? []), ...(form.recovery?.counted ?? [])];
  const db = await openCopy(path);
  try {
    const find = db?.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return own.length === 0 || own.some((table) => find?.get([table]) !== undefined);
  } finally {
    db?.close();
  }
}

async function setLogAside(path: string, form: DatabaseForm, how: Replacement): Promise<void> {
  const time = how.now();
  const aside = `${await freeName(`${path}${mark}`, time)}-wal`;
  await moveFile(`${path}-wal`, aside);
  await rm(`${path}-shm`, { force: true });
  const what = "was beside the write-ahead log of another database";
  note(path, form, how, { time, what, aside });
}

/** Notes what the log has lost, once the file is open: as much as is left is used. */
function noteLost(
  db: Database,
  { index }: HiddenDamage,
  path: string,
  form: DatabaseForm,
  how: Replacement,
): void {
  if (!index || index.frames <= index.folded) return;
  const read = db.prepare<{ log: number }>("PRAGMA wal_checkpoint(PASSIVE)").get()?.log ?? 0;
  const lost = index.frames - Math.max(index.folded, read);
  if (lost <= 0) return;
  const gone = lost === 1 ? "a page of its log is" : `${lost} pages of its log are`;
  note(path, form, how, {
    time: how.now(),
    what: `lost what was written to it last: ${gone} gone`,
  });
}

/** One copy of its head; there are two, and what is written between them was not finished. */
const headBytes = 48;
const formatVersion = 3_007_000;

async function readIndex(path: string): Promise<LogIndex | undefined> {
  const bytes = await readBytes(`${path}-shm`, 2 * headBytes + 4);
  if (!bytes) return undefined;
  const head = bytes.subarray(0, headBytes);
  const isFinished = head.equals(bytes.subarray(headBytes, 2 * headBytes));
  if (!isFinished || head[12] !== 1) return undefined;
  // In the machine's own order: it is shared memory.
  const number = (at: number) =>
    endianness() === "LE" ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  if (number(0) !== formatVersion) return undefined;
  const generation = head.toString("hex", 32, 40);
  return { frames: number(16), folded: number(2 * headBytes), generation };
}

/** Undefined for what is no log, or has no beginning any more. */
async function logGeneration(path: string): Promise<string | undefined> {
  const header = await readBytes(`${path}-wal`, headerBytes);
  if (!header || (header.readUInt32BE(0) & 0xff_ff_ff_fe) >>> 0 !== 0x37_7f_06_82) return undefined;
  return header.toString("hex", 16, 24);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

// Opens a file whatever state it is in: a damaged one is set aside, and what can be read of it carried over.

/** `openDatabaseFile`; a damaged file is set aside, and what can be read of it carried over into a new one. */
export async function openOrBeginAnew(
  path: string,
  form: DatabaseForm,
  how: Replacement,
): Promise<Database> {
  if (path !== ":memory:")
    for (const ending of endings)
      await setAsideOthers(path + ending, "file", { home: homeOf(path, how), now: how.now() });
  await makeWritable(path, homeOf(path, how), how.now);
  const aside = await finishReplacement(path, how);
  if (aside !== path) note(path, form, how, { time: how.now(), aside });
  await putBackDeleted(path, form, how);
  const hidden = await hiddenDamage(path, form, how);
  const alone = hidden.isAlone ? "The file of its write-ahead log is gone." : undefined;
  const gone = (await goneDamage(path, form, how)) ?? alone;
  if (gone !== undefined) return await beginAnew(path, form, how, new Error(gone));
  // One that is not checked here has its mark looked at by whoever checks it.
  const isSuspect = form.checkedBytes !== 0 && readMark(path) !== undefined;
  const asked = isSuspect ? { ...form, checkedBytes: Number.POSITIVE_INFINITY } : form;
  try {
    const db = await openDatabaseFile(path, asked, how.open);
    if (isSuspect) await clearMark(path);
    noteLost(db, hidden, path, form, how);
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

/** What takes longer to carry over is noted meanwhile. */
const notedAfterMs = 2_000;
/** After the file's name, once rows are carried over. */
const made = ".recovered";

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
  const slow = setTimeout(() => noteCarrying(path, how), notedAfterMs);
  for (const ending of endings) await rm(making + ending, { force: true });
  const fresh = await openDatabaseFile(making, { ...form, checkedBytes: 0 }, how.open);
  let recovered: RecoveredRows;
  let backup: FromBackup | undefined;
  let missing: ReturnType<typeof missingRows>;
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
    missing = missingRows(path, fresh, form, how);
    fresh.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    clearTimeout(slow);
    fresh.close();
  }
  await moveFile(making, `${path}${made}`);
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
    ...missing,
    ...(backup && { from: [backup.said] }),
  });
  markSeen(homeOf(path, how), notedCarrying(path, how));
  const db = await openDatabaseFile(path, form, how.open);
  await noteContents(path, db, form, how);
  await how.replaced(aside, db, cause, recovered);
  return db;
}

const carrying =
  "was damaged; what can be read of it is being carried over; a message follows once that is done";

/** Once, however often it is tried: a full disk may keep it from its end. */
function noteCarrying(path: string, how: Replacement): void {
  if (notedCarrying(path, how).length > 0) return;
  addFinding(homeOf(path, how), { time: how.now(), file: basename(path), what: carrying });
}

/** Those that say so and were not seen. */
function notedCarrying(path: string, how: Replacement): string[] {
  return recentFindings(homeOf(path, how), how.now())
    .filter(({ file, what }) => file === basename(path) && what === carrying)
    .map(({ id }) => id);
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
  const { forgottenAt } = knownFile(home, path) ?? {};
  return await addFromBackup(home, basename(path), fresh, recovery, forgottenAt).catch(
    (error: unknown) => ({
      rows: 0,
      said: `its newest backup could not be read: ${errorMessage(error)}`,
    }),
  );
}

/** Puts a file that was made into the place of the damaged one, which is set aside; answers its new name. */
async function finishReplacement(
  path: string,
  { now }: Replacement,
  time = now(),
): Promise<string> {
  if (!(await isThere(path + made))) return path;
  const aside = await setAside(path, time);
  await moveFile(path + made, path);
  return aside;
}

// What SQLite passes over in silence: a write-ahead log that is not its file's, has no file, or lost what its index (`-shm`), which a killed process leaves, still tells of.
import { rename, rm, stat } from "node:fs/promises";
import { endianness } from "node:os";
import { type Database, isOpenHere } from "../../host/sqlite.ts";
import { readBytes } from "../read-file.ts";
import type { DatabaseForm } from "./open-file.ts";
import { openCopy } from "./read-damaged.ts";
import { freeName, mark, note, type Replacement } from "./set-aside.ts";

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
export interface HiddenDamage {
  /** There is a log, and no file. */
  isAlone?: boolean;
  /** What the log's index tells of it; absent where nothing does. */
  index?: LogIndex;
}

const headerBytes = 32;

/** Looks for it; a log of another database is set aside, and told. */
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
  await rename(`${path}-wal`, aside);
  await rm(`${path}-shm`, { force: true });
  const what = "was beside the write-ahead log of another database";
  note(path, form, how, { time, what, aside });
}

/** Tells what the log has lost, once the file is open: as much as is left is used. */
export function tellOfLost(
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

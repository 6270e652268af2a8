// What each database held when it was last seen, kept in a small ledger, so that one that is gone is not taken for a beginning; and what is missing now.

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import type { Database } from "../../host/sqlite.ts";
import { moveFile } from "../../sdk/within.ts";
import { addFinding, readFindings, wantRebuild } from "../findings.ts";
import { atomicWrite, isThere, readFileTextSync } from "../read-file.ts";
import {
  type DatabaseForm,
  freeName,
  homeOf,
  mark,
  note,
  type Replacement,
  setAside,
} from "./open-file.ts";
import type { ChangedRow } from "./row-sums.ts";

/** What is known of one file. */
interface KnownFile {
  rows: number;
  /** Epoch ms. */
  seenAt: number;
  /** When rows were last taken out for good: an older copy may still have them. */
  forgottenAt?: number;
}

/** What is known of the file at `path`; undefined where it was never seen with its contents. */
export function knownFile(home: string, path: string): KnownFile | undefined {
  return readAll(home)[nameOf(home, path)];
}

/** One after the other: each keeps what the others noted. */
let noting: Promise<unknown> = Promise.resolve();

/** Notes what is known now. A disk that does not take it costs the knowledge, nothing else. */
export async function noteFile(home: string, path: string, known: KnownFile): Promise<void> {
  const noted = noting.then(async () => {
    const all = readAll(home);
    const name = nameOf(home, path);
    await atomicWrite(
      ledgerFile(home),
      `${JSON.stringify({ ...all, [name]: { ...all[name], ...known } }, null, 1)}\n`,
    );
  });
  noting = noted.catch(() => undefined);
  await noting;
}

/** Rows of these tables. */
function countRows(db: Database, tables: readonly string[]): number {
  const count = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`).get()?.n ?? 0;
  return tables.reduce((sum, table) => sum + count(table), 0);
}

/** Where it is kept: beside the databases, since it is asked before any of them is opened. */
export function ledgerFile(home: string): string {
  return join(home, "databases.json");
}

function nameOf(home: string, path: string): string {
  return dirname(path) === home ? basename(path) : path;
}

function readAll(home: string): Record<string, KnownFile> {
  try {
    const parsed: unknown = JSON.parse(readFileTextSync(ledgerFile(home)));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, KnownFile>)
      : {};
  } catch {
    return {};
  }
}

/** Rows that were there when they were last counted and are not now, without a word of anybody's: a log may be lost. */
export function lookForFewer(path: string, db: Database, form: DatabaseForm, how: Replacement) {
  if (!form.recovery?.rebuilt || !missingRows(path, db, form, how).missing) return;
  wantRebuild(homeOf(path, how), { time: how.now(), file: basename(path), why: "fewer" });
}

/** How many rows fewer there are than when they were last counted; empty where none is missing. */
export function missingRows(
  path: string,
  db: Database,
  { recovery }: DatabaseForm,
  how: Replacement,
): { missing?: { records: number; of: number } } {
  if (!recovery?.counted || path === ":memory:") return {};
  const known = knownFile(homeOf(path, how), path);
  // What was counted just before something was forgotten says nothing.
  if (!known || known.forgottenAt === known.seenAt) return {};
  const records = known.rows - countRows(db, recovery.counted);
  return records > 0 ? { missing: { records, of: known.rows } } : {};
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
export async function goneDamage(
  path: string,
  { recovery }: DatabaseForm,
  how: Replacement,
): Promise<string | undefined> {
  const known = recovery?.counted && knownFile(homeOf(path, how), path);
  if (!known || known.rows === 0) return undefined;
  const there = await stat(path).catch(() => undefined);
  if (there && there.size > 0) return undefined;
  const unit = recovery.counted?.join() === "sessions" ? "session" : "record";
  return `${there ? "was empty" : "was gone"}; when it was last counted it held ${known.rows} ${unit}${known.rows === 1 ? "" : "s"}`;
}

const everyMs = 5_000;

interface Noting {
  /** Something was written. Resolves when that is noted, where it is noted at once. */
  written(): Promise<void>;
  /** Notes nothing any more. */
  stop(): void;
}

/** `note` is asked for the count of this moment; that it failed costs the knowledge, nothing else. */
export function createNoting(note: () => Promise<unknown>, now: () => number): Noting {
  let notedAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function noteNow(): Promise<void> {
    notedAt = now();
    await note();
  }

  return {
    async written() {
      // A clock that was set back says nothing of how long ago it was.
      if (Math.abs(now() - notedAt) >= everyMs) return await noteNow();
      if (waiting !== undefined) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        noteNow().catch(() => undefined);
      }, everyMs);
      waiting.unref();
    },
    stop: () => clearTimeout(waiting),
  };
}

// A database whose file is deleted or replaced while it is open: what it holds is kept, and put back.

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
    await moveFile(path + keptOfDeleted, aside);
    const what = "was deleted while it was open, and another stands in its place";
    note(path, form, how, { time, what, aside });
    return;
  }
  // A log that was left behind belongs to what was deleted, and would be taken for the new file's.
  await setAside(path, time);
  await moveFile(path + keptOfDeleted, path);
  const what = "was deleted while it was open; all that it held is in its place again";
  addFinding(homeOf(path, how), { file: basename(path), time, what });
}

// What the daily check found of a file, marked beside it until the file is checked whole or another takes its place.

export interface DamageMark {
  /** Epoch ms. */
  time: number;
  /** In SQLite's words, which name no content. */
  found: string;
  /** Nothing but tables that are made from others. */
  isDerived: boolean;
  /** Rows that are not what their checksums say, where nothing else is wrong. */
  rows?: ChangedRow[];
  /** Which file it was: another may stand in its place since. */
  inode: string;
}

/** The mark of the file at `path`, whichever file stood there; undefined for none, or one that makes no sense. */
export function readMark(path: string): DamageMark | undefined {
  try {
    return JSON.parse(readFileTextSync(markOf(path))) as DamageMark;
  } catch {
    return undefined;
  }
}

/** The mark of the very file that stands at `path` now. */
export function markOfThis(path: string): DamageMark | undefined {
  const mark = readMark(path);
  return mark && mark.inode === inodeOf(path)?.toString() ? mark : undefined;
}

/** Marks the file that stands at `path` now. */
export async function writeMark(path: string, about: Omit<DamageMark, "inode">): Promise<void> {
  const mark: DamageMark = { ...about, inode: inodeOf(path)?.toString() ?? "" };
  await atomicWrite(markOf(path), `${JSON.stringify(mark)}\n`);
}

/** The file was checked whole, or another took its place. */
export async function clearMark(path: string): Promise<void> {
  await rm(markOf(path), { force: true });
}

function markOf(path: string): string {
  return `${path}.suspect`;
}

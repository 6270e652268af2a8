// Whether an open database still holds what was written: each row by its checksum, all of them by their count, its file by where it stands;
// and what the daily check found of it. A byte that changed on the disk inside a text is noticed, which SQLite reads as if it had been written so.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { crc32 } from "node:zlib";
import type { Database, Row, SqlInput } from "../../host/sqlite.ts";
import { atomicWrite, readFileTextSync } from "../read-file.ts";
import type { DatabaseForm, Replacement } from "./open-file.ts";

/** A table whose rows have a column `sum`. */
interface Summed {
  /** All columns but `sum`. */
  names: string[];
  /** Those that name a row. */
  keys: string[];
}

/** A row whose content is not what its checksum says. */
export interface ChangedRow {
  table: string;
  /** The values of the columns that name it. */
  key: SqlInput[];
}

/**
 * Statements that give a table checksums: a row that is written has none until `sumRows`. A later migration that adds a column with
 * a default other than NULL sets `sum` to NULL in that table.
 */
export function sumsOf(table: string, keys: readonly string[]): string {
  const same = keys.map((key) => `${key} = new.${key}`).join(" AND ");
  return `
ALTER TABLE ${table} ADD COLUMN sum INTEGER;
CREATE INDEX ${table}_unsummed ON ${table} (${keys.join(", ")}) WHERE sum IS NULL;
CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} WHEN new.sum IS old.sum AND new.sum IS NOT NULL BEGIN
  UPDATE ${table} SET sum = NULL WHERE ${same};
END;`;
}

/** What is known of an open database; its schema does not change while it is open. */
interface Known {
  tables: Map<string, Summed>;
  /** Rows that were met since `takeChanged`, by their names. */
  met: Map<string, ChangedRow>;
  /** Rows that are left out of answers for as long as this says. */
  leftOut: Map<string, () => boolean>;
}
const known = new WeakMap<Database, Known>();

/** What is known of a database while it is open. */
export function knownOf(db: Database): Known {
  let one = known.get(db);
  if (!one) {
    one = { tables: summedTables(db), met: new Map(), leftOut: new Map() };
    known.set(db, one);
  }
  return one;
}

function summedTables(db: Database): Map<string, Summed> {
  const columns = db
    .prepare<{ name: string; column: string; pk: number }>(
      `SELECT l.name, c.name AS "column", c.pk FROM pragma_table_list l, pragma_table_info(l.name) c
       WHERE l.schema = 'main' AND l.type = 'table' ORDER BY l.name, c.cid`,
    )
    .all();
  const tables = new Map<string, Summed>();
  for (const [name, of] of Map.groupBy(columns, (one) => one.name)) {
    if (!of.some(({ column }) => column === "sum")) continue;
    tables.set(name, {
      names: of.map(({ column }) => column).filter((column) => column !== "sum"),
      keys: of.filter(({ pk }) => pk > 0).map(({ column }) => column),
    });
  }
  return tables;
}

/** Of what a row says; a column that is NULL says nothing, so that a new one leaves old sums as they are. */
export function sumOf(row: Row, names: readonly string[]): number {
  let text = "";
  for (const name of names) {
    const value = row[name];
    if (value !== null && value !== undefined) text += `${name}\0${value}\0`;
  }
  // Two microseconds for 6 KB, where SHA-1 takes 35: every list of records is checked.
  return crc32(text);
}

/** Gives checksums to at most so many rows of each table that have none, the newest first; answers how many. */
export function sumRows(db: Database, most: number): number {
  const { tables } = knownOf(db);
  const looks = [...tables.keys()].map(
    (table) => `EXISTS (SELECT 1 FROM ${table} WHERE sum IS NULL) AS ${table}`,
  );
  if (looks.length === 0) return 0;
  const unsummed = db.prepare<Record<string, number>>(`SELECT ${looks.join(", ")}`).get();
  let done = 0;
  for (const [table, { names, keys }] of tables) {
    if (!unsummed?.[table]) continue;
    const rows = db
      .prepare(
        `SELECT * FROM ${table} WHERE sum IS NULL ORDER BY ${keys.map((key) => `${key} DESC`).join(", ")} LIMIT ?`,
      )
      .all([most]);
    const set = db.prepare(`UPDATE ${table} SET sum = ? WHERE ${whereOf(keys)}`);
    for (const row of rows) set.run([sumOf(row, names), ...keys.map((key) => row[key])]);
    done += rows.length;
  }
  return done;
}

/** Whether a row of a table, read with all its columns, is to be answered; one that changed is noted for `takeChanged`. */
export function isAnswered(db: Database, table: string, row: Row): boolean {
  const { tables, met, leftOut } = knownOf(db);
  const about = tables.get(table);
  if (!about || row.sum === null || row.sum === undefined || row.sum === sumOf(row, about.names))
    return true;
  const changed = { table, key: about.keys.map((key) => row[key]) };
  met.set(nameOf(changed), changed);
  return !leftOut.get(nameOf(changed))?.();
}

/** Rows that changed and were met since this was asked last. */
export function takeChanged(db: Database): ChangedRow[] {
  const met = known.get(db)?.met;
  if (!met || met.size === 0) return [];
  const rows = [...met.values()];
  met.clear();
  return rows;
}

/** So many rows are read at a time. */
const together = 500;

/** Reads all rows that have a checksum; answers those that are not what it says. */
export function changedRows(db: Database): ChangedRow[] {
  const found: ChangedRow[] = [];
  for (const [table, { names, keys }] of knownOf(db).tables) {
    const list = keys.join(", ");
    const next = db.prepare(
      `SELECT * FROM ${table} WHERE (${list}) > (${keys.map(() => "?").join(", ")}) ORDER BY ${list} LIMIT ${together}`,
    );
    // Numbers come before texts, and every key before this one.
    let after: SqlInput[] = keys.map(() => -1);
    for (let rows = next.all(after); rows.length > 0; rows = next.all(after)) {
      for (const row of rows)
        if (row.sum !== null && row.sum !== sumOf(row, names))
          found.push({ table, key: keys.map((key) => row[key]) });
      after = keys.map((key) => rows.at(-1)?.[key]);
    }
  }
  return found;
}

/** The condition that finds a row by the columns that name it. */
export function whereOf(keys: readonly string[]): string {
  return keys.map((key) => `${key} = ?`).join(" AND ");
}

/** A row's name among others. */
export function nameOf({ table, key }: ChangedRow): string {
  return [table, ...key].join(" ");
}

// How many rows each database held when it was last seen, kept in a small ledger, so that one that is gone is not taken for a beginning.

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
  return readAll(home)[entryOf(home, path)];
}

/** One after the other: each keeps what the others noted. */
let noting: Promise<unknown> = Promise.resolve();

/** Notes what is known now. A disk that does not take it costs the knowledge, nothing else. */
export async function noteFile(home: string, path: string, known: KnownFile): Promise<void> {
  const noted = noting.then(async () => {
    const all = readAll(home);
    const name = entryOf(home, path);
    await atomicWrite(
      ledgerFile(home),
      `${JSON.stringify({ ...all, [name]: { ...all[name], ...known } }, null, 1)}\n`,
    );
  });
  noting = noted.catch(() => undefined);
  await noting;
}

/** Rows of these tables. */
export function countRows(db: Database, tables: readonly string[]): number {
  const count = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`).get()?.n ?? 0;
  return tables.reduce((sum, table) => sum + count(table), 0);
}

/** Where it is kept: beside the databases, since it is asked before any of them is opened. */
export function ledgerFile(home: string): string {
  return join(home, "databases.json");
}

function entryOf(home: string, path: string): string {
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
export const keptOfDeleted = ".kept";

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

// Carries what SQLite itself can still read of a damaged file over into a fresh one of the same form, then what the newest backup has beside.
// A reader of our own that went through the pages byte by byte (860 lines) stood here. Over 87 damages of databases in the corpus of
// test/torture/damages it saved no text that this one lost where a day-old backup was there; without any backup, it saved 391 of 8,904 more.
import { existsSync, rmSync, statSync } from "node:fs";
import { copyFile, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type Database, openDatabase, type Row, type SqlInput } from "../../host/sqlite.ts";
import { listBackups, verifyBackup } from "../backups/read-backups.ts";
import { memoirPaths } from "../paths.ts";

/** A database file and what SQLite keeps beside it. */
export const endings = ["", "-wal", "-shm"];

/** What came of it. */
export interface RecoveredRows {
  /** Rows by table; tables with none are left out. */
  saved: Record<string, number>;
  /** What was there and could not be read: places in a table's tree, and rows that break their table's rules. */
  lost: { pages: number; rows: number };
}

export interface RecoverOptions {
  /** Tables that are made from others: their rows are not read. */
  derived?: readonly string[];
  /** The row as it is to be kept. One that an earlier version wrote lacks the columns that were added since. */
  take?(table: string, row: Readonly<Record<string, SqlInput>>): Readonly<Record<string, SqlInput>>;
  /** Reads what indexes of the damaged file may have that its tables have lost; may throw. */
  indexes?(from: Database, into: Database): void;
  /** Called with how many rows were saved so far. */
  saved?(rows: number): void;
}

/**
 * Reads the file at `from`, and the log beside it, and writes its rows into `into`, whose tables say what they look like. The
 * file is not changed, and need not be one that SQLite opens. Others have their turn in between. References between rows are
 * not looked at: what refers to a row that is lost is the caller's to settle.
 */
export async function recover(
  from: string,
  into: Database,
  options: RecoverOptions = {},
): Promise<RecoveredRows> {
  const recovered: RecoveredRows = { saved: {}, lost: { pages: 0, rows: 0 } };
  const damaged = await openDamaged(from, into);
  if (!damaged) {
    if (sizeOf(from) + sizeOf(`${from}-wal`) > 0) recovered.lost.pages = 1;
    return recovered;
  }
  into.exec("PRAGMA foreign_keys = OFF");
  try {
    for (const table of tablesOf(damaged, into, options)) {
      const insert = writerOf(table, into, recovered, options);
      for (const rows of rowsOf(damaged, table, recovered)) {
        into.transaction(() => rows.forEach(insert));
        options.saved?.(savedRows(recovered));
        await others();
      }
    }
    continueCounting(damaged, into);
    tolerant(() => options.indexes?.(damaged, into));
  } finally {
    damaged.close();
    into.exec("PRAGMA foreign_keys = ON");
  }
  return recovered;
}

/** How many rows were saved. */
export function savedRows({ saved }: RecoveredRows): number {
  return Object.values(saved).reduce((sum, n) => sum + n, 0);
}

/** Lets others have their turn. */
export async function others(): Promise<void> {
  await turn();
}

/** After the file's name, while a copy of it is read whose header was replaced. */
const beingRead = ".reading";
const headerBytes = 100;

/** The file, or a copy of it with the fresh file's header where its own says nothing; undefined where neither can be read. */
async function openDamaged(path: string, fresh: Database): Promise<Database | undefined> {
  // Beside a file without a byte SQLite deletes the log.
  const plain = sizeOf(path) > 0 ? await openReadable(path) : undefined;
  return plain ?? (await openCopy(path, fresh));
}

/** A copy of a file and its log, which goes when it is closed; undefined where it cannot be read. With the header of `fresh`, where that is given. */
export async function openCopy(path: string, fresh?: Database): Promise<Database | undefined> {
  const copy = path + beingRead;
  const remove = () => {
    for (const ending of endings) rmSync(copy + ending, { force: true });
  };
  remove();
  try {
    if (existsSync(path)) await copyFile(path, copy);
    else await writeFile(copy, "", { mode: 0o600 });
    if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`);
    if (fresh) await replaceHeader(copy, fresh);
  } catch {
    // No room for a copy, or a sector that the disk does not give.
    remove();
    return undefined;
  }
  const db = await openReadable(copy);
  if (!db) remove();
  return (
    db && {
      ...db,
      close() {
        db.close();
        remove();
      },
    }
  );
}

async function openReadable(path: string): Promise<Database | undefined> {
  const db = await openDatabase(path, { readonly: true }).catch(() => undefined);
  // A list of tables of which one makes no sense is no reason to read none of them.
  const isRead = tolerant(() => {
    db?.exec("PRAGMA writable_schema = ON");
    return db?.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").get();
  });
  if (isRead) return db;
  db?.close();
  return undefined;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** With as many pages as the file has, and none of them free. A file that is empty gets the whole first page: its log may have it. */
async function replaceHeader(copy: string, fresh: Database): Promise<void> {
  fresh.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const path = fresh.prepare<{ file: string }>("PRAGMA database_list").get()?.file ?? "";
  const pageBytes = fresh.prepare<{ page_size: number }>("PRAGMA page_size").get()?.page_size ?? 0;
  const [source, target] = [await open(path, "r"), await open(copy, "r+")];
  try {
    const { size } = await target.stat();
    const header = Buffer.alloc(size === 0 ? pageBytes : headerBytes);
    await source.read(header, 0, header.length, 0);
    header.writeUInt32BE(Math.max(1, Math.floor(size / pageBytes)), 28);
    header.fill(0, 32, 40);
    await target.write(header, 0, header.length, 0);
  } finally {
    await source.close();
    await target.close();
  }
}

/** A table that is read. */
interface Table {
  name: string;
  /** Columns that both files have. */
  columns: string[];
  /** By which its tree is ordered. */
  key: string[];
  /** Undefined for a table without row ids. */
  rowid?: "a column of its own" | "beside its columns";
}

interface Column {
  name: string;
  type: string;
  pk: number;
}

function tablesOf(from: Database, into: Database, { derived = [] }: RecoverOptions): Table[] {
  const listed = into
    .prepare<{ name: string; wr: number }>(
      `SELECT name, wr FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  return listed.flatMap(({ name, wr }) => {
    if (derived.includes(name)) return [];
    const columns = columnsOf(into, name);
    const there = tolerant(() => columnsOf(from, name)) ?? [];
    const both = columns.filter((column) => there.some((one) => one.name === column.name));
    if (both.length === 0) return [];
    const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const isOwn = keys.length === 1 && /^integer$/i.test(keys[0]?.type ?? "");
    return {
      name,
      columns: both.map((column) => column.name),
      key: wr === 1 ? keys.map((column) => column.name) : ["rowid"],
      ...(wr === 0 && { rowid: isOwn ? "a column of its own" : "beside its columns" }),
    } satisfies Table;
  });
}

function columnsOf(db: Database, table: string): Column[] {
  return db
    .prepare<Column & Row>("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid")
    .all([table]);
}

/** Rows read at a time. */
const together = 256;
/** So many looks go into what lies between damaged places of one table. */
const mostLooks = 4_000;
/** Of an end that cannot be read it is not known which ids it has. */
const unknownIds = 65_536;

/**
 * Rows of a table, as many at a time as others can wait for: from its beginning and from its end up to a damaged place; what lies
 * between two such places is looked for by halves, as far as ids are numbers.
 */
function* rowsOf(
  from: Database,
  table: Table,
  { lost }: RecoveredRows,
): Generator<Row[], void, undefined> {
  const first: Stretch = { after: undefined, before: undefined };
  const waiting = [first];
  for (let looks = 0; looks < mostLooks; looks++) {
    const stretch = waiting.shift();
    if (!stretch) return;
    const up = yield* rowsUpTo(from, table, stretch, "ASC");
    if (up === "all") continue;
    const down = yield* rowsUpTo(from, table, { ...stretch, after: up ?? stretch.after }, "DESC");
    // What became readable meanwhile, or was empty.
    if (down === "all") continue;
    if (stretch === first) lost.pages++;
    if (!table.rowid) return;
    const after = Number((up ?? stretch.after)?.[0] ?? 0);
    const before = Number((down ?? stretch.before)?.[0] ?? after + unknownIds);
    const middle = Math.floor((after + before) / 2);
    if (middle <= after) continue;
    waiting.push({ after: [after], before: [middle + 1] }, { after: [middle], before: [before] });
  }
}

/** Keys that bound it, both outside. */
interface Stretch {
  after: SqlInput[] | undefined;
  before: SqlInput[] | undefined;
}

/** Rows of a stretch in one direction; answers the key of the last before a damaged place, or that there was none. */
function* rowsUpTo(
  from: Database,
  { name, columns, key, rowid }: Table,
  stretch: Stretch,
  order: "ASC" | "DESC",
): Generator<Row[], SqlInput[] | "all" | undefined, undefined> {
  const list = key.map((column) => `"${column}"`).join(", ");
  const marks = key.map(() => "?").join(", ");
  const selected = columns.map((column) => `"${column}"`);
  if (rowid) selected.push(`rowid AS "${rowidName}"`);
  // A tree that damage led in a circle comes by the same place again.
  const passed = new Set<string>();
  let last: SqlInput[] | undefined;
  for (let limit = together; ; ) {
    const after = order === "ASC" ? (last ?? stretch.after) : stretch.after;
    const before = order === "DESC" ? (last ?? stretch.before) : stretch.before;
    const bounds = [after && `(${list}) > (${marks})`, before && `(${list}) < (${marks})`];
    const where = bounds.filter(Boolean).join(" AND ") || "1";
    const ordered = key.map((column) => `"${column}" ${order}`).join(", ");
    const rows = tolerant(() =>
      from
        .prepare(
          `SELECT ${selected.join(", ")} FROM "${name}" NOT INDEXED WHERE ${where} ORDER BY ${ordered} LIMIT ${limit}`,
        )
        .all([...(after ?? []), ...(before ?? [])]),
    );
    if (rows) {
      yield rows;
      const row = rows.at(-1);
      if (!row || rows.length < limit) return "all";
      last = key.map((column) => row[column === "rowid" ? rowidName : column]);
      const place = JSON.stringify(last);
      if (passed.has(place)) return last;
      passed.add(place);
    } else if (limit === 1) return last;
    // Up to the damaged place one by one.
    else limit = limit > 16 ? 16 : 1;
  }
}

const rowidName = "the row's id";

function writerOf(
  { name, rowid }: Table,
  into: Database,
  { saved, lost }: RecoveredRows,
  { take = (_, row) => row }: RecoverOptions,
): (row: Row) => void {
  return ({ [rowidName]: id, ...row }) => {
    const bound = take(name, rowid === "beside its columns" ? { rowid: id, ...row } : row);
    const columns = Object.keys(bound);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const insert = into.prepare(
      `INSERT OR IGNORE INTO "${name}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    // A text where a number belongs is refused by the table, and costs its row.
    const { changes } = tolerant(() => insert.run(Object.values(bound))) ?? { changes: 0 };
    if (changes > 0) saved[name] = (saved[name] ?? 0) + 1;
    else lost.rows++;
  };
}

/** A number that was given once is never given again. */
function continueCounting(from: Database, into: Database): void {
  const all = () =>
    from.prepare<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence").all();
  for (const { name, seq } of tolerant(all) ?? []) {
    const isKnown = into
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'")
      .get([name]);
    if (isKnown === undefined || typeof seq !== "number") continue;
    const { changes } = into
      .prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?")
      .run([seq, name]);
    if (changes === 0)
      into.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run([name, seq]);
  }
}

/** What SQLite answers; undefined where damage keeps it from it. */
function tolerant<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** What came out of a backup. */
export interface FromBackup {
  /** Rows that the file itself had lost. */
  rows: number;
  /** The backup in words; with none that could be taken, why. */
  said: string;
}

/**
 * Adds rows of the newest whole backup of `file` that `into` lacks. One from before something was forgotten for good is left
 * alone: it would bring that back. Undefined where there is no backup of the file.
 */
export async function addFromBackup(
  home: string,
  file: string,
  into: Database,
  options: RecoverOptions,
  forgottenAt = 0,
): Promise<FromBackup | undefined> {
  for (const backup of await listBackups(memoirPaths(home))) {
    if (!backup.manifest?.files.some(({ name }) => name === file)) continue;
    if ((await verifyBackup(backup, [file])).length > 0) continue;
    if (backup.time <= forgottenAt)
      return {
        rows: 0,
        said: `the backup ${backup.name} was left alone: it is from before something was forgotten`,
      };
    const rows = savedRows(await recover(join(backup.folder, file), into, options));
    return { rows, said: `${rows} rows from the backup ${backup.name}` };
  }
  return undefined;
}

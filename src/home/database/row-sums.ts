// A checksum in each row of a record: a byte that changed on the disk inside a text is noticed and corrected, which SQLite reads as if it had been written so.
import { basename, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { type Database, openDatabase, type Row, type SqlInput } from "../../host/sqlite.ts";
import { listBackups } from "../backups/read-backups.ts";
import { addFinding, isRebuildWanted, readFindings, wantRebuild } from "../findings.ts";
import { memoirPaths } from "../paths.ts";

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

function knownOf(db: Database): Known {
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
function sumOf(row: Row, names: readonly string[]): number {
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

/** How changed rows are corrected. */
interface Correcting {
  /** The database's file. */
  path: string;
  home: string;
  /** Epoch ms. */
  now(): number;
  /** What a person knows the row by. */
  nameOf(row: ChangedRow): string;
  /** Tables whose rows the journal or a transcript may have as well. */
  madeAgain: readonly string[];
}

/**
 * Corrects rows: the checksum shows which bit changed, or which backup has the row as it was. Of the rest is asked to be made again
 * what the journal or a transcript has; until then it is left out, and stays as it is where that does not help. A finding says so,
 * once for each row.
 */
export async function correctRows(
  db: Database,
  rows: readonly ChangedRow[],
  how: Correcting,
): Promise<void> {
  const outcomes = new Map<string, string[]>();
  const add = (outcome: string, row: ChangedRow) =>
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), how.nameOf(row)]);
  const isSaid = (name: string) =>
    readFindings(how.home).some(
      ({ what, from = [] }) =>
        what.includes(unknown) && from.length === 0 && new RegExp(`\\b${name}\\b`).test(what),
    );
  let isWanted = false;
  for (const row of rows) {
    const whole = (await inBackups(db, row, how)) ?? (await withBitBack(db, row));
    if (whole) {
      write(db, row, whole.columns);
      add(`; ${whole.by}`, row);
    } else if (isSaid(how.nameOf(row))) continue;
    else if (how.madeAgain.includes(row.table)) {
      isWanted = true;
      knownOf(db).leftOut.set(nameOf(row), () => isRebuildWanted(how.home));
      add(unknown, row);
    } else add(`${unknown}; that stays as it is`, row);
  }
  const time = how.now();
  const file = basename(how.path);
  for (const [outcome, names] of outcomes) {
    const listed =
      names.length > 5
        ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more`
        : names.join(", ");
    const isOf = isWanted && outcome === unknown;
    const fix = { fix: "What the journal and your client's transcripts have of it is made again." };
    addFinding(how.home, {
      time,
      file,
      what: `has bytes that changed on the disk, in ${listed}${outcome}`,
      ...(isOf && fix),
    });
  }
  if (isWanted) wantRebuild(how.home, { time, file, why: "damage" });
}

const unknown = ", and the checksum does not tell which";

/** A row as it was, as far as it is not, and who knew. */
interface Whole {
  columns: Record<string, SqlInput>;
  by: string;
}

function write(db: Database, { table, key }: ChangedRow, columns: Whole["columns"]): void {
  const { keys = [], names = [] } = knownOf(db).tables.get(table) ?? {};
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  db.transaction(() => {
    db.prepare(
      `UPDATE ${table} SET ${[...set, "sum = NULL"].join(", ")} WHERE ${whereOf(keys)}`,
    ).run([...Object.values(columns), ...key]);
    const row = rowOf(db, { table, key });
    if (row)
      db.prepare(`UPDATE ${table} SET sum = ? WHERE ${whereOf(keys)}`).run([
        sumOf(row, names),
        ...key,
      ]);
  });
}

function rowOf(db: Database, { table, key }: ChangedRow): Row | undefined {
  const { keys = [] } = knownOf(db).tables.get(table) ?? {};
  return db.prepare(`SELECT * FROM ${table} WHERE ${whereOf(keys)}`).get(key);
}

/** Longer rows would take seconds; and the more bits, the likelier that one fits by chance where several changed (1 in 16,000 here). */
const mostBytes = 32 * 1024;
const triesAtOnce = 1_000;

/** The row with one bit of a text, or of the checksum, the other way round, where that fits; others have their turn in between. */
async function withBitBack(db: Database, row: ChangedRow): Promise<Whole | undefined> {
  const { names = [], keys = [] } = knownOf(db).tables.get(row.table) ?? {};
  const now = rowOf(db, row);
  if (!now || typeof now.sum !== "number") return undefined;
  const by = "corrected: the checksum shows which bit it was";
  if (isPowerOfTwo(now.sum ^ sumOf(now, names))) return { columns: {}, by };
  const parts: Array<{ name: string; at: number; bytes: Buffer; isText: boolean }> = [];
  let at = 0;
  for (const name of names) {
    // As bytes: what is no UTF-8 any more would be read as something else.
    const { kind, bytes } = db
      .prepare<{ kind: string; bytes: Uint8Array | null }>(
        `SELECT typeof(${name}) AS kind, CAST(${name} AS BLOB) AS bytes FROM ${row.table} WHERE ${whereOf(keys)}`,
      )
      .get(row.key) ?? { kind: "null", bytes: null };
    if (kind === "null" || bytes === null) continue;
    const isText = kind === "text";
    const head = Buffer.from(`${name}\0`);
    const content = isText ? Buffer.from(bytes) : Buffer.from(String(now[name]));
    parts.push({ name, at: at + head.length, bytes: content, isText });
    at += head.length + content.length + 1;
  }
  if (at > mostBytes) return undefined;
  const whole = Buffer.alloc(at);
  for (const { name, at: from, bytes } of parts) {
    whole.write(name, from - name.length - 1);
    bytes.copy(whole, from);
  }
  let tries = 0;
  for (const { name, at: from, bytes, isText } of parts)
    for (let bit = 0; isText && bit < bytes.length * 8; bit++) {
      const place = from + (bit >> 3);
      whole[place] = (whole[place] ?? 0) ^ (1 << (bit & 7));
      if (crc32(whole) === now.sum)
        return { columns: { [name]: whole.toString("utf8", from, from + bytes.length) }, by };
      whole[place] = (whole[place] ?? 0) ^ (1 << (bit & 7));
      if (++tries % triesAtOnce === 0) await turn();
    }
  return undefined;
}

function isPowerOfTwo(bits: number): boolean {
  return bits !== 0 && (bits & (bits - 1)) === 0;
}

/** The row in the newest backup that has it as the checksum says. */
async function inBackups(
  db: Database,
  row: ChangedRow,
  { home, path }: Correcting,
): Promise<Whole | undefined> {
  const { names = [], keys = [] } = knownOf(db).tables.get(row.table) ?? {};
  const { sum } = rowOf(db, row) ?? {};
  const file = basename(path);
  for (const { folder, name, manifest } of await listBackups(memoirPaths(home))) {
    if (!manifest?.files.some((one) => one.name === file)) continue;
    const copy = await openDatabase(join(folder, file), { readonly: true }).catch(() => undefined);
    try {
      const found = copy?.prepare(`SELECT * FROM ${row.table} WHERE ${whereOf(keys)}`).get(row.key);
      if (!found || sumOf(found, names) !== sum) continue;
      const columns = Object.fromEntries(names.map((one) => [one, found[one] ?? null]));
      return { columns, by: `corrected from the backup ${name}` };
    } catch {
      // An older schema, or a damaged copy: the next may have it.
    } finally {
      copy?.close();
    }
  }
  return undefined;
}

function whereOf(keys: readonly string[]): string {
  return keys.map((key) => `${key} = ?`).join(" AND ");
}

function nameOf({ table, key }: ChangedRow): string {
  return [table, ...key].join(" ");
}

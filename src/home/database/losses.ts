// What is done where a database does not hold what was written: rows that are fewer or do not parse, a file that is gone or was taken away,
// and rows that changed on the disk, which are corrected.
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { type Database, openDatabase, type Row, type SqlInput } from "../../host/sqlite.ts";
import { moveFile } from "../../sdk/within.ts";
import { listBackups } from "../backups/read-backups.ts";
import { addFinding, isRebuildWanted, readFindings, wantRebuild } from "../findings.ts";
import { memoirPaths } from "../paths.ts";
import { isThere } from "../read-file.ts";
import {
  type ChangedRow,
  countRows,
  keptOfDeleted,
  knownFile,
  knownOf,
  nameOf,
  sumOf,
  whereOf,
} from "./intact.ts";
import {
  type DatabaseForm,
  freeName,
  homeOf,
  mark,
  note,
  type Replacement,
  setAside,
} from "./open-file.ts";

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
    const what = "was deleted while it was open, and another file is in its place";
    note(path, form, how, { time, what, aside });
    return;
  }
  // A log that was left behind belongs to what was deleted, and would be taken for the new file's.
  await setAside(path, time);
  await moveFile(path + keptOfDeleted, path);
  const what = "was deleted while it was open; all that it held is in its place again";
  addFinding(homeOf(path, how), { file: basename(path), time, what });
}

// Rows that changed on the disk.

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

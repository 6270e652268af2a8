// Reads databases whole to see whether they are damaged, large ones too. Changes none of them; what it finds is marked and noted.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type Database, isBusy, isCorrupt, openDatabase } from "../../host/sqlite.ts";
import { addFinding } from "../findings.ts";
import { atomicWrite, readFileTextSync } from "../read-file.ts";
import { changedRows, clearMark, type DamageMark, markOfThis, writeMark } from "./intact.ts";

/** Tables whose name begins so are made from others. */
const derived = "search_";

/**
 * Checks each that is there, notes each damage once, and notes when it was done. Answers the names of those that are
 * damaged. `memory` is the one that is recovered while the server runs.
 */
export async function checkDatabases(
  home: string,
  paths: readonly string[],
  { now, memory }: { now: () => number; memory: string },
): Promise<string[]> {
  const damaged: string[] = [];
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const damage = await damageOf(path);
    if (damage === "unknown") continue;
    if (!damage) {
      await clearMark(path);
      continue;
    }
    damaged.push(basename(path));
    if (markOfThis(path)) continue;
    const time = now();
    await writeMark(path, { time, ...damage });
    // The server says what became of them.
    if (damage.rows) continue;
    const what = "has a damaged place, which the daily check found";
    const fix = fixOf(damage.isDerived, path === memory);
    addFinding(home, { time, file: basename(path), what, fix });
  }
  await atomicWrite(stampOf(home), `${JSON.stringify({ time: now() })}\n`);
  return damaged;
}

/** When (epoch ms) all of them were last checked. */
export function checkedAt(home: string): number | undefined {
  try {
    const { time } = JSON.parse(readFileTextSync(stampOf(home))) as { time?: unknown };
    return typeof time === "number" ? time : undefined;
  } catch {
    return undefined;
  }
}

/** Table by table: a look at the whole would keep the write-ahead log from being folded in for as long as it takes. */
async function damageOf(
  path: string,
): Promise<Omit<DamageMark, "time" | "inode"> | "unknown" | undefined> {
  let db: Database | undefined;
  try {
    db = await openDatabase(path, { readonly: true, busyTimeoutMs: 30_000 });
    const found: string[] = [];
    for (const table of tablesOf(db)) {
      const damage = damageOfTable(db, table);
      if (damage) found.push(`${table}: ${damage}`);
    }
    const [first] = found.filter((one) => !one.startsWith(derived)).concat(found);
    if (first) return { found: first, isDerived: first.startsWith(derived) };
    const rows = changedRows(db);
    return rows.length > 0
      ? { found: `${rows.length} rows changed`, isDerived: false, rows }
      : undefined;
  } catch (error) {
    if (isCorrupt(error)) return { found: String(error), isDerived: false };
    // Held, or just gone: the next check sees.
    if (isBusy(error) || !existsSync(path)) return "unknown";
    throw error;
  } finally {
    db?.close();
  }
}

/** Tables that have pages of their own. */
export function tablesOf(db: Database): string[] {
  return db
    .prepare<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rootpage",
    )
    .all()
    .map(({ name }) => name);
}

/** The first damage of a table and its indexes in SQLite's words; a row that says what it must not is none. */
export function damageOfTable(db: Database, table: string): string | undefined {
  try {
    const found = db.prepare<{ quick_check: string }>(`PRAGMA quick_check('${table}')`).all();
    return found.find((row) => !isOfRow(row.quick_check))?.quick_check;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return String(error);
  }
}

/** All is well, or one row says what it must not: that costs what it says, not the file. */
function isOfRow(found: string): boolean {
  return found === "ok" || /^(?:CHECK constraint failed|NULL value) in /.test(found);
}

function fixOf(isDerived: boolean, isMemory: boolean): string {
  if (isDerived)
    return "It is the search index alone, which is rebuilt at the server's next start.";
  const when = "at the server's next start";
  return `What can be read of it is carried over into a new file ${isMemory ? `as soon as something is stored, or ${when}` : when}.`;
}

function stampOf(home: string): string {
  return join(home, "checked.json");
}

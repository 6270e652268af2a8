// Carries what is readable of a damaged database file over into a fresh one of the same form.
import { setImmediate as turn } from "node:timers/promises";
import type { Database, SqlInput } from "../../host/sqlite.ts";
import { openPages } from "./pages.ts";
import { type FoundRow, readRows } from "./read-rows.ts";
import { type Shape, shapesOf } from "./shapes.ts";

/** What came of it. */
export interface RecoveredRows {
  /** Rows by table; tables with none are left out. */
  saved: Record<string, number>;
  /** What was there and could not be read. How many rows stood in a page, nobody knows. */
  lost: { pages: number; rows: number };
}

export interface RecoverOptions {
  /** Tables that are made from others: their rows are not read. */
  derived?: readonly string[];
  /** The row as it is to be kept. One that an earlier version wrote lacks the columns that were added since. */
  take?(table: string, row: Readonly<Record<string, SqlInput>>): Readonly<Record<string, SqlInput>>;
  /** Told of the rows of indexes that could be followed: they may have what their table has lost. */
  index?(into: Database, name: string, values: readonly SqlInput[]): void;
  /** Told how many rows were saved so far. */
  saved?(rows: number): void;
}

/** Rows written in one step. */
const together = 256;

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
  const shapes = shapesOf(into);
  const pages = openPages(
    from,
    shapes.map(({ name }) => name),
  );
  if (!pages) return recovered;
  const writer = createWriter(into, recovered, options);
  into.exec("PRAGMA foreign_keys = OFF");
  try {
    let rows: FoundRow[] = [];
    for (const row of readRows(pages, shapes, recovered.lost)) {
      if (row) rows.push(row);
      else await others();
      if (rows.length < together) continue;
      writer(rows);
      rows = [];
      options.saved?.(savedRows(recovered));
      await others();
    }
    writer(rows);
  } finally {
    pages.close();
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

function createWriter(
  into: Database,
  { saved, lost }: RecoveredRows,
  { derived = [], take = (_, row) => row, index }: RecoverOptions,
): (rows: readonly FoundRow[]) => void {
  function write(row: FoundRow): void {
    const { shape, isLoose } = row;
    if (shape.isIndex) {
      if (!isLoose) index?.(into, shape.name, row.values);
      return;
    }
    if (derived.includes(shape.name)) return;
    if (shape.name === "sqlite_sequence") {
      goOnCounting(into, row);
      return;
    }
    const stored = boundRow(row);
    if (!stored) {
      lost.rows++;
      return;
    }
    const bound = take(shape.name, stored);
    const { changes } = into
      .prepare(insertion(shape, Object.keys(bound)))
      .run(Object.values(bound));
    if (changes > 0) saved[shape.name] = (saved[shape.name] ?? 0) + 1;
    else if (!isLoose) lost.rows++;
  }
  return (rows) =>
    into.transaction(() => {
      for (const row of rows) write(row);
    });
}

/** Its values by column; undefined where one cannot be kept exactly. */
function boundRow({ shape, rowid, values }: FoundRow): Record<string, SqlInput> | undefined {
  const bound: Record<string, SqlInput> = {};
  if (rowid !== undefined && !shape.columns.some(({ isRowid }) => isRowid)) bound.rowid = rowid;
  for (const [i, value] of values.entries()) {
    const column = shape.columns[i];
    if (!column || typeof value === "bigint") return undefined;
    bound[column.name] = column.isRowid ? rowid : value;
  }
  return bound;
}

function insertion({ name }: Shape, columns: readonly string[]): string {
  const names = columns.map((column) => `"${column}"`).join(", ");
  return `INSERT OR IGNORE INTO "${name}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** A number that was given once is never given again. */
function goOnCounting(into: Database, { values: [name, seq] }: FoundRow): void {
  if (typeof name !== "string" || typeof seq !== "number") return;
  const isKnown = into
    .prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'",
    )
    .get([name]);
  if (isKnown === undefined) return;
  const counted = into
    .prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?")
    .run([seq, name]);
  if (counted.changes === 0)
    into.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run([name, seq]);
}

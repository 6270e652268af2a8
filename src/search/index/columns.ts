// What is compared and weighed for every document of a block without reading the document: length, kind and time by slot.
import type { Database } from "../../host/sqlite.ts";
import { blockSize } from "./postings.ts";
import { newStamp } from "./schema.ts";

/** The columns of one block, by slot. */
export interface Columns {
  /** Weighted words in halves; 0: no document, or one without words. */
  lengths: Uint16Array;
  /** Number of the kind; 0: no document. */
  kinds: Uint8Array;
  /** Epoch ms. */
  times: Float64Array;
}

type Kept = { [Name in keyof Columns]: Uint8Array } & Record<string, Uint8Array>;

/** One column of a block, as large as `column` and written into it however much of it was kept. */
export function readColumn<Column extends Columns[keyof Columns]>(
  db: Database,
  block: number,
  name: keyof Columns,
  column: Column,
): Column {
  const kept = db.prepare<Kept>(`SELECT ${name} FROM search_blocks WHERE block = ?`).get([block])?.[
    name
  ];
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  if (kept) bytes.set(kept.subarray(0, bytes.length));
  return column;
}

/** Reads one block, empty when there is none. */
export function readColumns(db: Database, block: number): Columns {
  return {
    lengths: readColumn(db, block, "lengths", new Uint16Array(blockSize)),
    kinds: readColumn(db, block, "kinds", new Uint8Array(blockSize)),
    times: readColumn(db, block, "times", new Float64Array(blockSize)),
  };
}

/** Writes one block, up to its last document, under a new stamp. */
export function writeColumns(db: Database, block: number, columns: Columns): void {
  const used = columns.kinds.findLastIndex((kind) => kind !== 0) + 1;
  const bytes = (column: Columns[keyof Columns]) =>
    new Uint8Array(column.buffer, 0, used * column.BYTES_PER_ELEMENT);
  const times = columns.times.filter((_, slot) => columns.kinds[slot] !== 0);
  db.prepare(
    `INSERT INTO search_blocks (block, stamp, oldest, newest, lengths, kinds, times)
     VALUES ($block, $stamp, $oldest, $newest, $lengths, $kinds, $times)
     ON CONFLICT (block) DO UPDATE SET stamp = excluded.stamp, oldest = excluded.oldest, newest = excluded.newest,
       lengths = excluded.lengths, kinds = excluded.kinds, times = excluded.times`,
  ).run({
    block,
    stamp: newStamp(),
    oldest: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    newest: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    lengths: bytes(columns.lengths),
    kinds: bytes(columns.kinds),
    times: bytes(columns.times),
  });
}

/** A weighted length as a column keeps it. */
export function keptLength(length: number): number {
  return Math.min(65_535, Math.max(1, Math.round(length * 2)));
}

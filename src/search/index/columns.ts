// What is compared and weighed for every document of a block without reading the document: length, kind and time by slot.
import type { Database } from "../../host/sqlite.ts";
import { blockSize } from "./postings.ts";
import { newStamp } from "./state.ts";

/** The columns of one block, by slot. */
export interface Columns {
  /** Weighted words in halves; 0: no document, or one without words. */
  lengths: Uint16Array;
  /** Number of the kind; 0: no document. */
  kinds: Uint8Array;
  /** Epoch ms. */
  times: Float64Array;
}

/** What a row holds. */
export interface BlockRow {
  block: number;
  stamp: number;
  lengths: Uint8Array;
  kinds: Uint8Array;
  times: Uint8Array;
}

/** A block without documents. */
export function emptyColumns(): Columns {
  return {
    lengths: new Uint16Array(blockSize),
    kinds: new Uint8Array(blockSize),
    times: new Float64Array(blockSize),
  };
}

/** The columns of a row; a copy, in whole blocks however much was kept. */
export function columnsOf(row: BlockRow): Columns {
  const columns = emptyColumns();
  copy(row.lengths, columns.lengths);
  copy(row.kinds, columns.kinds);
  copy(row.times, columns.times);
  return columns;
}

function copy(from: Uint8Array, to: Uint16Array | Uint8Array | Float64Array): void {
  const bytes = new Uint8Array(to.buffer);
  bytes.set(from.subarray(0, bytes.length));
}

/** Reads one block, empty when there is none. */
export function readColumns(db: Database, block: number): Columns {
  const row = db
    .prepare<BlockRow & Record<string, number | Uint8Array>>(
      "SELECT * FROM search_blocks WHERE block = ?",
    )
    .get([block]);
  return row ? columnsOf(row) : emptyColumns();
}

/** Writes one block, up to its last document, under a new stamp. */
export function writeColumns(db: Database, block: number, columns: Columns): void {
  const used = columns.kinds.findLastIndex((kind) => kind !== 0) + 1;
  const bytes = (column: Uint16Array | Uint8Array | Float64Array) =>
    new Uint8Array(column.buffer, 0, used * column.BYTES_PER_ELEMENT);
  db.prepare(
    `INSERT INTO search_blocks (block, stamp, lengths, kinds, times) VALUES ($block, $stamp, $lengths, $kinds, $times)
     ON CONFLICT (block) DO UPDATE SET stamp = excluded.stamp, lengths = excluded.lengths, kinds = excluded.kinds,
       times = excluded.times`,
  ).run({
    block,
    stamp: newStamp(),
    lengths: bytes(columns.lengths),
    kinds: bytes(columns.kinds),
    times: bytes(columns.times),
  });
}

/** A weighted length as a column keeps it. */
export function keptLength(length: number): number {
  return Math.min(65_535, Math.max(1, Math.round(length * 2)));
}

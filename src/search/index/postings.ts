// Which documents have a term, and how often, as bytes: for each document of a span how far it is from the one before, and its count in three bits.
import type { Database } from "../../host/sqlite.ts";
import { newStamp } from "./schema.ts";

/** Documents a block: their lengths, kinds and times stand in one row. */
export const blockSize = 8_192;
/** Documents a span: so many blocks share one row of postings, for a row costs more to read than what stands in it. */
export const spanSize = 65_536;
export const blocksInSpan = spanSize / blockSize;

const levelBits = 3;
const levelMask = 7;

/** The weighted counts that three bits tell apart. More than the last counts as the last: it hardly changes a rank. */
export const levels = [0.5, 1, 1.5, 2, 3, 4, 6, 10] as const;

/** The level nearest to a weighted count. */
export function levelOf(count: number): number {
  let level = 0;
  while (
    level < levels.length - 1 &&
    Math.abs((levels[level + 1] ?? 0) - count) <= Math.abs((levels[level] ?? 0) - count)
  )
    level++;
  return level;
}

/** One document of a span as a number. */
export function posting(slot: number, count: number): number {
  return (slot << levelBits) | levelOf(count);
}
/** The slot of a posting. */
export function slotOf(value: number): number {
  return value >> levelBits;
}
/** The index in `levels` of a posting. */
export function levelAt(value: number): number {
  return value & levelMask;
}

/** Reads postings into `out`, which has room for a span, and gives how many there are; torn bytes at the end are left out. */
function readPostings(bytes: Uint8Array, out: Int32Array): number {
  const { length } = bytes;
  let slot = -1;
  let count = 0;
  for (let at = 0; at < length && count < out.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
      if (at >= length) return count;
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    slot += (value >> levelBits) + 1;
    if (slot >= spanSize) return count;
    out[count++] = (slot << levelBits) | (value & levelMask);
  }
  return count;
}

/** The same in an array of its own. */
export function unpackPostings(bytes: Uint8Array): Int32Array {
  const out = new Int32Array(Math.min(bytes.length, spanSize));
  return out.subarray(0, readPostings(bytes, out));
}

/** As bytes; by rising slots, all after the slot `after`. */
export function packPostings(values: ArrayLike<number>, after = -1): Uint8Array {
  const bytes = new Uint8Array(values.length * 3);
  let length = 0;
  let last = after;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const slot = value >> levelBits;
    let rest = ((slot - last - 1) << levelBits) | (value & levelMask);
    last = slot;
    for (; rest > 127; rest >>= 7) bytes[length++] = (rest & 127) | 128;
    bytes[length++] = rest;
  }
  return bytes.slice(0, length);
}

/** Kept postings, of which the slot `last` is the last, with others after them. */
export function joined(known: Uint8Array, last: number, more: ArrayLike<number>): Uint8Array {
  const added = packPostings(more, last);
  const all = new Uint8Array(known.length + added.length);
  all.set(known);
  all.set(added, known.length);
  return all;
}

/** Kept postings without those of a slot; undefined when none is left. */
export function without(known: Uint8Array, slot: number): Int32Array | undefined {
  const left = unpackPostings(known).filter((value) => slotOf(value) !== slot);
  return left.length > 0 ? left : undefined;
}

/** Lists of one span, as those of its projects, one behind another; each ends where its number says. */
export interface PostingLists {
  bytes: Uint8Array;
  ends: readonly number[];
}

/** Lists in one piece of memory. */
export function inOne(lists: readonly Uint8Array[]): PostingLists {
  const ends: number[] = [];
  let length = 0;
  for (const list of lists) {
    length += list.length;
    ends.push(length);
  }
  const bytes = new Uint8Array(length);
  for (const [i, list] of lists.entries()) bytes.set(list, ends[i - 1] ?? 0);
  return { bytes, ends };
}

// What is compared and weighed for every document of a block without reading the document: length, kind and time by slot.

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

// Which documents have a term, and how often, as bytes: for each document of a span how far it is from the one before, and its count in three bits.

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

// Which documents of a block have a term, and how often, as bytes: two a document, the slot in thirteen bits and the count in three.

/** Documents a block. */
export const blockSize = 8_192;
const slotBits = 13;
const slotMask = blockSize - 1;

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

/** One document of a block, as it is kept. */
export function posting(slot: number, count: number): number {
  return slot | (levelOf(count) << slotBits);
}
/** The slot of a posting. */
export function slotOf(value: number): number {
  return value & slotMask;
}
/** The index in `levels` of a posting. */
export function levelAt(value: number): number {
  return value >> slotBits;
}

/** As numbers; a torn last byte is left out. */
export function unpackPostings(bytes: Uint8Array): Uint16Array {
  const even = bytes.length & ~1;
  if (bytes.byteOffset % 2 === 0) return new Uint16Array(bytes.buffer, bytes.byteOffset, even / 2);
  return new Uint16Array(bytes.slice(0, even).buffer);
}

/** As bytes. */
export function packPostings(values: Uint16Array | readonly number[]): Uint8Array {
  const packed = values instanceof Uint16Array ? values : Uint16Array.from(values);
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
}

/** Kept postings with others after them. */
export function joined(known: Uint8Array | undefined, more: readonly number[]): Uint8Array {
  const added = packPostings(more);
  if (!known) return added;
  const all = new Uint8Array(known.length + added.length);
  all.set(known);
  all.set(added, known.length);
  return all;
}

/** Kept postings without those of a slot; undefined when none is left. */
export function without(known: Uint8Array, slot: number): Uint8Array | undefined {
  const left = unpackPostings(known).filter((value) => slotOf(value) !== slot);
  return left.length > 0 ? packPostings(left) : undefined;
}

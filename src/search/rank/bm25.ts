// BM25 as it is used twice: for documents and for their passages.

/** How fast a repeated word stops counting, and how much a long text is held against it. */
interface Bm25 {
  k1: number;
  b: number;
}

export const documentBm25: Bm25 = { k1: 1.2, b: 0.75 };
export const passageBm25: Bm25 = { k1: 1.2, b: 0.4 };

/** How much a term tells that `having` of `all` texts have; above 0 however common it is. */
export function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** What a term's count adds to a text, before its rarity. `length` is relative to the average. */
export function saturation(count: number, length: number, { k1, b }: Bm25): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
}

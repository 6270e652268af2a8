// How well ranked lists answer: the share found among the first five and ten, and the mean reciprocal rank. Pure.

/** Figures over a set of questions; shares from 0 to 1. */
export interface Recall {
  asked: number;
  at5: number;
  at10: number;
  /** 0 counts for what is not among the first ten. */
  mrr: number;
}

/** The place (1 for the first) of the first group that holds something right; a group counts once. */
export function rankOf<Item>(
  items: readonly Item[],
  group: (item: Item) => string,
  isRight: (item: Item) => boolean,
): number | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    seen.add(group(item));
    if (isRight(item)) return seen.size;
  }
  return undefined;
}

/** Figures of ranks; undefined where nothing right was found. */
export function recall(ranks: ReadonlyArray<number | undefined>): Recall {
  const share = (most: number) =>
    ranks.filter((rank) => rank !== undefined && rank <= most).length / Math.max(1, ranks.length);
  const gains = ranks.map((rank) => (rank !== undefined && rank <= 10 ? 1 / rank : 0));
  return {
    asked: ranks.length,
    at5: share(5),
    at10: share(10),
    mrr: gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, ranks.length),
  };
}

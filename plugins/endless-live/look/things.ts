// What each of many has, as numbers: its words, say. Counted by how many have it.

/** The things of each, one row behind the other. Equal things have equal numbers, below `kinds`. */
export interface Things {
  all: readonly number[];
  /** Where those of each begin; behind the last one, where they end. */
  starts: Uint32Array;
  kinds: number;
}

/** How many have each thing, however often. */
export function countThings({ all, starts, kinds }: Things): Uint32Array {
  const counts = new Uint32Array(kinds);
  /** The last that was seen to have it, plus one. */
  const last = new Uint32Array(kinds);
  for (let one = 1; one < starts.length; one++)
    for (let at = starts[one - 1] ?? 0; at < (starts[one] ?? 0); at++) {
      const thing = all[at] ?? 0;
      if (last[thing] === one) continue;
      last[thing] = one;
      counts[thing] = (counts[thing] ?? 0) + 1;
    }
  return counts;
}

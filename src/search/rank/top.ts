// The best of many, kept while the others are still being scored.

/** What has come in so far. */
export interface Top {
  /** What a score must reach to come in; 0 while there is room for any above 0. */
  floor(): number;
  /** Offers a document. */
  add(number: number, score: number): void;
  /** Best first; of equals the higher number. */
  sorted(): Array<{ number: number; score: number }>;
}

/** Keeps the `count` highest scores; of equals those of the higher numbers. */
export function topOf(count: number): Top {
  // A heap: no entry is better than those below it, so that the first is the one to go.
  const numbers: number[] = [];
  const scores: number[] = [];
  const isWorse = (a: number, b: number) => {
    const [one = 0, other = 0] = [scores[a], scores[b]];
    return one < other || (one === other && (numbers[a] ?? 0) < (numbers[b] ?? 0));
  };
  function swap(a: number, b: number): void {
    [numbers[a], numbers[b]] = [numbers[b] as number, numbers[a] as number];
    [scores[a], scores[b]] = [scores[b] as number, scores[a] as number];
  }
  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!isWorse(at, above)) return;
      swap(at, above);
      at = above;
    }
  }
  function sink(): void {
    for (let at = 0; ; ) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < numbers.length && isWorse(below, worst)) worst = below;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  }
  return {
    floor: () => (numbers.length < count ? 0 : (scores[0] ?? 0)),
    add(number, score) {
      if (numbers.length < count) {
        numbers.push(number);
        scores.push(score);
        rise(numbers.length - 1);
        return;
      }
      const [least = 0] = scores;
      if (score < least || (score === least && number < (numbers[0] ?? 0))) return;
      numbers[0] = number;
      scores[0] = score;
      sink();
    },
    sorted: () =>
      numbers
        .map((number, at) => ({ number, score: scores[at] ?? 0 }))
        .sort((a, b) => b.score - a.score || b.number - a.number),
  };
}

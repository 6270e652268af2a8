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
  function isWorse(a: number, b: number): boolean {
    const one = scores[a] as number;
    const other = scores[b] as number;
    return one < other || (one === other && (numbers[a] as number) < (numbers[b] as number));
  }
  function swap(a: number, b: number): void {
    const number = numbers[a] as number;
    const score = scores[a] as number;
    numbers[a] = numbers[b] as number;
    scores[a] = scores[b] as number;
    numbers[b] = number;
    scores[b] = score;
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
      const left = 2 * at + 1;
      const right = left + 1;
      let worst = at;
      if (left < numbers.length && isWorse(left, worst)) worst = left;
      if (right < numbers.length && isWorse(right, worst)) worst = right;
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
      const least = scores[0] as number;
      if (score < least || (score === least && number < (numbers[0] as number))) return;
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

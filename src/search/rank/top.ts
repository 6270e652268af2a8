// The highest of many numbers, without sorting them all.

const buckets = 2_048;

/** The indexes of the `count` highest scores above 0 among `touched`, best first; equals by the higher index. */
export function highest(scores: Float32Array, touched: readonly number[], count: number): number[] {
  const order = (a: number, b: number) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a;
  if (touched.length <= count * 2)
    return touched
      .filter((index) => (scores[index] ?? 0) > 0)
      .sort(order)
      .slice(0, count);
  const floor = leastOf(scores, touched, count);
  return touched
    .filter((index) => {
      const score = scores[index] ?? 0;
      return score > 0 && score >= floor;
    })
    .sort(order)
    .slice(0, count);
}

/** A number that at least `count` scores reach, and not many more; 0 when there are not so many. */
export function leastOf(scores: Float32Array, touched: readonly number[], count: number): number {
  if (touched.length < count) return 0;
  let most = 0;
  for (const index of touched) {
    const score = scores[index] ?? 0;
    if (score > most) most = score;
  }
  if (most <= 0) return 0;
  const histogram = new Uint32Array(buckets + 1);
  const scale = buckets / most;
  for (const index of touched) {
    const bucket = Math.floor(Math.max(0, scores[index] ?? 0) * scale);
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
  let sum = 0;
  for (let bucket = buckets; bucket > 0; bucket--) {
    sum += histogram[bucket] ?? 0;
    // One bucket lower: rounding must not leave out what belongs in.
    if (sum >= count) return (bucket - 1) / scale;
  }
  return 0;
}

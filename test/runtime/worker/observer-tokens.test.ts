// What a batch took out, shared over its observations to the token.
import { expect, test } from "bun:test";
import { shareOut } from "../../../src/runtime/worker/observation.ts";

test.each<[number, number[], number[]]>([
  [10, [1, 1, 1], [4, 3, 3]],
  [100, [50, 30, 20], [50, 30, 20]],
  [1, [1, 2, 1], [0, 1, 0]],
  [7, [0, 0], [4, 3]],
  [0, [3, 4], [0, 0]],
  [5, [], []],
  [5, [-1, 1], [0, 5]],
])("%d by %p", (total, weights, parts) => {
  expect(shareOut(total, weights)).toEqual(parts);
});

test("parts always add up, and none is off by one or more", () => {
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % max;
  };
  for (let round = 0; round < 2_000; round++) {
    const total = random(100_000);
    const weights = Array.from({ length: 1 + random(12) }, () => random(5_000));
    const sum = weights.reduce((a, b) => a + b, 0);
    const parts = shareOut(total, weights);
    expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
    for (const [at, part] of parts.entries()) {
      const exact = sum === 0 ? total / weights.length : (total * (weights[at] ?? 0)) / sum;
      expect(Math.abs(part - exact)).toBeLessThan(1);
    }
  }
});

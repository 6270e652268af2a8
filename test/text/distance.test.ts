import { expect, test } from "bun:test";
import { distance } from "../../src/text/distance.ts";

const scenarios: Array<[a: string, b: string, most: number, far: number]> = [
  ["token", "token", 2, 0],
  ["token", "tokn", 2, 1],
  ["token", "tokens", 2, 1],
  ["token", "taken", 2, 1],
  ["tokne", "token", 2, 1],
  ["otken", "token", 2, 1],
  ["authetication", "authentication", 2, 1],
  ["kitten", "sitting", 5, 3],
  ["kitten", "sitting", 2, 3],
  ["a", "abcdef", 2, 3],
  ["", "", 1, 0],
  ["", "ab", 2, 2],
];

for (const [a, b, most, far] of scenarios)
  test(`"${a}" and "${b}" are ${far > most ? `more than ${most}` : far} apart`, () => {
    expect(distance(a, b, most)).toBe(far);
    expect(distance(b, a, most)).toBe(far);
  });

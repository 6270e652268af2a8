// What a word's count, its rarity and a text's length are worth.
import { expect, test } from "bun:test";
import {
  documentBm25,
  passageBm25,
  rarity,
  saturation,
} from "../../../src/search/rank/candidates.ts";

test("said once in a text of average length a word counts once, said often never k1 more", () => {
  for (const how of [documentBm25, passageBm25]) {
    expect(saturation(1, 1, how)).toBeCloseTo(1);
    expect(saturation(1e9, 1, how)).toBeCloseTo(how.k1 + 1);
  }
});

test("a long text is held against a word, a long document more than a long passage", () => {
  expect(saturation(1, 2, passageBm25)).toBeLessThan(1);
  expect(saturation(1, 2, documentBm25)).toBeLessThan(saturation(1, 2, passageBm25));
  expect(saturation(1, 0.5, documentBm25)).toBeGreaterThan(1);
});

test("a rare word tells more than a common one, which still tells something", () => {
  expect(rarity(1, 100)).toBeGreaterThan(rarity(50, 100));
  expect(rarity(100, 100)).toBeGreaterThan(0);
});

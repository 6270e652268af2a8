// Figures in few letters.
import { expect, test } from "bun:test";
import { short } from "../../../src/cli/endless/metrics.ts";

test.each([
  [0, "0"],
  [0.6, "1"],
  [999, "999"],
  [1_000, "1.0k"],
  [12_345, "12.3k"],
  [999_949, "999.9k"],
  [1_000_000, "1.0M"],
  [2_500_000, "2.5M"],
  [-7, "-7"],
  [-12_345, "-12.3k"],
  [-2_500_000, "-2.5M"],
])("%d is %s", (value, text) => {
  expect(short(value)).toBe(text);
});

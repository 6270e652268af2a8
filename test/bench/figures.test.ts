// Figures: what is met, and what the table says of it.
import { expect, test } from "bun:test";
import { type Figure, isMet, median, quantile, table } from "./figures.ts";

const lower = (value: number): Figure => ({
  part: "hook",
  name: "ratio",
  value,
  unit: "×",
  target: { limit: 1.5, better: "lower" },
});

test("quantile: picks from sorted samples whatever their order", () => {
  const samples = [9, 1, 5, 3, 7];
  expect(median(samples)).toBe(5);
  expect(quantile(samples, 0.95)).toBe(9);
  expect(samples).toEqual([9, 1, 5, 3, 7]);
  expect(() => median([])).toThrow("no samples");
});

test("isMet: a target may be a ceiling or a floor, or absent", () => {
  expect(isMet(lower(1.5))).toBe(true);
  expect(isMet(lower(1.51))).toBe(false);
  expect(isMet({ ...lower(2), target: { limit: 1.5, better: "higher" } })).toBe(true);
  expect(isMet({ part: "hook", name: "wall", value: 3, unit: "ms" })).toBeUndefined();
});

test("table: names the part once and says what is not met", () => {
  const text = table([lower(1.2), lower(2)]);
  expect(text.match(/^hook$/gm)).toHaveLength(1);
  expect(text).toMatch(/1\.20 × {2}≤ 1\.50 × {2}met$/m);
  expect(text).toMatch(/2\.00 × {2}≤ 1\.50 × {2}NOT MET$/m);
});

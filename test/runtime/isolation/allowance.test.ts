// How many may pass: a burst, then so many a second.
import { expect, test } from "bun:test";
import { createAllowance } from "../../../src/runtime/isolation/allowance.ts";

test("a burst, then one for each part of a second, and no more than a burst after a rest", () => {
  let now = 0;
  const may = createAllowance(3, 2, () => now);
  const passed = (tries: number) =>
    Array.from({ length: tries }, () => may()).filter(Boolean).length;
  expect(passed(10)).toBe(3);
  now += 500;
  expect(passed(10)).toBe(1);
  now += 499;
  expect(passed(10)).toBe(0);
  now += 3_600_000;
  expect(passed(10)).toBe(3);
});

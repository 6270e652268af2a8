// How many may pass: a burst, then so many a second.
import { expect, test } from "bun:test";
import { createAllowance } from "../../../src/runtime/isolation/allowance.ts";

test("a burst, then one for each part of a second, and no more than a burst after a rest", () => {
  let now = 0;
  const may = createAllowance(3, 2, () => now).take;
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

test("one that has to come first is waited for, as long as the rate says", () => {
  let now = 0;
  const { borrow } = createAllowance(2, 1_000, () => now);
  expect([borrow(), borrow(), borrow(), borrow()]).toEqual([0, 0, 1, 2]);
  now += 1_000_000;
  expect([borrow(), borrow(), borrow()]).toEqual([0, 0, 1]);
});

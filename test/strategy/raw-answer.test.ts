// When a model says in words that there is nothing to keep.
import { expect, test } from "bun:test";
import { saysNothing } from "../../src/strategy/raw-answer.ts";

test.each([
  ["", true],
  [" None. ", true],
  ["**N/A**", true],
  ["There is nothing worth recording here.", true],
  ["No new observations.", true],
  ["Nothing: the total of the cart is a getter", false],
  ["The cart has no total.", false],
  [`${"The cart was read. ".repeat(16)}Nothing worth recording.`, false],
])("%j says nothing: %p", (text, wanted) => {
  expect(saysNothing(text)).toBe(wanted);
});

// When a model says that there is nothing to keep.
import { expect, test } from "bun:test";
import { saysNothing } from "../../src/strategy/raw-answer.ts";

test.each([
  ["", false],
  [" None. ", true],
  ["**N/A**", true],
  ["There is nothing worth recording here.", false],
  ["Policy does not allow me to record this.", false],
  ["Nothing: the total of the cart is a getter", false],
  ["The cart has no total.", false],
])("%j says nothing: %p", (text, wanted) => {
  expect(saysNothing(text)).toBe(wanted);
});

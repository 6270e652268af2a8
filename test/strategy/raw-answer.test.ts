// When a model says that there is nothing to keep.
import { expect, test } from "bun:test";
import { saysNothing } from "../../src/strategy/raw-answer.ts";

test.each<[text: string, wanted: boolean, word: string | undefined]>([
  ["", false, undefined],
  [" None. ", true, undefined],
  ["**N/A**", true, undefined],
  ["There is nothing worth recording here.", false, undefined],
  ["Policy does not allow me to record this.", false, undefined],
  ["Nothing: the total of the cart is a getter", false, undefined],
  ["The cart has no total.", false, undefined],
  ["NICHTS", false, undefined],
  ["**nichts.**", true, "NICHTS"],
  ["何もない。", true, "何もない"],
  ["None", true, "NICHTS"],
  ["Nichts davon ist neu.", false, "NICHTS"],
  ["", false, "NICHTS"],
])("%j says nothing: %p", (text, wanted, word) => {
  expect(saysNothing(text, word)).toBe(wanted);
});

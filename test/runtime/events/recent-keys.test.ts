// A bounded memory of keys.
import { expect, test } from "bun:test";
import { createRecentKeys } from "../../../src/runtime/events/two-roads.ts";

test("a key is new once, until so many others came", () => {
  const recent = createRecentKeys(2);
  expect(["a", "a", "b", "a", "c", "a", "c"].map((key) => recent.isNew(key))).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
    false,
  ]);
});

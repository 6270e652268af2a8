import { expect, test } from "bun:test";
import { dropOldest } from "../../src/text/text.ts";

test("what was put in first goes, until few enough are left", () => {
  const map = new Map([1, 2, 3].map((n) => [`k${n}`, n]));
  dropOldest(map, 2);
  expect([...map.keys()]).toEqual(["k2", "k3"]);
  dropOldest(map, 2);
  expect(map.size).toBe(2);
  const set = new Set([1, 2, 3]);
  dropOldest(set, 0);
  expect(set.size).toBe(0);
});

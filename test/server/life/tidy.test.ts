// Garbage is collected when nobody waits: once after the start, then after many requests.
import { expect, test } from "bun:test";
import { createTidy } from "../../../src/server/life/when-quiet.ts";

const cases = [
  { name: "nothing came since the start", served: [0, 0, 0], collected: [0] },
  { name: "requests came from the start on", served: [3, 9, 9, 9], collected: [9] },
  { name: "a few more requests", served: [0, 500, 500], collected: [0] },
  { name: "many more, and still coming", served: [0, 900, 1_800], collected: [0] },
  { name: "many more, then quiet", served: [0, 900, 1_800, 1_800, 1_800], collected: [0, 1_800] },
];

test.each(cases)("$name", ({ served, collected }) => {
  let count = 0;
  const found: number[] = [];
  const look = createTidy({ served: () => count, collect: () => found.push(count) });
  for (const at of served) {
    count = at;
    look();
  }
  expect(found).toEqual(collected);
});

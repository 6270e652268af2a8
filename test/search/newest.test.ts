// Without words: the newest first, packed or not, narrowed or not, page by page.
import { describe, expect, test } from "bun:test";
import { blockSize } from "../../src/search/index/schema.ts";
import type { SearchFilter } from "../../src/search/index.ts";
import { document, emptyIndex, noon, reindex } from "./support.ts";

const count = 600;
/** A time for each number, in no order; every twentieth has that of the one before. */
const timeOf = (i: number) => noon + (((i - (i % 20 === 1 ? 1 : 0)) * 7_919) % count);
const projectOf = (i: number) => `p${i % 3}`;
const kindOf = (i: number) => (i % 5 === 0 ? "note" : "turn");
const byTime = Array.from({ length: count }, (_, i) => i).sort(
  (a, b) => timeOf(b) - timeOf(a) || b - a,
);

async function filled(packed: number) {
  const { index } = await emptyIndex();
  for (let i = 0; i < count; i++)
    index.put(
      document("text", {
        ...{ id: `${i}`, session: `s${i % 7}`, time: timeOf(i) },
        ...{ project: projectOf(i), kind: kindOf(i) },
      }),
    );
  index.pack(packed);
  return index;
}

describe.each([
  ["packed", count],
  ["half packed", count / 2 + 1],
  ["not packed", 0],
])("%s", (_, packed) => {
  test.each<[string, SearchFilter, (i: number) => boolean]>([
    ["all", {}, () => true],
    ["of a project", { projects: ["p1"] }, (i) => projectOf(i) === "p1"],
    ["of projects", { projects: ["p2", "p0"] }, (i) => projectOf(i) !== "p1"],
    ["of a kind", { kinds: ["note"] }, (i) => kindOf(i) === "note"],
    [
      "of a project and kind",
      { projects: ["p1"], kinds: ["note"] },
      (i) => projectOf(i) === "p1" && kindOf(i) === "note",
    ],
    ["since a time", { since: noon + 300 }, (i) => timeOf(i) >= noon + 300],
    ["of no project", { projects: [] }, () => false],
    ["of no kind", { kinds: [] }, () => false],
  ])("%s", async (_name, filter, passes) => {
    const index = await filled(packed);
    const expected = byTime.filter(passes).map(String);
    expect(index.newest(filter, count)).toEqual(expected);
    expect(index.newest(filter, 5)).toEqual(expected.slice(0, 5));
    expect(index.newest(filter, 5, 10)).toEqual(expected.slice(10, 15));
  });

  test("what was removed is not among them", async () => {
    const index = await filled(packed);
    const [first, second] = byTime.map(String);
    index.remove(first ?? "");
    expect(index.newest({ since: noon }, 1)).toEqual([second ?? ""]);
  });
});

test.each([
  ["second", "first", "third", [0, 1, -1]],
  ["first", "third", "second", [1, -1, 0]],
])(
  "blocks are read until no other can hold anything newer, whether the %s is the newest, then the %s, then the %s",
  async (_newest, _next, _oldest, shift) => {
    const { index } = await emptyIndex();
    // The newest reaches into the next.
    const timed = Array.from({ length: 2 * blockSize + 9 }, (_, i) => {
      const block = Math.floor(i / blockSize);
      return { id: `${i}`, time: noon + (i % blockSize) * 3 + (shift[block] ?? 0) * 9_001 };
    });
    reindex(
      index,
      timed.map((one) => document("text", one)),
    );
    const expected = timed.toSorted((a, b) => b.time - a.time).map(({ id }) => id);
    expect(index.newest({ kinds: ["turn"] }, 9_000)).toEqual(expected.slice(0, 9_000));
  },
);

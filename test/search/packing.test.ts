// Numbers as bytes: what was packed comes back, and what was taken out is gone.
import { describe, expect, test } from "bun:test";
import {
  ByteReader,
  byteWriter,
  packForward,
  unpackForward,
} from "../../src/search/index/forward.ts";
import {
  inOne,
  joined,
  levelAt,
  levels,
  packPostings,
  posting,
  slotOf,
  spanSize,
  unpackPostings,
  without,
} from "../../src/search/index/postings.ts";
import { topOf } from "../../src/search/rank/candidates.ts";

test("numbers of any size come back", () => {
  const numbers = [
    0,
    1,
    127,
    128,
    300,
    16_383,
    16_384,
    2 ** 31,
    2 ** 40 + 5,
    ...Array(500).fill(9),
  ];
  const out = byteWriter();
  for (const number of numbers) out.add(number);
  const input = new ByteReader(out.bytes());
  expect(numbers.map(() => input.next())).toEqual(numbers);
  expect(() => input.next()).toThrow(RangeError);
});

test("a document comes back as it was, and a torn one is refused", () => {
  const document = {
    passages: [
      { field: 1, piece: 0, start: 0, end: 300, terms: [5, 5, 70_000], names: [9] },
      { field: 2, piece: 3, start: 12, end: 13, terms: [], names: [] },
    ],
    labels: [1, 2, 3],
  };
  const bytes = packForward(document);
  expect(unpackForward(bytes)).toEqual(document);
  expect(() => unpackForward(bytes.slice(0, -1))).toThrow(RangeError);
});

describe("postings", () => {
  test.each([
    [0.5, 0.5],
    [1, 1],
    [2.4, 2],
    [3.6, 4],
    [100, 10],
  ])("a count of %p is kept as %p", (count, kept) => {
    const value = posting(spanSize - 1, count);
    expect(slotOf(value)).toBe(spanSize - 1);
    expect(levels.at(levelAt(value)) === kept).toBe(true);
  });

  const slots = (values: ArrayLike<number> | undefined) =>
    values && Array.from(values, (value) => slotOf(value));

  test("grow, shrink and end", () => {
    const first = packPostings([posting(1, 1), posting(7, 2)]);
    const all = joined(first, 7, [posting(9, 1)]);
    expect(slots(unpackPostings(all))).toEqual([1, 7, 9]);
    expect(slots(without(all, 7))).toEqual([1, 9]);
    expect(without(packPostings([posting(3, 1)]), 3)).toBeUndefined();
  });

  test("are read as they were written, at both ends of a span and wherever they stand in memory", () => {
    const values = [0, 1, 15, 16, 2_063, 2_064, spanSize - 1].map((slot, i) =>
      posting(slot, levels[i] ?? 1),
    );
    const bytes = packPostings(values);
    expect([...unpackPostings(bytes)]).toEqual(values);
    expect([...unpackPostings(new Uint8Array([0, ...bytes]).subarray(1))]).toEqual(values);
  });

  test("of several projects stand one behind another, each as it was", () => {
    const lists = [[1, 7], [], [0, 300, 9_000]].map((numbers) =>
      packPostings(numbers.map((slot) => posting(slot, 1))),
    );
    const { bytes, ends } = inOne(lists);
    expect(ends.map((end, i) => slots(unpackPostings(bytes.subarray(ends[i - 1], end))))).toEqual([
      [1, 7],
      [],
      [0, 300, 9_000],
    ]);
    expect(inOne([])).toEqual({ bytes: new Uint8Array(), ends: [] });
  });

  test("torn bytes give what stands before the tear, and never a slot outside the span", () => {
    const bytes = packPostings([posting(5, 1), posting(60_000, 1)]);
    expect(slots(unpackPostings(bytes.subarray(0, -1)))).toEqual([5]);
    expect(slots(unpackPostings(new Uint8Array(9).fill(255)))).toEqual([]);
    expect(slots(unpackPostings(new Uint8Array([...bytes, ...bytes])))).toEqual([
      5, 60_000, 60_006,
    ]);
  });
});

test("the best of many are those that sorting gives", () => {
  const scores = Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 1_000);
  const sorted = scores
    .map((score, number) => ({ number, score }))
    .sort((a, b) => b.score - a.score || b.number - a.number);
  for (const count of [1, 10, 999, 4_000, 6_000]) {
    const top = topOf(count);
    for (const [number, score] of scores.entries()) top.add(number, score);
    expect(top.sorted()).toEqual(sorted.slice(0, count));
    expect(top.floor()).toBe(count > 5_000 ? 0 : (sorted[count - 1]?.score ?? 0));
  }
});

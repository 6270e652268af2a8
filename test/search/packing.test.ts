// Numbers as bytes: what was packed comes back, and what was taken out is gone.
import { describe, expect, test } from "bun:test";
import { ByteReader, byteWriter } from "../../src/search/index/bytes.ts";
import { packForward, unpackForward } from "../../src/search/index/forward.ts";
import {
  blockSize,
  joined,
  levelAt,
  levels,
  packPostings,
  posting,
  slotOf,
  unpackPostings,
  without,
} from "../../src/search/index/postings.ts";
import { highest } from "../../src/search/rank/top.ts";

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
    const value = posting(blockSize - 1, count);
    expect(slotOf(value)).toBe(blockSize - 1);
    expect(levels.at(levelAt(value)) === kept).toBe(true);
  });

  test("grow, shrink and end", () => {
    const first = packPostings([posting(1, 1), posting(7, 2)]);
    const all = joined(first, [posting(9, 1)]);
    const slots = (bytes: Uint8Array | undefined) =>
      bytes && [...unpackPostings(bytes)].map(slotOf);
    expect(slots(all)).toEqual([1, 7, 9]);
    expect(slots(without(all, 7))).toEqual([1, 9]);
    expect(without(packPostings([posting(3, 1)]), 3)).toBeUndefined();
    // A view that begins at an odd byte, as a driver may give it.
    const odd = new Uint8Array([0, ...all]).subarray(1);
    expect(slots(odd)).toEqual([1, 7, 9]);
  });
});

test("the highest of many are those that sorting gives", () => {
  const scores = Float32Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 1_000);
  const touched = [...scores.keys()];
  const sorted = [...touched].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
  for (const count of [1, 10, 999, 4_000])
    expect(highest(scores, touched, count)).toEqual(
      sorted.filter((i) => (scores[i] ?? 0) > 0).slice(0, count),
    );
});

// Runs that are found by a look at few characters are those that an expression finds.
import { expect, test } from "bun:test";
import { classOf, visitRuns } from "../../src/privacy/redact/word-search.ts";
import { createRandom } from "./corpus/fake.ts";

function runs(text: string, shortest: number): Array<[number, number]> {
  const found: Array<[number, number]> = [];
  visitRuns(text, classOf(/[a-z]/), shortest, (start, end) => found.push([start, end]));
  return found;
}

test("a run is found whole, at the beginning, in the midst and at the end; a shorter one is not", () => {
  expect(runs("abcd", 4)).toEqual([[0, 4]]);
  expect(runs("abc", 4)).toEqual([]);
  expect(runs("ab abcdefghi éabcd abc abcde", 4)).toEqual([
    [3, 12],
    [14, 18],
    [23, 28],
  ]);
  expect(runs("", 4)).toEqual([]);
});

test("in random texts every run is found that an expression finds", () => {
  const random = createRandom("runs");
  for (let round = 0; round < 500; round++) {
    const shortest = 2 + Math.floor(random() * 8);
    const text = Array.from({ length: Math.floor(random() * 120) }, () =>
      "abcdefgh -é".charAt(Math.floor(random() * 11)),
    ).join("");
    const expected = [...text.matchAll(new RegExp(`[a-z]{${shortest},}`, "g"))].map(
      ({ index, 0: run }): [number, number] => [index, index + run.length],
    );
    expect(runs(text, shortest)).toEqual(expected);
  }
});

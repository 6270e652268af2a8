// Which prompts of a transcript are known under which number, and which numbers the others get.
import { expect, test } from "bun:test";
import { numberPrompts } from "../../src/backfill/add-missing.ts";

const minute = 60_000;
const told = (text: string, minutes = 0) => ({ text, time: minutes * minute });
const known = (number: number, text: string, minutes = 0) => ({ number, ...told(text, minutes) });

test.each<
  [
    string,
    Array<ReturnType<typeof told>>,
    Array<ReturnType<typeof known>>,
    { count?: number; taken?: number[] },
    string[],
  ]
>([
  [
    "the same text at the same time",
    [told("a"), told("b", 5)],
    [known(3, "a"), known(4, "b", 5)],
    {},
    ["3 known", "4 known"],
  ],
  ["two minutes apart at most", [told("a", 2)], [known(3, "a")], {}, ["3 known"]],
  [
    "each number once",
    [told("a"), told("a", 1)],
    [known(1, "a"), known(2, "a", 1)],
    {},
    ["1 known", "2 known"],
  ],
  [
    "by its place where clocks differ",
    [told("a"), told("b", 60), told("c", 120)],
    [known(1, "a"), known(2, "b", 600), known(3, "c", 120)],
    {},
    ["1 known", "2 known", "3 known"],
  ],
  [
    "not in another place",
    [told("a"), told("b", 60), told("c", 120)],
    [known(1, "b", 600), known(2, "a"), known(3, "c", 120)],
    {},
    ["2 known", "4", "3 known"],
  ],
  [
    "a text that nobody knows in a free place",
    [told("a"), told("x", 1), told("c", 2)],
    [known(1, "a"), known(3, "c", 2)],
    {},
    ["1 known", "2", "3 known"],
  ],
  [
    "none that is taken",
    [told("a"), told("x", 1), told("d", 2)],
    [known(1, "a"), known(4, "d", 2)],
    { taken: [2] },
    ["1 known", "3", "4 known"],
  ],
  [
    "behind all that there were where none is free",
    [told("a"), told("x", 1), told("b", 2)],
    [known(1, "a"), known(2, "b", 2)],
    { count: 7 },
    ["1 known", "8", "2 known"],
  ],
  [
    "behind all, and not one that is taken",
    [told("a"), told("x", 1), told("b", 2)],
    [known(1, "a"), known(2, "b", 2)],
    { taken: [3] },
    ["1 known", "4", "2 known"],
  ],
  ["one after the other behind all", [told("x"), told("y", 1)], [], {}, ["1", "2"]],
  [
    "those that there were before it first",
    [told("x"), told("y", 1)],
    [],
    { count: 1 },
    ["1", "2"],
  ],
  ["none", [], [known(1, "a")], {}, []],
])("%s", (_, recorded, all, { count = 0, taken = [] }, expected) => {
  const numbers = numberPrompts(recorded, all, count, (number) => taken.includes(number));
  expect(numbers.map(({ number, isKnown }) => `${number}${isKnown ? " known" : ""}`)).toEqual(
    expected,
  );
});

test("a line and its hook more than two minutes apart are two prompts, in a place of their own", () => {
  const late = { text: "a", time: 120_001 };
  expect(
    numberPrompts([late, told("b", 9)], [known(2, "a"), known(1, "b", 9)], 2, () => false),
  ).toEqual([
    { number: 3, isKnown: false },
    { number: 1, isKnown: true },
  ]);
});

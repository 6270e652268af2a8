// Values of options: what counts, what may be chosen, and what is refused.
import { expect, test } from "bun:test";
import { InvalidArgumentError } from "commander";
import { count, someOf } from "../../../src/cli/terminal/option-values.ts";

test.each([
  ["1", 1],
  ["20", 20],
  ["200", 200],
])("%s of at most 200 counts", (text, value) => {
  expect(count(200)(text)).toBe(value);
});

test.each(["0", "-1", "201", "1.5", "", "many", "Infinity"])(
  "%p of at most 200 does not",
  (text) => {
    expect(() => count(200)(text)).toThrow(
      new InvalidArgumentError("Write a whole number from 1 to 200."),
    );
  },
);

const words = someOf(["turn", "summary", "memory"]);

test.each<[string, string, Parameters<typeof words>[1], string[]]>([
  ["one", "turn", undefined, ["turn"]],
  ["several, with blanks", "turn, memory", undefined, ["turn", "memory"]],
  ["one more", "memory", ["turn"], ["turn", "memory"]],
  ["the same again", "turn,turn", ["turn"], ["turn"]],
])("%s: %p", (_, text, before, chosen) => {
  expect(words(text, before)).toEqual(chosen as never);
});

test("one that is none refuses all of them, and says what there is", () => {
  expect(() => words("turn,other", undefined)).toThrow(
    new InvalidArgumentError("Allowed choices are turn, summary, memory."),
  );
  expect(() => words("", undefined)).toThrow("Allowed choices are");
});

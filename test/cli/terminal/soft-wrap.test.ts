// Lines on a narrow screen: broken between words, columns kept.
import { expect, test } from "bun:test";
import { width } from "../../../src/cli/terminal/layout.ts";
import { softWrap } from "../../../src/cli/terminal/terminal.ts";

const cases: Array<[name: string, text: string, lines: string[]]> = [
  ["what fits stays", "short", ["short"]],
  ["words stay whole", "one two three four five six", ["one two three four", "  five six"]],
  [
    "a row goes on under its last column",
    "a  key   one two three four",
    ["a  key   one two", "         three four"],
  ],
  [
    "an indented line goes on further in",
    "  one two three four five",
    ["  one two three four", "    five"],
  ],
  [
    "a word that is too long for any line begins at its left",
    `x ${"y".repeat(30)} z`,
    ["x", "y".repeat(30), "  z"],
  ],
  [
    "a word that has no room in its column begins further left",
    `a  key   one ${"y".repeat(16)} z`,
    ["a  key   one", `    ${"y".repeat(16)}`, "         z"],
  ],
  ["a command stays whole", "and then `memoir stats`.", ["and then", "  `memoir stats`."]],
  [
    "a command that has no room is broken",
    "run `memoir stats --since 2h`",
    ["run `memoir stats", "  --since 2h`"],
  ],
  ["a lone backquote is a letter", "a ` one two three four", ["a ` one two three", "  four"]],
  ["wide characters count twice", "端末 端末 端末 端末 端末", ["端末 端末 端末 端末", "  端末"]],
];
test.each(cases)("%s", (_name, text, lines) => {
  expect(softWrap(text, 20).split("\n")).toEqual(lines);
});

test("a column that begins too far right is none, nor is a gap behind what is shown", () => {
  const far = `${"x".repeat(13)}  a b c d e f g`;
  expect(softWrap(far, 20).split("\n")).toEqual([`${"x".repeat(13)}  a b c`, "  d e f g"]);
  const near = `${"x".repeat(10)}  a b c d e f g`;
  expect(softWrap(near, 20).split("\n")).toEqual([
    `${"x".repeat(10)}  a b c d`,
    `${" ".repeat(12)}e f g`,
  ]);
  const late = `one two three four five  six seven`;
  expect(softWrap(late, 20).split("\n")).toEqual(["one two three four", "  five  six seven"]);
  const deep = `${" ".repeat(16)}a b c d e`;
  expect(softWrap(deep, 20).split("\n")).toEqual([
    `${" ".repeat(16)}a b`,
    `${" ".repeat(12)}c d e`,
  ]);
});

test("lists as JSON are not broken, what only begins with a bracket is", () => {
  for (const json of [
    '["one two three four five six"]',
    '[["one two three four five"]]',
    '[{"a b c d": "e f g h i"}]',
  ])
    expect([json, softWrap(json, 20) === json]).toEqual([json, true]);
  expect(softWrap("[see] one two three four five", 20).split("\n")).toHaveLength(2);
});

test("JSON is not broken", () => {
  const json = JSON.stringify({ text: "one two three four five six seven" });
  expect(softWrap(json, 20)).toBe(json);
});

test("colours take no room and every line fits", () => {
  const text = `  \u001b[2m${"word ".repeat(40)}\u001b[22m`;
  for (const line of softWrap(text, 40).split("\n")) expect(width(line)).toBeLessThanOrEqual(40);
});

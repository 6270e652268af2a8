// Markdown as lines for a terminal: each kind of block at its edges.
import { expect, test } from "bun:test";
import { renderMarkdown } from "../../../../src/cli/plugins/docs.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";

const { colors } = plainTerminal();
const shown = (text: string, width?: number) => renderMarkdown(text, { width, colors });

test.each<[what: string, text: string, lines: string[]]>([
  ["nothing at all", "", []],
  ["a paragraph of several lines", "one\ntwo\n\n\nthree", ["one two", "", "three"]],
  ["headings without their marks", "# One `x`\n### Two", ["One `x`", "Two"]],
  ["a number sign that is no heading", "#one", ["#one"]],
  ["a list whose items go on below", "- one\n  more\n- two", ["- one more", "- two"]],
  ["a list with numbers", "1. one\n   more\n10. two", ["1. one more", "10. two"]],
  ["what only looks like a list", "-one\n1.two", ["-one 1.two"]],
  ["links, bold and italics", "[a](b) **c** *d*, *e*. f", ["a c d, e. f"]],
  ["two links, two bolds", "[a](b) [c](d) **e** **f**", ["a c e f"]],
  ["signs that are no italics", "2 * 3 * 4, a*b*c, *d*e", ["2 * 3 * 4, a*b*c, *d*e"]],
  ["an angle bracket", "a &lt;b> &lt;c>", ["a <b> <c>"]],
])("%s", (_, text, lines) => {
  expect(shown(text, 80)).toEqual(lines);
});

test("code is left as it is, with its empty lines and what looks like Markdown, at any width", () => {
  const code = "before\n```ts\n# no *heading*\n\n- `x`   y\n```\nafter";
  const lines = ["before", "", "  # no *heading*", "", "  - `x`   y", "", "after"];
  expect(shown(code, 80)).toEqual(lines);
  expect(shown(`\`\`\`\n${"x".repeat(50)} y\n\`\`\``, 20)).toEqual([`  ${"x".repeat(50)} y`]);
  expect(shown("```\na\n```\n```\nb\n```", 80)).toEqual(["  a", "", "  b"]);
});

test("an item is broken below its own beginning", () => {
  expect(shown("- one two three\n- four", 9)).toEqual(["- one two", "  three", "- four"]);
  expect(shown("10. one two three", 11)).toEqual(["10. one two", "    three"]);
});

test("a table stands side by side up to the last column of the screen, and always without one", () => {
  const table = "| a | what | of |\n| - | --- | --- |\n| x | **one** two |  |\n| y | | z |";
  expect(shown(table, 14)).toEqual(["a  what     of", "x  one two", "y           z"]);
  expect(shown(table)).toEqual(shown(table, 14));
  expect(shown(table, 13)).toEqual(["x", "  what: one", "  two", "y", "  of: z"]);
  expect(shown("| a |  |\n| - | - |\n| x | one two |", 8)).toEqual(["x", "  one", "  two"]);
});

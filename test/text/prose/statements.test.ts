// Markdown as statements: what ends one, what introduces the next, and what is left out.
import { expect, test } from "bun:test";
import { statementsOf } from "../../../src/text/prose/telling.ts";

const told = (markdown: string) =>
  statementsOf(markdown).map(({ kind, text, section, lead }) =>
    [kind, section, lead, text].filter(Boolean).join(" | "),
  );

test("what answers a question, or has a letter in front, is an option", () => {
  const options = (markdown: string) =>
    statementsOf(markdown).map(({ text, isOption = false, isMore = false }) => [
      text,
      isOption,
      isMore,
    ]);
  expect(
    options(
      "Which way?\n1. One. At once.\n2. Two\n\nThen:\n- three\n\nAnd now?\n\n## Done\n- six\n\nA) Four\nB) Five",
    ),
  ).toEqual([
    ["Which way?", false, false],
    ["One.", true, false],
    ["At once.", true, true],
    ["Two", true, false],
    ["three", false, false],
    ["And now?", false, false],
    ["six", false, false],
    ["Four", true, false],
    ["Five", true, false],
  ]);
});

test.each<[string, string, string[]]>([
  [
    "a heading ends a paragraph and a list",
    "One thing\n# Then:\nTwo\n- three\n## Last ##\nfour",
    [
      "sentence | One thing",
      "sentence | Then | Two",
      "item | Then | three",
      "sentence | Last | four",
    ],
  ],
  [
    "a list ends a paragraph",
    "One thing\n- two\n1. three",
    ["sentence | One thing", "item | two", "item | three"],
  ],
  [
    "a fence ends a paragraph, and what is in it is left out",
    "One\n```\ncode\n```\nTwo\n~~~\nmore",
    ["sentence | One", "sentence | Two"],
  ],
  [
    "a rule ends a paragraph",
    "One\n---\nTwo\n***\nThree",
    ["sentence | One", "sentence | Two", "sentence | Three"],
  ],
  [
    "a table ends a paragraph",
    "One\n| a | b |\n|---|:-:|\n| c | d |\nTwo",
    ["sentence | One", "row | c: d", "sentence | Two"],
  ],
  [
    "lines of a paragraph are one",
    "One\nthing. And\nanother",
    ["sentence | One thing.", "sentence | And another"],
  ],
  ["block quotes are read", "> One\n> - two", ["sentence | One", "item | two"]],
  ["sections end where the next begins", "# A\n- x\n# B\n- y", ["item | A | x", "item | B | y"]],
  [
    "a lead ends with its heading",
    "Changed `a.ts`:\n- x\n# B\n- y",
    ["item | Changed a.ts | x", "item | B | y"],
  ],
  [
    "a lead ends with the text after its list",
    "Changed:\n- x\nThen\n- y",
    ["item | Changed | x", "sentence | Then", "item | y"],
  ],
  ["a line in bold leads", "**Changed**\n- x", ["item | Changed | x"]],
  ["a sentence in bold does not", "**All is well.**\n- x", ["sentence | All is well.", "item | x"]],
  ["an item in bold leads", "- **Cart:**\n  - x\n- y", ["item | Cart | x", "item | y"]],
  ["an item of several sentences is several", "- One. Two", ["item | One.", "item | Two"]],
  ["code holds no end of a sentence", "Call `a. B?` now", ["sentence | Call a. B? now"]],
  [
    "marks of other kinds",
    "• one\n● two\n▪ three\n✅ four\n+ five\n12) six",
    ["item | one", "item | two", "item | three", "item | four", "item | five", "item | six"],
  ],
])("%s", (_, markdown, statements) => {
  expect(told(markdown)).toEqual(statements);
});

test.each<[string, string]>([
  ["| x |", "x"],
  ["| x | y |", "x: y"],
  ["| x | y | z |", "x y: z"],
  ["| x | y | z | w |", "x y: z; w"],
  ["| 3 | y | z |", "y: z"],
  ["| #12 | y | z |", "y: z"],
  ["| 4f86d02 | y |", "y"],
  ["| x | - | z |", "x: z"],
  ["| x | – |  |", "x"],
  ["| a \\| b | y |", "a | b: y"],
  [`| x | ${"long ".repeat(9)}| z |`, `x: ${"long ".repeat(9).trim()}; z`],
])("the row %p says %p", (row, text) => {
  expect(statementsOf(`| h | i |\n|---|---|\n${row}`).map((one) => one.text)).toEqual([text]);
});

test("a table that begins anew has a head of its own", () => {
  expect(told("| a |\n| b |\n\n| c |\n| d |")).toEqual(["row | b", "row | d"]);
  expect(told("| a |\n| b |\n# S\n| c |\n| d |")).toEqual(["row | b", "row | S | d"]);
});

test("names of code are known, walls of text are none, and there are as many as are wanted", () => {
  expect(statementsOf("Call `run()` and `a.ts` now")[0]?.code).toEqual(["run()", "a.ts"]);
  expect(statementsOf("x".repeat(1_501))).toEqual([]);
  expect(statementsOf("x".repeat(1_500))).toHaveLength(1);
});

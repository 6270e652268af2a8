// A table fits the terminal: side by side where there is room, else a list for each row.
import { expect, test } from "bun:test";
import { tableLines } from "../../../src/cli/endless/metrics.ts";

const rows = [
  ["Left out", "tool", "times", "fetched back"],
  ["live", "Bash", "12", "3 times"],
  ["live", "Read", "4", ""],
];
const plain = (text: string) => text;

test.each([undefined, 40])("side by side in %p columns", (width) => {
  expect(tableLines(plain, rows, width)).toEqual([
    "",
    "Left out  tool  times  fetched back",
    "live      Bash  12     3 times",
    "live      Read  4",
  ]);
});

test("a list for each row where there is no room, without what is empty", () => {
  expect(tableLines(plain, rows, 30)).toEqual([
    "",
    "Left out",
    "live",
    "  tool          Bash",
    "  times         12",
    "  fetched back  3 times",
    "live",
    "  tool   Read",
    "  times  4",
  ]);
});

test("a table without rows is not shown", () => {
  expect(tableLines(plain, rows.slice(0, 1), 80)).toEqual([]);
});

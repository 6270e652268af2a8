// Lines are read without what stands before each of them, and what is found keeps its place.
import { expect, test } from "bun:test";
import { findBehindPrefixes, opensBelow } from "../../src/privacy/redact/encoded.ts";

/** What the finder is given to read below the name that ends where the first line's bar stands. */
function readBelow(text: string): string[] {
  const place = text.indexOf("¦");
  const views: string[] = [];
  findBehindPrefixes(text.replace("¦", ""), [place], (view) => {
    views.push(view);
    return [];
  });
  return views;
}

test.each([
  ["a quoted mail", "> secret¦:\n>   x1\n> y", ["secret:\n  x1\ny\n"]],
  ["grep with numbers", "a/b.tf:9:token¦ {\na/b.tf:10:  x\nc", ["token {\n  x\n"]],
  ["a log", "2026-01-02 03:04:05 INFO  key¦:\n2026-01-02 03:04:06 INFO  z\n", ["key:\nz\n"]],
  ["numbers in a column", " 9| # key¦:\n10| # z", ["key:\nz\n"]],
  ["a text in quotes", '{"out": "# key¦:\n# z"}', ['key:\nz"}\n']],
  ["a list of lines", "# key¦:\n\uf8ff# z", ["key:\nz\n"]],
  ["nothing in common", "password¦:\nx1", []],
  ["indented alike", "    password¦:\n    x1", []],
  ["numbers of a listing", "  7→key¦:\n  8→z", []],
  ["a value behind the name", "# key¦ = abc\n# z", []],
])("%s", (_, text, views) => {
  expect(readBelow(text)).toEqual(views);
});

test("what is found below stands where it stood", () => {
  const text = "web-1  | pass:\nweb-1  |   rosebud\nweb-1  | end";
  const found = findBehindPrefixes(text, [text.indexOf(":")], (view) => {
    const start = view.indexOf("rosebud");
    return [{ start, end: start + "rosebud".length, kind: "password", rule: "r" }];
  });
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["rosebud"]);
});

test.each([
  ["key:\n", true],
  ['key": |\nx', true],
  ["key</td>\n", true],
  ["key | role |", true],
  ["key,role", true],
  ["key is\n", true],
  ["key", true],
  ["key is here\n", false],
  ["key, and more", false],
  ["key = value", false],
])("behind %j something may follow below: %p", (text, opens) => {
  expect(opensBelow(text, "key".length)).toBe(opens);
});

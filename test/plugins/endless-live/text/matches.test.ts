// Search results grouped by file: which lines are whose, what is shown of each file, what is counted.
import { describe, expect, test } from "bun:test";
import { shortenMatches } from "../../../../plugins/endless-live/text/matches.ts";
import { defaultPolicy } from "../cases.ts";

const matches = (lines: readonly string[], more: Partial<typeof defaultPolicy> = {}) =>
  shortenMatches(lines.join("\n"), { ...defaultPolicy, ...more }, { command: "" });
const told = (lines: readonly string[], more?: Partial<typeof defaultPolicy>) =>
  matches(lines, more)?.text.split("\n");
/** Matches of one file in the lines 1, 2, …. */
const inFile = (path: string, count: number, text = "total") =>
  Array.from({ length: count }, (_, at) => `${path}:${at + 1}:${text}`);

test("a file with one match is one line, with more it is named once", () => {
  expect(matches(["src/a.ts:3:one", "src/b.ts:4:two", "src/b.ts:9:three"])).toEqual({
    text: "src/a.ts:3:one\nsrc/b.ts:\n4:two\n9:three",
    leftOut: "only repeated paths",
    how: "grouped matches by file",
  });
});

test("context and gaps stay in their places; empty lines and a gap at the end go", () => {
  const lines = ["a.ts-2-before", "a.ts:3:one", "a.ts-4-after", "--", "", "a.ts:9:two", "--"];
  expect(told(lines)).toEqual(["a.ts:", "2-before", "3:one", "4-after", "--", "9:two"]);
});

test("a match that comes back to a file is told with it", () => {
  expect(told(["a.ts:1:x", "b.ts:1:y", "a.ts:7:z"])).toEqual(["a.ts:", "1:x", "7:z", "b.ts:1:y"]);
});

describe("whose line it is", () => {
  test.each<[string, string[], string[]]>([
    [
      "a path with a place's form in its name",
      ["v-12-a/b.ts:4:x", "v-12-a/b.ts-5-y", "v-12-a/b.ts-6-z"],
      ["v-12-a/b.ts:", "4:x", "5-y", "6-z"],
    ],
    [
      "context that is told by the absolute path of what matches tell by the relative one",
      ["/home/ada/shop/src/a.ts-1-before", "src/a.ts:2:x", "/home/ada/shop/src/a.ts-3-after"],
      ["src/a.ts:", "1-before", "2:x", "3-after"],
    ],
    [
      "the same on Windows",
      ["C:\\shop\\src\\a.ts-1-before", "src\\a.ts:2:x", "C:\\shop\\src\\a.ts-3-after"],
      ["src\\a.ts:", "1-before", "2:x", "3-after"],
    ],
    [
      "context before its match, at the path that the match knows",
      ["v-12-a/b.ts-3-y", "v-12-a/b.ts:4:x"],
      ["v-12-a/b.ts:", "3-y", "4:x"],
    ],
    [
      "a path that begins as the one before",
      ["src/a.ts:1:x", "src/a.tsx:2:y", "src/a.ts:3:z"],
      ["src/a.ts:", "1:x", "3:z", "src/a.tsx:2:y"],
    ],
    ["a drive's letter", ["C:/a/b.ts:3:x", "C:/a/b.ts-4-y"], ["C:/a/b.ts:", "3:x", "4-y"]],
    [
      "matches whose text looks like a path with a number",
      ["src/a.ts:1:see src/b.ts:9:there", "src/a.ts:2:x-3-y"],
      ["src/a.ts:", "1:see src/b.ts:9:there", "2:x-3-y"],
    ],
    [
      "context before any match, at the shortest path",
      ["src/a.ts-1-b-2-c", "src/a.ts-2-d", "src/z.ts:1:x"],
      ["src/a.ts:", "1-b-2-c", "2-d", "src/z.ts:1:x"],
    ],
    ["lines without a path", ["3:x", "4-y", "--", "9:z"], ["3:x", "4-y", "--", "9:z"]],
    ["names without a number", ["src/a.ts:one", "src/a.ts:two"], ["src/a.ts:", "one", "two"]],
  ])("%s", (_, lines, wanted) => {
    expect(told(lines)).toEqual(wanted);
  });

  test("a tenth of lines of another form goes with the file before it; more, and it is no search", () => {
    const many = [...inFile("a.ts", 18), "and its second line", "b.ts:1:x"];
    expect(told(many)?.slice(-2)).toEqual(["and its second line", "b.ts:1:x"]);
    expect(told([...many.slice(0, -1), "a second", "a third", "b.ts:1:x"])).toBeUndefined();
    expect(told(["a word", "and another"])).toBeUndefined();
    expect(told([])).toBeUndefined();
  });

  test("a word without a dot or slash, or one of over 300 characters, is no path", () => {
    const long = (length: number) => `${"x".repeat(length - 3)}.ts`;
    expect(told(["12:30:00", "word:3:x", "other:4:y"].slice(1))).toBeUndefined();
    expect(told([`${long(300)}:1:x`])).toEqual([`${long(300)}:1:x`]);
    expect(told([`${long(301)}:1:x`])).toBeUndefined();
  });
});

describe("folders", () => {
  const one = (path: string) => `${path}:1:x`;
  test("one that four in a row lie in is written once", () => {
    expect(told(["a", "b", "c", "d"].map((name) => one(`src/${name}.ts`)))).toEqual([
      ...["in src/", "a.ts:1:x", "b.ts:1:x", "c.ts:1:x", "d.ts:1:x"],
    ]);
    expect(told(["a", "b", "c"].map((name) => one(`src/${name}.ts`)))).toEqual([
      ...["src/a.ts:1:x", "src/b.ts:1:x", "src/c.ts:1:x"],
    ]);
  });

  test("what comes after it is not taken to lie in it, an absolute path needs no word for that", () => {
    const four = ["a", "b", "c", "d"].map((name) => one(`src/${name}.ts`));
    expect(told([...four, one("/tmp/x.ts"), one("lib/y.ts"), one("z.ts")])?.slice(5)).toEqual([
      ...["/tmp/x.ts:1:x", "in ./", "lib/y.ts:1:x", "z.ts:1:x"],
    ]);
  });

  test("files beside each other at the top have no folder to write", () => {
    const top = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"].map(one);
    expect(told(top)).toEqual(top);
  });
});

describe("what is left out", () => {
  test("nothing, where all fits, were there ever so many", () => {
    expect(told(inFile("a.ts", 100))).toHaveLength(101);
  });

  test("matches after the first of each file, counted with their lines; context counts too", () => {
    const lines = inFile("src/a.ts", 30).flatMap((line, at) => [line, `src/a.ts-${100 + at}-near`]);
    const short = matches(lines, { searchCharacters: 10, matchesPerFile: 2 });
    expect(short?.text.split("\n")).toEqual([
      ...["src/a.ts:", "1:total", "100-near", "2:total", "101-near"],
      `… 56 more lines, matches in lines ${Array.from({ length: 20 }, (_, at) => at + 3).join(", ")}, …`,
    ]);
    expect(short?.leftOut).toBe("56 of 60 lines");
  });

  test("no more than must be: halves from 64 on, down to the policy's least, one at least", () => {
    const lines = inFile("a.ts", 200, "x".repeat(20));
    const shown = (searchCharacters: number, matchesPerFile: number) =>
      (told(lines, { searchCharacters, matchesPerFile })?.length ?? 0) - 2;
    expect([shown(1_800, 3), shown(1_000, 3), shown(400, 3), shown(10, 3), shown(10, 0)]).toEqual([
      ...[64, 32, 8, 3, 1],
    ]);
    expect(matches(lines, { searchCharacters: 1_800 })?.leftOut).toBe("136 of 200 lines");
  });

  test("one line more is one line; twenty of them are all told", () => {
    const last = (count: number) =>
      told(inFile("a.ts", count), { searchCharacters: 5, matchesPerFile: 1 })?.at(-1);
    expect(last(2)).toBe("… 1 more line, matches in lines 2");
    expect(last(21)).toMatch(/^… 20 more lines, matches in lines 2, .*, 21$/);
    expect(last(22)).toMatch(/ 21, …$/);
  });

  test("a gap between matches that are left out is none, and long lines are cut", () => {
    const lines = ["a.ts:1:x", "--", "a.ts:2:y", "--", "a.ts:3:z"];
    expect(told(lines, { searchCharacters: 5, matchesPerFile: 1 })).toEqual([
      ...["a.ts:", "1:x", "… 2 more lines, matches in lines 2, 3"],
    ]);
    expect(told(lines, { searchCharacters: 5, matchesPerFile: 2 })).toEqual([
      ...["a.ts:", "1:x", "--", "2:y", "… 1 more line, matches in lines 3"],
    ]);
    expect(told([`a.ts:1:${"x".repeat(600)}`])?.[0]).toEndWith("… (+102 characters)");
  });
});

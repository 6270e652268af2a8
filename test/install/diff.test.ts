// What `--dry-run` shows of a change: the lines that differ, a little of what is around them, and nothing else.
import { expect, test } from "bun:test";
import { diffLines } from "../../src/install/file-change.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

test("nothing where nothing differs, be it only in the ends of lines", () => {
  expect(diffLines("a\nb\n", "a\nb\n")).toEqual([]);
  expect(diffLines("a\r\nb\r\n", "a\nb").filter((line) => !line.startsWith(" "))).toEqual([]);
});

test("a line put in stands with three lines before and after it", () => {
  const before = numbered(12);
  const after = before.toSpliced(6, 0, "new");
  expect(diffLines(text(before), text(after))).toEqual([
    ...["  line 3", "  line 4", "  line 5"],
    "+ new",
    ...["  line 6", "  line 7", "  line 8"],
  ]);
});

test("a line changed is the old one, then the new one", () => {
  expect(diffLines("a\nb\nc\n", "a\nB\nc\n")).toEqual(["  a", "- b", "+ B", "  c"]);
});

test("two changes far from each other have a mark where lines are left out between them", () => {
  const before = numbered(20);
  const after = before.toSpliced(1, 1).toSpliced(17, 0, "new");
  expect(diffLines(text(before), text(after))).toEqual([
    ...["  line 0", "- line 1", "  line 2", "  line 3", "  line 4", "  …"],
    ...["  line 15", "  line 16", "  line 17", "+ new", "  line 18", "  line 19"],
  ]);
});

test("what stays is as much as can stay", () => {
  expect(diffLines("a\nb\nc\nd\n", "b\nx\nd\ne\n")).toEqual([
    ...["- a", "  b", "- c", "+ x", "  d", "+ e"],
  ]);
});

test("a file that is made or emptied is all new, or all gone", () => {
  expect(diffLines("", "a\nb\n")).toEqual(["+ a", "+ b"]);
  expect(diffLines("a\nb\n", "")).toEqual(["- a", "- b"]);
});

// Text that fits, lines up and reads well.
import { describe, expect, test } from "bun:test";
import { ago, columns, endOf, fit, size, width, wrap } from "../../../src/cli/terminal/layout.ts";

describe("layout", () => {
  test("columns line up, whatever their letters and colours are", () => {
    const red = "\u001b[31mred\u001b[39m";
    expect(
      columns([
        ["a", "日本", red, "end"],
        ["long", "x", "y", "z "],
      ]),
    ).toEqual([`a     日本  ${red}  end`, "long  x     y    z"]);
    expect(columns([])).toEqual([]);
  });

  test("paths lose their beginnings where a table is too wide, and nothing else does", () => {
    const rows = [
      ["By project", "sessions", "saved"],
      ["/home/ann/projects/shop-worktrees/basket", "3", "12k"],
      ["/tmp", "1", "0"],
    ];
    expect(columns(rows, 44)).toEqual([
      "By project               sessions  saved",
      "…/shop-worktrees/basket  3         12k",
      "/tmp                     1         0",
    ]);
    expect(columns(rows, 200)).toEqual(columns(rows));
    const letters = "abcdefghijklmnopqrstuvwxyz";
    expect(columns([[letters, "12345", "12345"]], 36)).toEqual([
      "…fghijklmnopqrstuvwxyz  12345  12345",
    ]);
    expect(columns([[letters, "12345", "12345"]], 40)).toEqual([`${letters}  12345  12345`]);
    expect(columns([["  /a/very/long/path/to/somewhere", "1"]], 10)).toEqual([
      "  …/to/somewhere  1",
    ]);
  });

  test.each([
    ["hello", 5],
    ["日本", 4],
    ["e\u0301", 1],
    ["\u001b[1mbold\u001b[22m", 4],
    ["👍", 2],
    ["e\u0301a\u0300o\u0302", 3],
    ["日本語", 6],
    ["", 0],
  ])("%p takes %p columns", (text, expected) => {
    expect(width(text)).toBe(expected);
  });

  test("a line is cut at its width, and only where there is one", () => {
    const long = "one two\nthree ".repeat(30);
    expect(width(fit(long, 40))).toBeLessThanOrEqual(40);
    expect(fit(long, undefined)).not.toContain("\n");
    expect(fit(long, undefined).length).toBeGreaterThan(300);
    expect(width(fit("漢字".repeat(40), 41))).toBeLessThanOrEqual(41);
    expect(fit("short", 40)).toBe("short");
  });

  test("a word as long as the room stays in its line; without a width lines have a hundred characters", () => {
    expect(wrap("aaaa bbbb", 9)).toEqual(["aaaa bbbb"]);
    expect(wrap("aaaa bbbb", 8)).toEqual(["aaaa", "bbbb"]);
    expect(wrap("a\n\n b", 9, " ")).toEqual([" a", "", "  b"]);
    const long = "x".repeat(49);
    expect(wrap(`${long}  ${long} y`, undefined)).toEqual([`${long} ${long}`, "y"]);
    expect(wrap("", 9, "  ")).toEqual([""]);
    expect(wrap("if a:\n    b  # c\n\tlonger than room", 11, " ")).toEqual([
      ...[" if a:", "     b  # c"],
      ...[" longer", " than room"],
    ]);
  });

  test("the end of a path keeps its indent, and begins with a whole name where that leaves enough", () => {
    expect(endOf("/a/b", 4)).toBe("/a/b");
    expect(endOf("/home/ann/x", 8)).toBe("…e/ann/x");
    expect(endOf("  /home/ann/x", 8)).toBe("  …ann/x");
    expect(endOf("/projects/a-rather-long-name", 24)).toBe("…/a-rather-long-name");
    expect(endOf("/projects/short", 12)).toBe("…jects/short");
  });

  test("wrapping keeps words, paragraphs and over-long words whole", () => {
    expect(wrap("a bb ccc\ndddddddddddd e", 8, "  ")).toEqual([
      "  a bb",
      "  ccc",
      "  dddddddddddd",
      "  e",
    ]);
  });

  test.each([
    [0, "just now"],
    [59_000, "just now"],
    [60_000, "1m ago"],
    [3 * 3_600_000, "3h ago"],
    [26 * 3_600_000, "1d ago"],
    [15 * 86_400_000, "2w ago"],
    [800 * 86_400_000, "2y ago"],
    [3_599_999, "59m ago"],
    [3_600_000, "1h ago"],
    [86_400_000, "1d ago"],
    [6 * 86_400_000, "6d ago"],
    [7 * 86_400_000, "1w ago"],
    [29 * 86_400_000, "4w ago"],
    [30 * 86_400_000, "1mo ago"],
    [364 * 86_400_000, "12mo ago"],
    [365 * 86_400_000, "1y ago"],
    [-5_000, "just now"],
  ])("%p ms: %s", (passed, text) => {
    expect(ago(1_000_000 - passed, 1_000_000)).toBe(text);
  });

  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [116_000_000, "116 MB"],
    [2_950_000_000, "3.0 GB"],
    [9_940, "9.9 kB"],
    [10_000, "10 kB"],
    [999_000, "999 kB"],
    [1_000_000, "1.0 MB"],
    [5e12, "5.0 TB"],
    [5e15, "5000 TB"],
  ])("%p bytes: %s", (bytes, text) => {
    expect(size(bytes)).toBe(text);
  });
});

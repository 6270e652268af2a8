// Text that fits, lines up and reads well.
import { describe, expect, test } from "bun:test";
import { ago, columns, fit, size, width, wrap } from "../../../src/cli/terminal/layout.ts";

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
  ])("%p bytes: %s", (bytes, text) => {
    expect(size(bytes)).toBe(text);
  });
});

// Names that changes touched, over languages.
import { describe, expect, test } from "bun:test";
import { definedOn, touchedSymbols } from "../../src/evidence/symbols.ts";

describe("the name on a line", () => {
  test.each([
    ["export async function loadCart(id: string): Promise<Cart> {", "loadCart"],
    ["func (s *Store) Get(ctx context.Context) error {", "Get"],
    ["    def total(self, items):", "total"],
    ["pub(crate) fn parse_line<'a>(text: &'a str) -> Line {", "parse_line"],
    ["class CartView extends View {", "CartView"],
    ["type Cart struct {", "Cart"],
    ["export const maxItems = 20;", "maxItems"],
    ["  async remove(item: Item): Promise<void> {", "remove"],
    ["  public static int parse(String text) {", "parse"],
    ["defmodule Shop.Cart do", "Shop.Cart"],
    ["  if (cart.isEmpty()) {", undefined],
    ["if len(items) > 0 {", undefined],
    ["} else if (x) {", undefined],
    ["  return total(items);", undefined],
    ["  for (const item of items) {", undefined],
    ["# a comment", undefined],
    ['  test("adds an item", async () => {', undefined],
    ["\tRunForAll(t, func(t *testing.T, env *TestEnv) {", undefined],
    ["  cart.on(item, function () {", undefined],
    ["  each(visit: (item: Item) => void): void {", "each"],
    ["const local = 1;".padStart(20), undefined],
  ])("%s", (line, wanted) => {
    expect(definedOn(line)).toBe(wanted as string | undefined);
  });
});

test.each(
  "if else elif for foreach while switch case catch try do with return match when unless until await new throw using lock select defer go".split(
    " ",
  ),
)("the head of a block names nothing: %s", (word) => {
  expect(definedOn(`  ${word} (some thing) {`)).toBeUndefined();
  expect(definedOn(`} ${word} (thing) {`)).toBeUndefined();
});

test.each(
  "function func fun fn def defp class struct interface enum trait type module namespace impl record protocol object extension".split(
    " ",
  ),
)("a word that many languages put before a name: %s", (word) => {
  expect(definedOn(`${word} Cart`)).toBe("Cart");
});

test.each([
  ["const a = 1", undefined],
  ["pub static mut count: u8 = 1", "count"],
  ["export let total = 1", "total"],
  ["var x1 = 2", "x1"],
  ["val größe = 2", "größe"],
  [`function ${"x".repeat(300)}`, undefined],
])("%s names %p", (line, name) => {
  expect(definedOn(line)).toBe(name as string | undefined);
});

test.each([
  ["## About carts ##", "About carts"],
  ["####### seven", undefined],
  ["# x", undefined],
  ["#tag", undefined],
  ["function cart() {", undefined],
])("in a document %s names %p", (line, name) => {
  expect(definedOn(line, true)).toBe(name as string | undefined);
});

test("a change inside a function touches the function around it", () => {
  const original = [
    "function first() {",
    "  one();",
    "}",
    "function second() {",
    "  two();",
    "  three();",
    "}",
  ];
  const response = {
    originalFile: original.join("\n"),
    structuredPatch: [{ oldStart: 5, lines: ["-  two();", "+  deux();", "   three();"] }],
  };
  expect(touchedSymbols(response, "x.ts", 10)).toEqual(["second"]);
});

const patchOf = (lines: string[], original: string[] = [], oldStart = 1) => ({
  originalFile: original.join("\n"),
  structuredPatch: [{ oldStart, lines }],
});

test("what is added behind a function is not inside it", () => {
  const go = [
    " \treturn nil",
    " }",
    " ",
    "+// Fresh is new.",
    "+func Fresh() error {",
    "+\treturn nil",
    "+}",
  ];
  expect(touchedSymbols(patchOf(go), "x.go", 10)).toEqual(["Fresh"]);
  const original = ["func Old() {", "\tone()", "\ttwo()", "\tthree()", "}", "", "var ready = true"];
  const behind = [
    " \tthree()",
    " }",
    " ",
    "-var ready = true",
    "+// ready is told by a test.",
    "+var isReady = true",
  ];
  expect(touchedSymbols(patchOf(behind, original, 4), "x.go", 10)).toEqual(["ready", "isReady"]);
  const python = [" def old():", "     return 1", " ", "+# said of nothing", "+TABLE_OF_NAMES = 3"];
  expect(touchedSymbols(patchOf(python), "x.py", 10)).toEqual([]);
});

test("a function is around no line of the one that was put before it, nor of the one behind", () => {
  const lines = [
    " func first() {",
    "+\tone()",
    " }",
    " ",
    "+func second() {",
    "+\ttwo()",
    "+}",
    "+",
    " func third() {",
    " \tthree()",
    " }",
  ];
  expect(touchedSymbols(patchOf(lines), "x.go", 10)).toEqual(["first", "second"]);
});

test("the innermost definition is around a line, whatever blocks and lists of parameters lie between", () => {
  const original = [
    "class Cart {",
    "  add(",
    "    item: Item,",
    "  ) {",
    "    if (item.isOld) {",
    "      drop();",
    "    } else {",
    "      keep();",
    "    }",
    "  }",
    "  size = 0;",
    "}",
  ];
  expect(
    touchedSymbols(patchOf(["-      keep();", "+      keep(item);"], original, 8), "x.ts", 10),
  ).toEqual(["Cart"]);
  expect(
    touchedSymbols(patchOf(["-  size = 0;", "+  size = 1;"], original, 11), "x.ts", 10),
  ).toEqual(["Cart"]);
  const signature = [
    " func Run(",
    " \tctx context.Context,",
    "-) error {",
    "+) (int, error) {",
    " \treturn nil",
  ];
  expect(touchedSymbols(patchOf(signature), "x.go", 10)).toEqual(["Run"]);
});

test("a section that is added touches the sections above it that it is a part of", () => {
  const lines = [
    " # Guide",
    " ",
    " ## Overview",
    " Text.",
    "+",
    "+## Levels",
    "+Text.",
    "+",
    "+### Debug",
    "+More.",
  ];
  expect(touchedSymbols(patchOf(lines), "x.md", 10)).toEqual(["Guide", "Levels", "Debug"]);
});

test("context lines name it where the file is not told, and new definitions are named", () => {
  const response = {
    structuredPatch: [
      {
        oldStart: 1,
        lines: [" def around():", "-    pass", "+    return 1", "+def fresh():", "+    pass"],
      },
    ],
  };
  expect(touchedSymbols(response, "x.py", 10)).toEqual(["around", "fresh"]);
});

test("a comment of a script in a document names nothing", () => {
  const originalFile = "# Setup\n\n```sh\n# Run linter\nnpm run lint\n# Build\n```\n\n## Use\n";
  const patch = (oldStart: number, lines: string[]) => ({
    originalFile,
    structuredPatch: [{ oldStart, lines }],
  });
  const names = (oldStart: number, ...lines: string[]) =>
    touchedSymbols(patch(oldStart, lines), "README.md", 9);
  expect(names(5, "-npm run lint", "+bun run lint", " # Build", "+bun run build")).toEqual([
    "Setup",
  ]);
  expect(names(8, " ", "+```sh", "+# Type check", "+```", " ## Use", "+More")).toEqual([
    "Setup",
    "Use",
  ]);
});

test("a fence that was taken away hides nothing any more", () => {
  const lines = [" ## Use", "-```", "+### Deeper", "-```"];
  const response = { structuredPatch: [{ oldStart: 1, lines }] };
  expect(touchedSymbols(response, "README.md", 10)).toEqual(["Use", "Deeper"]);
});

test("headings name a document's parts; odd shapes name nothing", () => {
  const response = { structuredPatch: [{ oldStart: 1, lines: [" ## Setup", "+npm ci"] }] };
  expect(touchedSymbols(response, "README.md", 10)).toEqual(["Setup"]);
  for (const odd of [undefined, "x", { structuredPatch: [3, { lines: [4] }] }])
    expect(touchedSymbols(odd, "a.ts", 10)).toEqual([]);
});

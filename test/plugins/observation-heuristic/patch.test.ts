// Patches and definitions: which names came, went, or were changed inside.
import { describe, expect, test } from "bun:test";
import {
  changeFacts,
  changeSentence,
  fileChanges,
} from "../../../plugins/observation-heuristic/change-facts.ts";
import { patchFromHunks, patchFromTexts } from "../../../plugins/observation-heuristic/patch.ts";
import type { ChangeStep } from "../../../plugins/observation-heuristic/step.ts";
import { definitionOn } from "../../../plugins/observation-heuristic/symbols.ts";

describe("definitions in many languages", () => {
  const lines: Array<[string, string | undefined, boolean?]> = [
    ["export async function load(path: string) {", "load"],
    ["export default class CartStore extends Store {", "CartStore"],
    ["export const limit = 5;", "limit"],
    ["const handler = async (event) => {", "handler"],
    ["export type Cart<Item> = {", "Cart"],
    ["func (s *Server) Start(ctx context.Context) error {", "Start"],
    ["type Store interface {", "Store"],
    ["    async def fetch_all(self):", "fetch_all"],
    ["pub(crate) fn parse(input: &str) -> Ast {", "parse"],
    ["  defp normalize(value) do", "normalize"],
    ["defmodule Shop.Cart do", "Shop.Cart"],
    ["    public static void main(String[] args) {", undefined],
    ["    private int countItems(List<Item> items) {", "countItems"],
    ["CREATE TABLE IF NOT EXISTS orders (", "orders"],
    ['  test("adds a line", () => {', "adds a line"],
    ["## Getting started", "Getting started", true],
    ["## Getting started", undefined],
    ["  return total(items);", undefined],
    ["  if (ready) {", undefined],
    ["import { a } from './a';", undefined],
  ];
  test.each(lines)("%s", (line, name, document = false) => {
    expect(definitionOn(line, document)?.name).toBe(name);
  });
});

test("hunks name what is new, gone, and changed inside", () => {
  const original = "export function keep() {\n  return 1;\n}\nexport function old() {}\n";
  const hunk = {
    oldStart: 1,
    lines: [
      " export function keep() {",
      "-  return 1;",
      "+  return 2;",
      " }",
      "-export function old() {}",
      "+export function fresh() {}",
    ],
  };
  const patch = patchFromHunks([hunk], original, false);
  expect(patch?.defined.map((one) => one.name)).toEqual(["fresh"]);
  expect(patch?.dropped.map((one) => one.name)).toEqual(["old"]);
  expect(patch?.touched.map((one) => one.name)).toEqual(["keep"]);
});

test("the enclosing function is found in the original file", () => {
  const original = `func (s *Server) Start() error {\n${"\tstep()\n".repeat(30)}}\n`;
  const patch = patchFromHunks(
    [{ oldStart: 20, lines: ["-\tstep()", "+\tother()"] }],
    original,
    false,
  );
  expect(patch?.touched.map((one) => one.name)).toEqual(["Start"]);
});

test("without hunks, old and new text are compared line by line", () => {
  const patch = patchFromTexts("a\nb\nb\nc", "a\nb\nd\nc", false);
  expect(patch.added).toEqual(["d"]);
  expect(patch.removed).toEqual(["b"]);
});

describe("sentences on files", () => {
  const step = (change: Partial<ChangeStep>): ChangeStep => ({
    kind: "change",
    id: "t",
    time: 0,
    path: "src/a.ts",
    action: "edited",
    added: [],
    removed: [],
    defined: [],
    dropped: [],
    touched: [],
    ...change,
  });
  const fn = (name: string) => ({ name, what: "function" as const });

  test("edits of one file are merged; what came and went again is not told", () => {
    const files = fileChanges([
      step({ defined: [fn("draft")], added: ["function draft() {}"] }),
      step({
        dropped: [fn("draft")],
        removed: ["function draft() {}"],
        defined: [fn("total")],
        added: ["function total() {}"],
      }),
    ]);
    expect(files).toHaveLength(1);
    expect(files.map((file) => changeSentence(file))).toEqual([
      "src/a.ts: added total (+2 -1 lines)",
    ]);
  });

  test("renames, moves and deletions", () => {
    expect(
      changeSentence(
        fileChanges([
          step({
            defined: [fn("fetchUser")],
            dropped: [fn("getUser")],
            added: ["x"],
            removed: ["y"],
          }),
        ])[0] ?? never(),
      ),
    ).toBe("src/a.ts: renamed getUser to fetchUser (+1 -1 lines)");
    expect(
      changeSentence(fileChanges([step({ action: "moved", from: "src/b.ts" })])[0] ?? never()),
    ).toBe("src/b.ts was moved to src/a.ts");
    expect(changeSentence(fileChanges([step({ action: "deleted" })])[0] ?? never())).toBe(
      "src/a.ts was deleted",
    );
  });

  test("a setting is told by its line", () => {
    expect(
      changeSentence(
        fileChanges([
          step({ path: "config/prod.yaml", added: ["  retries: 5"], removed: ["  retries: 3"] }),
        ])[0] ?? never(),
      ),
    ).toContain("retries: 5");
  });

  test("locks and build output give no fact", () => {
    expect(
      changeFacts(
        fileChanges([step({ path: "package-lock.json", added: ["x"], defined: [fn("x")] })]),
      ),
    ).toEqual([]);
  });
});

function never(): never {
  throw new Error("no file");
}

// How much of a huge turn is kept, and what says so.
import { describe, expect, test } from "bun:test";
import { filesLimit } from "../../src/evidence/tools.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { edit, lines, run, tool, turn, word } from "./made-turn.ts";

describe("bounds", () => {
  const bytes = (made: NewTurn) => JSON.stringify(made).length;

  test("a prompt of 5 MB and a closing message of 200 KB are shortened, and say so", () => {
    const log = "error: something failed here\n".repeat(180_000);
    const made = turn(
      word("prompt", `Why does this fail?\n${log}What do I do?`),
      word("said", "A sentence. ".repeat(17_000)),
    );
    const [prompt, closing] = made.pieces;
    expect(prompt?.text.startsWith("Why does this fail?")).toBe(true);
    expect(prompt?.text.endsWith("What do I do?")).toBe(true);
    for (const piece of [prompt, closing]) {
      expect(piece?.text).toContain("…");
      expect(piece?.shortened).toBeGreaterThan(100_000);
    }
    expect(bytes(made)).toBeLessThan(200_000);
  });

  test("of 10,000 refusals the first and the last stay, and the others are counted", () => {
    const refusals = Array.from({ length: 10_000 }, (_, n) => [
      word("said", `Try ${n}`),
      word("refused", `No, number ${n}`, { about: "x ".repeat(3_000) }),
    ]).flat();
    const made = turn(word("prompt", "Go"), ...refusals);
    const kept = made.pieces.filter(({ kind }) => kind === "refusal");
    expect(made.pieces[0]?.text).toBe("Go");
    expect([kept[0]?.text, kept.at(-1)?.text]).toEqual(["No, number 0", "No, number 9999"]);
    expect((made.leftOut?.refusal ?? 0) + kept.length).toBe(10_000);
    expect(bytes(made)).toBeLessThan(900_000);
  });

  test("a turn that is too large gives up commands before words", () => {
    const moments = Array.from({ length: 400 }, (_, n) => [
      word("said", `${n} `.repeat(1_000)),
      run(`command ${n} ${"x".repeat(900)}`, "y".repeat(300)),
    ]).flat();
    const made = turn(word("prompt", "Go"), ...moments, word("said", "Done."));
    expect(made.pieces.at(-1)).toMatchObject({ kind: "closing", text: "Done." });
    expect(made.leftOut?.passed).toBeGreaterThan(300);
    expect(bytes(made)).toBeLessThan(500_000);
  });

  test("binary text and odd shapes are no reason to fail", () => {
    const made = turn(
      word("prompt", "\u0000\ud800 binary"),
      tool("Bash", null, { response: 7 }),
      tool("Edit", { file_path: 3 }, { response: [null] }),
      tool("AskUserQuestion", { questions: "x" }, { response: { answers: [1] } }),
      tool("TodoWrite", { todos: {} }),
      tool("Task", "x", { response: { content: [{ image: 1 }] } }),
      tool(
        "mcp__db__query",
        { sql: "select 1", rows: [1] },
        { response: [{ type: "text", text: "1" }] },
      ),
    );
    expect(lines(made)).toContain("passed: mcp__db__query sql=select 1: 1");
  });
});

test("one file too many is counted, and a turn that lost nothing says nothing of it", () => {
  const edits = (count: number) => Array.from({ length: count }, (_, i) => edit(`f${i}.ts`));
  const kept = turn(...edits(2)).files.length;
  expect(kept).toBe(2);
  expect(turn(...edits(filesLimit)).leftOut).toBeUndefined();
  const made = turn(...edits(filesLimit + 1));
  expect([made.files.length, made.leftOut]).toEqual([filesLimit, { files: 1 }]);
  expect(lines(turn(edit("a.ts")))).toEqual([]);
});

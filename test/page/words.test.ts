// Texts as the page shows them: nothing in them acts, and what was looked for is marked.
import { describe, expect, test } from "bun:test";
import { afterTitle, asShown, counted, fieldWords, lasted, marked } from "../../src/page/words.ts";
import { typeWords } from "../../src/sdk/record-texts.ts";
import { asLine, unmarked } from "../../src/text/text.ts";

describe("asShown", () => {
  test.each([
    ["plain\ttext\nin lines", "plain\ttext\nin lines"],
    ["\u001b[31mred\u001b[0m", "⟨001b⟩[31mred⟨001b⟩[0m"],
    ["abc\u202etxt.exe", "abc⟨202e⟩txt.exe"],
    ["\u2066a\u2069", "⟨2066⟩a⟨2069⟩"],
    ["bell\u0007 null\u0000 c1\u009b", "bell⟨0007⟩ null⟨0000⟩ c1⟨009b⟩"],
    ["dos\r\nlines\rhere", "dos\nlines\nhere"],
    ["שלום \u200fעולם 日本語 👩‍👩‍👧", "שלום \u200fעולם 日本語 👩‍👩‍👧"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("%j", (text, shown) => {
    expect(asShown(text)).toBe(shown);
  });
});

describe("marked", () => {
  const hits = (text: string, words: string[]) =>
    marked(text, words).flatMap(({ text: part, isHit }) => (isHit ? [part] : []));
  test.each([
    ["Discounts and the discount", ["discount"], ["Discounts", "discount"]],
    ["recount the count", ["count"], ["count"]],
    ["a.b (c) [d]", ["(c", "a.b"], ["a.b", "(c"]],
    ["日本語の検索", ["検索"], ["検索"]],
    ["Größe und GRÖSSE", ["größe"], ["Größe"]],
    ["nothing", ["", "x"], []],
    ["", ["x"], []],
  ])("%j with %j", (text, words, expected) => {
    expect(hits(text, words)).toEqual(expected);
  });

  test("loses nothing of the text", () => {
    const text = "one two one three one";
    expect(
      marked(text, ["one", "three"])
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});

test("names and counts", () => {
  expect(fieldWords("nextSteps")).toBe("Next steps");
  expect([counted(1, "prompt"), counted(2, "prompt"), counted(0, "entry", "entries")]).toEqual([
    "1 prompt",
    "2 prompts",
    "0 entries",
  ]);
});

describe("afterTitle", () => {
  test.each([
    ["All passes. The suite ran twice.", "All passes", "The suite ran twice."],
    ["All passes", "All passes", ""],
    ["All passes.", "All passes…", ""],
    ["All passes but one.", "All passes", "All passes but one."],
    ["The clock was late", "All passes", "The clock was late"],
    ["2.5 ms faster", "2", "2.5 ms faster"],
    ["", "All passes", ""],
    ["fix the — cart\n\nIt was late", "Fix the - cart", "It was late"],
    ["It works", "", "It works"],
  ])("%j after %j", (text, title, rest) => {
    expect(afterTitle(text, title)).toBe(rest);
  });
});

test.each([
  ["**Auto-commit:** ```go x := 1``` of `a.go`", "Auto-commit: x := 1 of a.go"],
  ["Done. ## Changes ### New", "Done. Changes New"],
  ["2 ** 3 and C# #5", "2 ** 3 and C# #5"],
  [
    "They *could* be folded, src/*.ts and test/*.ts",
    "They could be folded, src/*.ts and test/*.ts",
  ],
])("unmarked %j", (text, plain) => {
  expect(unmarked(text)).toBe(plain);
});

test("how long something took", () => {
  const minute = 60_000;
  expect([0, 38, 60, 72, 24 * 60, 49 * 60].map((minutes) => lasted(minutes * minute))).toEqual([
    "1 min",
    "38 min",
    "1 h",
    "1 h 12 min",
    "1 day",
    "2 days",
  ]);
});

test.each([
  [
    "All pass.\n\n---\n\n## Changes\n\n- `cart.ts` rounds\n- a test",
    "All pass. Changes · cart.ts rounds · a test",
  ],
  ["wrapped at\nsome width", "wrapped at some width"],
  ["| a | b |\n|---|:-:|\n| 1 | 2 |", "a · b · 1 · 2"],
  ["| Mode | Content | |------|:-----:| | full | all of it |", "Mode · Content · full · all of it"],
  ["a | b || c", "a | b || c"],
  ["| 1 | 2 |\n| 3 | 4 |", "1 · 2 · 3 · 4"],
  ["> quoted\r\n> twice\n\nsaid", "quoted · twice · said"],
  ["- first\n- second:\n  - within", "first · second: within"],
  ["---\n\n***", ""],
  ["-1 is less\n#5 closed\n1. one", "-1 is less #5 closed 1. one"],
])("asLine %j", (text, line) => {
  expect(asLine(text)).toBe(line);
});

test.each([
  ["memory", "workflows", "Works here"],
  ["memory", "decisions", "Decision"],
  ["observation", "bugfix", "bugfix"],
  ["turn", "turn", "Turn"],
])("a result of the kind %s and the type %s is called %s", (kind, type, words) => {
  expect(typeWords(kind, type)).toBe(words);
});

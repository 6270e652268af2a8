// Text tools: budgets hold at every length, nothing splits a surrogate pair.
import { describe, expect, test } from "bun:test";
import {
  baseName,
  capitalize,
  countWords,
  cut,
  head,
  limitWords,
  oneLine,
  plural,
  stripAnsi,
  toBmp,
} from "../../src/text/text.ts";

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe("budgets", () => {
  const samples = [
    "the quick brown fox jumps over the lazy dog",
    "🙂🙂🙂🙂🙂 party 🎉🎉🎉 time",
    "aVeryLongIdentifierThatHasNoSpaceAtAllAndGoesOnAndOnAndOn and then more",
    "日本語のテキストはスペースがありません🙂日本語のテキスト",
  ];
  test("head and cut hold their budget at every length and never split a pair", () => {
    for (const sample of samples) {
      for (let max = 0; max <= sample.length + 2; max++) {
        for (const result of [head(sample, max), cut(sample, max)]) {
          expect(result.length).toBeLessThanOrEqual(max);
          expect(loneSurrogate.test(result)).toBe(false);
        }
      }
    }
  });
  test("cut ends at a word where one is near", () => {
    expect(cut("the quick brown fox", 12)).toBe("the quick…");
    expect(cut("the quick brown fox", 10)).toBe("the quick…");
    expect(cut("the quick, brown fox", 13)).toBe("the quick…");
    expect(cut("the quick", 9)).toBe("the quick");
    expect(cut("the quick   brown", 12)).toBe("the quick…");
    expect(cut("the quick (brown fox)", 14)).toBe("the quick…");
    expect(cut("the quick brown fox", 12, " [cut]")).toBe("the [cut]");
    expect(cut("the quick", 1)).toBe("t");
    expect(cut(`a ${"x".repeat(60)}`, 43)).toBe(`a ${"x".repeat(40)}…`);
    expect(cut(`a ${"x".repeat(60)}`, 41)).toBe("a…");
    expect(cut("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
  });
  test("limitWords counts words", () => {
    expect(limitWords("a  b\nc d", 3)).toBe("a b c");
    expect(limitWords("a b, c", 2, "…")).toBe("a b…");
    expect(limitWords("a b", 5)).toBe("a b");
    expect([limitWords("a b", 0, "…"), limitWords("a b", -1)]).toEqual(["…", ""]);
    expect(countWords(" one\ttwo\n three ")).toBe(3);
    expect(countWords("")).toBe(0);
  });
});

test("toBmp replaces what is outside the plane, pairs and halves alike", () => {
  expect(toBmp("a🙂b\ud800c\udc00")).toBe("a\ufffdb\ufffdc\ufffd");
  expect(toBmp("déjà vu 日本")).toBe("déjà vu 日本");
});

test("stripAnsi takes out colours, links and titles, and survives a torn sequence", () => {
  expect(stripAnsi("\u001b[1;31mred\u001b[0m")).toBe("red");
  expect(stripAnsi("\u001b]0;title\u0007text")).toBe("text");
  expect(stripAnsi("\u001b]8;;https://a.b\u001b\\link\u001b]8;;\u001b\\")).toBe("link");
  expect(stripAnsi("end\u001b[")).toBe("end");
  expect(stripAnsi("\u001b(Bplain")).toBe("plain");
});

test("small ones", () => {
  expect(oneLine("  a\r\n\t b  ")).toBe("a b");
  expect(capitalize("éa")).toBe("Éa");
  expect(capitalize("")).toBe("");
  expect(plural(1, "file")).toBe("1 file");
  expect(plural(2, "entry", "entries")).toBe("2 entries");
});

test.each([
  ["src/routes/login.ts", "login.ts"],
  ["C:\\work\\shop", "shop"],
  ["github.com/acme/shop", "shop"],
  ["src/", "src"],
  ["plain", "plain"],
  ["/", "/"],
  ["", ""],
])("the last part of %p is %p", (path, last) => {
  expect(baseName(path)).toBe(last);
});

test("long hostile strings take linear time", () => {
  const hostile = [
    "\u001b[".repeat(200_000),
    "\u001b]".repeat(200_000),
    ".".repeat(300_000),
    " ".repeat(300_000),
    "a. ".repeat(100_000),
    "\n- ".repeat(100_000),
    `${"(".repeat(100_000)} x`,
  ];
  for (const text of hostile) {
    stripAnsi(text);
    oneLine(text);
    cut(text, 5000);
  }
});

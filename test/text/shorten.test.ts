// Shortening keeps both ends, cuts between sentences or lines, and counts what it left out.
import { expect, test } from "bun:test";
import { shorten } from "../../src/text/shorten.ts";

test("a text that fits is whole", () => {
  expect(shorten("  One. Two. ", 20)).toEqual({ text: "One. Two.", leftOut: 0 });
});

test.each([
  ["sentences", Array.from({ length: 200 }, (_, n) => `Sentence number ${n}.`).join(" "), false],
  ["lines", Array.from({ length: 200 }, (_, n) => `line ${n}`).join("\n"), false],
  ["a log", Array.from({ length: 200 }, (_, n) => `test ${n} passed`).join("\n"), true],
  ["one word", "x".repeat(5_000), false],
  ["text without spaces", "这是一个很长的句子。".repeat(500), false],
  ["emoji", "😀".repeat(2_000), false],
])("%s keep both ends within the limit", (_, text, log) => {
  for (const most of [50, 51, 300, 1_001]) {
    const short = shorten(text, most, log);
    const [first = "", last = ""] = short.text.split("\n…\n");
    expect(short.text.length).toBeLessThanOrEqual(most);
    expect(text.startsWith(first)).toBe(true);
    expect(text.endsWith(last)).toBe(true);
    expect(short.text.isWellFormed()).toBe(true);
    expect(first.length + last.length + short.leftOut).toBeGreaterThanOrEqual(text.length - 2);
    expect(first.length + last.length + short.leftOut).toBeLessThanOrEqual(text.length);
  }
});

test("sentences are not cut where they can stay whole", () => {
  const text = Array.from({ length: 90 }, (_, n) => `This is sentence ${n}.`).join(" ");
  const [first = "", last = ""] = shorten(text, 400).text.split("\n…\n");
  expect(first).toMatch(/\.$/);
  expect(last).toMatch(/^This/);
});

test("of a log the end is most of what stays", () => {
  const text = Array.from({ length: 500 }, (_, n) => `step ${n}`).join("\n");
  const [first = "", last = ""] = shorten(text, 300, true).text.split("\n…\n");
  expect(last.length).toBeGreaterThan(first.length);
});

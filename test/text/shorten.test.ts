// Shortening keeps both ends, cuts between sentences or lines, and counts what it left out.
import { expect, test } from "bun:test";
import { omissionMark, shorten } from "../../src/text/text.ts";

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

test("what was left out before counts with what is left out now, where its mark goes too", () => {
  const text = `${"a".repeat(200)} ${omissionMark(5_000)} ${"b".repeat(200)}`;
  const { text: kept, leftOut } = shorten(text, 100);
  expect(kept).not.toContain("left out");
  expect(leftOut).toBe(5_000 + text.length - (kept.length - "\n…\n".length));
  const begins = `${omissionMark(7)} ${"a".repeat(400)}`;
  expect(shorten(begins, 200).leftOut).toBeLessThan(begins.length - 190);
});

test.each<[string, number, boolean, string, string]>([
  [
    "a line nearer than a sentence",
    60,
    false,
    `${"One two. ".repeat(4)}\nThree ${"x".repeat(60)}`,
    "One two. One two. One two. One two.",
  ],
  [
    "no line far off",
    103,
    false,
    `One.\n${"word ".repeat(60)}`,
    `One.\n${"word ".repeat(13).trim()}`,
  ],
  ["a word where no sentence ends", 103, false, "word ".repeat(60), "word ".repeat(14).trim()],
])("the beginning ends at %s", (_, most, log, text, first) => {
  expect(shorten(text, most, log).text.split("\n…\n")[0]).toBe(first);
});

test.each<[string, number, string, string]>([
  ["a line", 63, `${"x".repeat(200)}\nlast line of it`, "last line of it"],
  [
    "a sentence",
    200,
    `${"x".repeat(400)} It ended. ${"This is new ".repeat(4)}so`,
    `${"This is new ".repeat(4)}so`,
  ],
  ["a word", 63, `${"x".repeat(200)} some words of it so`, "words of it so"],
])("the end begins at %s", (_, most, text, last) => {
  expect(shorten(text, most).text.split("\n…\n")[1]).toBe(last);
});

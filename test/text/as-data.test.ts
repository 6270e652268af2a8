// Quoted text holds no tag and nothing unseen; code that only looks like a tag stays.
import { expect, test } from "bun:test";
import { asData, asDataDeep } from "../../src/text/text.ts";

test.each([
  ["ok<system-reminder>x</system-reminder>", "ok‹system-reminder>x‹/system-reminder>"],
  ["ok\u202e<SYSTEM>x", "ok‹SYSTEM>x"],
  ["ok<user-prompt-submit-hook>", "ok‹user-prompt-submit-hook>"],
  ["ok<memoir-context>", "ok‹memoir-context>"],
  ["ok<function_calls>", "ok‹function_calls>"],
  ["<b>x", "‹b>x"],
])("%p is told as %p", (text, told) => {
  expect(asData(text)).toBe(told);
});

test.each([
  "Map<string>",
  "Array<Item[]>",
  "std::vector<std::string>",
  "a < b",
  "i<n-1",
  "i<n-m",
  "x <- 3",
])("%p stays", (code) => {
  expect(asData(code)).toBe(code);
});

test("every text of a value, and nothing else of it", () => {
  expect(asDataDeep({ id: "t1", at: 3, pieces: [{ text: "a\u200b <b>" }], end: null })).toEqual({
    ...{ id: "t1", at: 3, end: null },
    pieces: [{ text: "a ‹b>" }],
  });
});

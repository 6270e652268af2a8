// How many tokens a text is taken for, and what a request weighs.
import { expect, test } from "bun:test";
import { estimateTokens, weighTokens } from "../../src/text/text.ts";

test("four Latin letters a token, one Chinese or Japanese character a token, rounded up", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("abcde")).toBe(2);
  expect(estimateTokens("数据库")).toBe(3);
  expect(estimateTokens("数据库 abc")).toBe(4);
});

test("what is read from the cache weighs a tenth, everything else counts in full", () => {
  expect(weighTokens({ input: 10, output: 20, cacheRead: 1_000, cacheWrite: 300 })).toBe(430);
});

// What a typed query looks for: its words by their stems, its names as a whole, its quoted phrases.
import { expect, test } from "bun:test";
import { parseQuery } from "../../src/search/search.ts";

/** Terms as they are looked for, a name with `=` before it. */
const wanted = (text: string) =>
  parseQuery(text).wanted.map(({ term, isName }) => (isName ? `=${term}` : term));

test.each<[string, string[]]>([
  ["Tokens expired", ["token", "expir"]],
  ["token tokens TOKEN", ["token"]],
  ["where is the token", ["token"]],
  ["what is this", ["what", "is", "thi"]],
  ["refreshToken refreshToken", ["refresh", "=refreshtoken", "token"]],
  ["src/login.ts", ["src", "=src/login.ts", "=login.ts", "login", "ts"]],
  ["on-call rota", ["on", "=oncal", "call", "rota"]],
  ["数据", ["数据"]],
  ["", []],
])("%p looks for %p", (text, terms) => {
  expect(wanted(text)).toEqual(terms);
});

test("a term says how it was typed", () => {
  expect(parseQuery("Tokens").wanted).toEqual([{ term: "token", word: "tokens", isName: false }]);
  expect(parseQuery("refreshToken").wanted[1]).toEqual({
    ...{ term: "refreshtoken", word: "refreshtoken", isName: true },
  });
});

test.each<[string, boolean]>([
  ["what is this", true],
  ["", true],
  ["what is a token", false],
  ["on-call", false],
])("%p says nothing but stop words: %p", (text, onlyStops) => {
  expect(parseQuery(text).onlyStops).toBe(onlyStops);
});

test.each<[string, string[][]]>([
  ['the "session token" expired', [["session", "token"]]],
  [
    "“session token” and «refresh loop»",
    [
      ["session", "token"],
      ["refresh", "loop"],
    ],
  ],
  ['"the session of a token"', [["session", "token"]]],
  ['"token"', []],
  ['"the token"', []],
  ['"session\ntoken"', []],
  ['"session token', []],
  [`"${"long ".repeat(41)}"`, []],
  [`"${"long ".repeat(40)}"`, [Array(40).fill("long")]],
])("%p holds the phrases %p", (text, phrases) => {
  expect(parseQuery(text).phrases).toEqual(phrases);
});

test("of a pasted text what stands far behind, and of many phrases those after the eighth, are left out", () => {
  expect(wanted(`${"x ".repeat(9_999)} far`)).toEqual(["x", "f"]);
  expect(wanted(`${"x ".repeat(9_900)}near`)).toEqual(["x", "near"]);
  const phrases = Array.from({ length: 10 }, (_, i) => `"one two${i}"`).join(" ");
  expect(parseQuery(phrases).phrases).toHaveLength(8);
});

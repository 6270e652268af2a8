// The bounded search finds what a regular expression finds, and never takes long.
import { expect, test } from "bun:test";
import { compileSearch } from "../../../src/runtime/endless/linear-search.ts";

const lines = [
  "",
  "a",
  "error: something failed",
  "src/auth/login.ts:42: FAIL expected 3, got 4",
  "foo(bar) [baz] {1,2} a.b a+b a*b x|y ^start end$",
  "   indented\ttab",
  "aaaaab",
  "2026-11-21T09:14:00Z",
  "ünïcödé and 日本語",
  "café_1 Café",
  "abcabcabc",
  "-",
  "]",
];

test.each([
  "error",
  "FAIL|error",
  "^src/",
  "\\$$",
  "a+b",
  "a{2,4}b",
  "a{6}",
  "a{2,}b",
  "(abc){3}",
  "(?:abc)+$",
  "(?<name>abc)c?",
  "\\d{4}-\\d{2}",
  "[0-9]+:[0-9]+",
  "[^a-z\\s]",
  "[\\w.]+\\.ts",
  "\\bfail",
  "\\bFAIL\\b",
  "\\Bail",
  "^$",
  "^\\s+\\S",
  "a.b",
  "a\\.b",
  "\\(bar\\)",
  "[[]baz[\\]]",
  "\\{1,2\\}",
  "x\\|y",
  "(a|b|)c",
  "(a*)*b",
  "(a|aa)+$",
  "ö",
  "[é-ü]",
  "\\u65e5",
  "\\x61b",
  "\\t",
  "[-x]",
  "[a-]",
  "a*?b",
  "colou?r|e.*d",
  "^[^:]+:\\d+:",
  "\\D\\W\\S",
  ".",
  "(^|x)a",
])("%s finds the same lines", (expression) => {
  const native = new RegExp(expression);
  const search = compileSearch(expression);
  expect(lines.filter((line) => search(line))).toEqual(lines.filter((line) => native.test(line)));
});

test.each([
  "",
  "(",
  ")",
  "[a",
  "*a",
  "a\\",
  "(?=a)",
  "(?<!a)b",
  "(a)\\1",
  "[z-a]",
  "a{5,2}",
  "a{99999}",
  "((a{999}){999}){999}",
  "(((((){1000}){1000}){1000}){1000}){1000}",
  "(?<name",
  "(?<(?<",
  "x".repeat(501),
])("%s is refused", (expression) => {
  expect(() => compileSearch(expression)).toThrow(expect.objectContaining({ code: "usage" }));
});

test.each(["(a+)+$", "^(a|a)*$", "a*a*a*a*a*a*a*b", "(.*a){20}", "(a?){60}a{60}$"])(
  "%s, which would take for ever, does not",
  (expression) => {
    const search = compileSearch(expression);
    expect(search(`${"a".repeat(3_000)}!`)).toBe(expression === "(.*a){20}");
  },
);

test.each(["(\\w?){990}!", `[${"b-z".repeat(160)}]!`])(
  "%s, which costs much at each character, is given up in time",
  (expression) => {
    const search = compileSearch(expression);
    const found = Array.from({ length: 500 }, () => search("a".repeat(1_000)));
    expect(found[0]).toBe(false);
    expect(found.at(-1)).toBeUndefined();
  },
);

// The bounded search finds what a regular expression finds, and never takes long.
import { expect, test } from "bun:test";
import { compileSearch } from "../../../src/runtime/endless/recall.ts";

const still = () => 0;
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
])("%s finds the same lines", async (expression) => {
  const native = new RegExp(expression);
  const search = await compileSearch(expression, still);
  expect(lines.filter((line) => search(line))).toEqual(lines.filter((line) => native.test(line)));
});

test.each([
  ["\\p{L}+ 5999", "zeile ü 5999", "4 5999"],
  ["[[:alpha:]]+ 5999", "row abc 5999", "4 5999"],
  ["(?i)FAIL", "src: Fail", "fai l"],
  ["(?P<name>a)b", "ab", "b"],
])("%s, which JavaScript's own does not know, finds %p and not %p", async (expression, yes, no) => {
  const search = await compileSearch(expression, still);
  expect([search(yes), search(no)]).toEqual([true, false]);
});

test.each([
  ["", "1 to 500"],
  ["(", "missing closing )"],
  [")", "unexpected )"],
  ["[a", "missing closing ]"],
  ["*a", "missing argument"],
  ["a\\", "trailing backslash"],
  ["(?=a)", "unsupported"],
  ["(?<!a)b", "invalid named capture"],
  ["(a)\\1", "invalid escape"],
  ["[z-a]", "range"],
  ["a{5,2}", "repeat count"],
  ["a{99999}", "repeat count"],
  ["((a{999}){999}){999}", "repeat count"],
  ["(((((){1000}){1000}){1000}){1000}){1000}", "too large"],
  ["(?<name", "named"],
  ["(?<(?<", "named"],
  ["x".repeat(501), "1 to 500"],
])("%s is refused by its name, with the reason", async (expression, why) => {
  const refused = await compileSearch(expression, still).catch((error) => error);
  expect(refused).toMatchObject({ code: "usage" });
  expect(refused.message).toContain(`\`${expression.slice(0, 80)}`);
  expect(refused.message).toContain(why);
});

test.each(["(a+)+$", "^(a|a)*$", "a*a*a*a*a*a*a*b", "(.*a){20}", "(a?){60}a{60}$"])(
  "%s, which would take for ever, does not",
  async (expression) => {
    const search = await compileSearch(expression, still);
    expect(search(`${"a".repeat(3_000)}!`)).toBe(expression === "(.*a){20}");
  },
);

test("a search ends after a second, and no text is too much for it alone", async () => {
  let time = 0;
  const search = await compileSearch("(\\w?){990}[!?]", () => time);
  expect(search("a")).toBe(false);
  expect(search("a".repeat(100_000))).toBeUndefined();
  time = 1_001;
  expect(search("a")).toBeUndefined();
});

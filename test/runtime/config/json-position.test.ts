// The fault finder agrees with JSON.parse on what is JSON, on many texts.
import { expect, test } from "bun:test";
import { findJsonFault } from "../../../src/runtime/config/parse.ts";

const good = [
  "{}",
  "[]",
  "null",
  "true",
  "-0",
  "1.5e-7",
  '"a\\u00e9\\n"',
  ' { "a" : [ 1 , { } , [ ] ] , "b" : "c" } ',
  '{"a":{"b":{"c":[[[]]]}}}',
  '"\u2028"',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
];
const bad = [
  "",
  "{",
  "}",
  "[1,]",
  "[,1]",
  "[1 2]",
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  "{a:1}",
  "{'a':1}",
  '"\n"',
  '"\\x"',
  '"\\u12"',
  "01",
  "1.",
  "+1",
  "tru",
  "nul",
  "{}{}",
  "[1]]",
  '{"a":1]',
  "NaN",
  '"open',
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each(good)("%s is JSON", (text) => {
  expect(isJson(text)).toBe(true);
  expect(findJsonFault(text)).toBeUndefined();
});

test.each(bad)("%s is not", (text) => {
  expect(isJson(text)).toBe(false);
  expect(findJsonFault(text)).toBeDefined();
});

test.each<[string, number, number, string]>([
  ['{"a": 1, "b": 2, "a": 3}', 1, 18, "a"],
  ['{\n  "a": { "x": 1 },\n  "b": [{ "x": 1, "x": 1 }]\n}', 3, 19, "x"],
  ['{"a": {"b": 1}, "c": {"b": 1}, "\\u0061": 1}', 1, 32, "a"],
])("%s says something twice, in line %i, column %i", (text, line, column, key) => {
  const message = `there is a second "${key}" beside the first; make one of them`;
  expect(findJsonFault(text)).toEqual({ line, column, message });
});

test("the same key in objects beside or inside each other is no repetition", () => {
  expect(findJsonFault('{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]}')).toBeUndefined();
});

test("every change of one character is judged as JSON.parse judges it", () => {
  const text = '{"a": [1, true, null, "x\\n"], "b": {"c": -2.5e3}}';
  for (let at = 0; at < text.length; at++)
    for (const replacement of ["", ",", '"', "}", "]", ":", "0", "x", " ", "\\", "\n", "-"]) {
      const changed = text.slice(0, at) + replacement + text.slice(at + 1);
      expect([changed, findJsonFault(changed) === undefined]).toEqual([changed, isJson(changed)]);
    }
});

test.each<[string, number, number, string]>([
  ['{\n  "a": 1,\n  "b" 2\n}', 3, 7, 'there is "2" where ":" is wanted'],
  ['{\n  "a": 1,\n}', 3, 1, 'there is "}" where a name in double quotes is wanted'],
  ["{\n  a: 1\n}", 2, 3, 'there is "a" where a name in double quotes is wanted'],
  ['{"a": tru}', 1, 7, 'there is "t" where a value is wanted'],
  ["[1 2]", 1, 4, 'there is "2" where "," or a closing bracket is wanted'],
  ["[1,]", 1, 4, 'there is "]" where a value is wanted'],
  ['{"a": "b', 1, 7, 'there is "\\"" where a string that ends on its line is wanted'],
  ['{"a": 1', 1, 8, 'the file ends where "," or "}" is wanted'],
  ["{} x", 1, 4, 'there is "x" where the end of the file is wanted'],
  ["// a\n{}", 1, 1, 'there is "/" where JSON, which has no comments, is wanted'],
  ["[".repeat(100_000), 1, 1, "it is nested too deeply to be read"],
])("%s is wrong in line %i, column %i", (text, line, column, message) => {
  expect(findJsonFault(text)).toEqual({ line, column, message });
});

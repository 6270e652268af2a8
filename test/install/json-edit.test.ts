// JSON text is changed where it has to be, in its own form, and nowhere else.
import { describe, expect, test } from "bun:test";
import { pushAt, putAt, removeAt, removeEmpty } from "../../src/install/json-edit.ts";

const add = (text: string) => putAt(text, ["new"], [1], "x").text;
const push = (text: string) => pushAt(text, ["list"], "c", "x");

describe("a property goes behind the last one", () => {
  test.each([
    ["of an empty object", "{}", '{\n  "new": [\n    1\n  ]\n}'],
    ["on a single line", '{"a": 1}', '{"a": 1,"new":[1]}'],
    ["on a single line with a comma too many", '{"a": 1,}', '{"a": 1,"new":[1],}'],
    ["in lines", '{\n "a": 1\n}', '{\n "a": 1,\n "new": [\n  1\n ]\n}'],
    ["with tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": [\n\t\t1\n\t]\n}'],
    ["with CRLF", '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "new": [\r\n    1\r\n  ]\r\n}'],
    ["with a comma too many", '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "new": [\n    1\n  ],\n}'],
    [
      "whose remark stays on its line",
      '{\n  "a": 1 // one, two\n}',
      '{\n  "a": 1, // one, two\n  "new": [\n    1\n  ]\n}',
    ],
    [
      "whose block of remarks stays, too",
      '{\n  "a": 1 /* one, two */\n}',
      '{\n  "a": 1, /* one, two */\n  "new": [\n    1\n  ]\n}',
    ],
    [
      "whose comma stands before its remark",
      '{\n  "a": 1, // one\n}',
      '{\n  "a": 1, // one\n  "new": [\n    1\n  ],\n}',
    ],
    ["with blanks before a comma too many", '{"a": 1 , }', '{"a": 1 ,"new":[1], }'],
  ])("%s", (_, before, after) => {
    expect(add(before)).toBe(after);
  });
});

test.each([
  ['{"list": []}', '{"list": [\n  "c"\n]}'],
  ['{"list": ["a"]}', '{"list": ["a","c"]}'],
  ['{\n  "list": [\n    "a"\n  ]\n}', '{\n  "list": [\n    "a",\n    "c"\n  ]\n}'],
])("an element goes behind the last one: %j", (before, after) => {
  expect(push(before)).toBe(after);
});

describe("what is taken out takes its own comma along, and no other byte", () => {
  test.each<[string, string, string, string]>([
    ["the first", "a", '{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ["the last", "b", '{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'],
    ["one in the middle", "b", '{"a": 1, "b": 2, "c": 3}', '{"a": 1, "c": 3}'],
    ["the only one", "a", '{\n  "a": 1\n}', "{}"],
    ["the only one, with a comma too many", "a", '{\n  "a": 1,\n}', "{}"],
    ["the only one beside a remark", "a", '{\n  // mine\n  "a": 1\n}', "{\n  // mine\n}"],
    [
      "the last, and a remark with a comma before it stays",
      "b",
      '{\n  "a": 1, // one, two\n  "b": 2\n}',
      '{\n  "a": 1 // one, two\n}',
    ],
  ])("%s", (_, name, before, after) => {
    expect(removeAt(before, [name], "x")).toBe(after);
  });
});

test("in and out again changes nothing, however deep the place", () => {
  for (const at of [["a"], ["a", "b"], ["a", "b", "c"]])
    for (const text of [
      "{}",
      '{"a":{}}',
      '{"z":1,"a":{"b":{"y":[]}}}',
      '{\n\t"a": {\n\t\t"q": 0\n\t}\n}\n',
    ]) {
      const { text: added, made } = putAt(text, [...at, "memoir"], { command: "/x" }, "x");
      expect(added).toContain('"/x"');
      expect(removeEmpty(removeAt(added, [...at, "memoir"], "x"), at, made, "x")).toBe(text);
    }
});

// Fields of values that may be anything: what is not there is empty, and nothing throws.
import { expect, test } from "bun:test";
import { field, isRecord, listField, recordOf, textField, textOf } from "../../src/text/text.ts";

test.each([
  [{ a: 1 }, "a", 1],
  [{ a: 1 }, "b", undefined],
  [{}, "toString", undefined],
  ["text", "length", undefined],
  [null, "a", undefined],
  [undefined, "a", undefined],
])("of %p the field %p is %p", (value, name, found) => {
  expect(field(value, name)).toBe(found);
});

test("only an object that is no list is a record", () => {
  const values = [{}, { a: 1 }, [], null, undefined, "text", 1];
  expect(values.map(isRecord)).toEqual([true, true, false, false, false, false, false]);
  expect(values.map(recordOf)).toEqual([{}, { a: 1 }, {}, {}, {}, {}, {}]);
});

test("a text is the first of the fields that is one and not empty; a list is one or empty", () => {
  const value = { none: 1, empty: "", first: "one", second: "two", list: [1], text: "no list" };
  expect(textField(value, "none", "empty", "first", "second")).toBe("one");
  expect(textField(value, "none", "empty")).toBe("");
  expect(textField(null, "first")).toBe("");
  expect(listField(value, "list")).toEqual([1]);
  expect(listField(value, "text")).toEqual([]);
  expect(listField("list", "length")).toEqual([]);
});

test("content is its text, or that of its blocks", () => {
  expect(textOf("plain")).toBe("plain");
  expect(textOf([{ type: "text", text: "one" }, { type: "image" }, null, { text: "two" }])).toBe(
    "one\ntwo",
  );
  expect([textOf(undefined), textOf({ text: "none" }), textOf(7)]).toEqual(["", "", ""]);
});

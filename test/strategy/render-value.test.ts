// A tool's input and result in lines.
import { describe, expect, test } from "bun:test";
import { renderValue, textsIn } from "../../src/strategy/tool-data.ts";
import { tooDeep } from "../../src/text/text.ts";

const long = "x".repeat(201);
const nested = (depth: number): unknown => (depth === 0 ? "end" : { in: nested(depth - 1) });

describe("a value", () => {
  test.each<[string, unknown, string]>([
    ["names stand before values", { a: "b", n: 0, yes: true }, "a: b\nn: 0\nyes: true"],
    ["what is empty is left out", { a: "", b: [], c: false, d: null, e: "e" }, "e: e"],
    ["the file before the change is left out", { originalFile: "old", new: "n" }, "new: n"],
    ["nor its contents", { originalFileContents: "old", new: "n" }, "new: n"],
    ["texts of lines begin below their name", { a: "b\nc" }, "a: \nb\nc"],
    ["lists of texts are lines", { a: ["b", "c"] }, "a: \nb\nc"],
    ["other lists have dashes", [1, "b"], "- 1\n- b"],
    ["what is inside stands further in", { a: { b: { c: "d" } } }, "a:\n  b:\n    c: d"],
  ])("%s", (_, value, text) => {
    expect(renderValue(value, 999)).toBe(text);
  });

  test("ends once its limit is written", () => {
    expect(renderValue({ a: "1234", b: "5678", c: "9" }, 9)).toBe("a: 1234\nb: 5678");
    expect(renderValue({ a: "1234", b: "5678" }, 8)).toBe("a: 1234");
  });

  test("shows two hundred items, and no nesting without an end", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
    expect(renderValue(many, 1e6).split("\n")).toHaveLength(200);
    expect(renderValue(nested(50), 1e6)).toContain(tooDeep);
    expect(renderValue(nested(7), 1e6)).toEndWith("in: end");
    expect(renderValue(nested(8), 1e6)).not.toContain("end");
  });

  test("the texts of a value nested without end are those that are rendered", () => {
    let deep: unknown = "far";
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(textsIn({ near: "near", deep })).toEqual(["near"]);
  });

  test.each([
    ["a short text is repeated", "twelve chars", "a: twelve chars"],
    ["a longer one is not", "thirteen char", ""],
    ["a long one is pointed to", long, "a: [as above]"],
  ])("known: %s", (_, text, expected) => {
    expect(renderValue({ a: text }, 999, textsIn([{ text }]))).toBe(expected);
  });
});

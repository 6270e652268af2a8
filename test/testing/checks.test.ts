// What the suites look at: which rule a value breaks is said in words, and what is right passes.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import type { ObservationDraft } from "../../src/sdk/model.ts";
import {
  assertDraft,
  assertFits,
  assertSameShape,
  assertWholeText,
  textsOf,
} from "../../src/testing/checks.ts";

const draft: ObservationDraft = {
  type: "bugfix",
  title: "Voucher subtracted only once",
  subtitle: "",
  facts: ["src/cart.ts: totalOf leaves out a voucher that was used before now."],
  narrative: "",
  concepts: ["checkout"],
  filesRead: [],
  filesModified: [],
  toolUseIds: [],
};

/** The warnings of a draft that passes. */
function look(part: Partial<ObservationDraft>): string[] {
  const warnings: string[] = [];
  assertDraft({ ...draft, ...part }, { warn: (text) => void warnings.push(text) });
  return warnings;
}
const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

describe("a draft", () => {
  const fact = (length: number) => "x".repeat(length);
  test.each<[string, Partial<ObservationDraft>, string]>([
    ["has a title", { title: "  " }, "an observation has an empty title"],
    ["has a short title", { title: words(25) }, "a title has 3 to 24 words"],
    ["has a short subtitle", { subtitle: words(61) }, "a subtitle has at most 24 words"],
    ["has few facts", { facts: Array(8).fill(fact(60)) }, "there are at most 7 facts"],
    ["has short facts", { facts: [fact(401)] }, "a fact has at most 150 characters"],
    ["has concepts in lower case", { concepts: ["http", "Auth"] }, "concepts are lower case"],
    ["has texts of whole characters", { narrative: "a\ud800" }, "holds half a character"],
    ["has every field", { facts: undefined as never }, "facts: "],
  ])("%s", (_rule, part, message) => {
    expect(() => look(part)).toThrow(message);
  });

  test("at the bounds passes, and is told what would be better", () => {
    expect(look({})).toEqual([]);
    expect(look({ title: words(24), subtitle: words(60) })).toEqual([
      expect.stringContaining("3 to 8 words are best"),
    ]);
    expect(look({ title: "Two words" })).toHaveLength(1);
    expect([look({ title: words(3) }), look({ title: words(8) })]).toEqual([[], []]);
    expect(look({ facts: Array(7).fill(fact(400)) })).toEqual([
      expect.stringContaining("50 to 150 characters"),
    ]);
    expect(look({ facts: [fact(49)] })).toHaveLength(1);
    expect([look({ facts: [fact(50)] }), look({ facts: [fact(150)] })]).toEqual([[], []]);
    expect(look({ facts: [] })).toEqual([expect.stringContaining("has no facts")]);
  });
});

test("a shape is kept where every field is there with its type; texts may differ, lists hold what they will", () => {
  const before = { a: "x", list: [1], deep: { n: 1, none: null } };
  const same = (after: unknown, mayLack?: string[]) => () =>
    assertSameShape(before, after, "it", mayLack);
  expect(same({ a: "y", list: ["z", 2], deep: { n: 9, none: null }, more: 1 })).not.toThrow();
  expect(same({ ...before, a: 1 })).toThrow("it.a changed its type");
  expect(same({ ...before, list: {} })).toThrow("it.list changed its type");
  expect(same({ ...before, deep: null })).toThrow("it.deep changed its type");
  expect(same({ ...before, deep: { none: null } })).toThrow("it.deep.n is gone");
  expect(same({ list: [1], deep: before.deep }, ["a"])).not.toThrow();
  expect(same({ a: "y", list: [1], deep: { none: null } }, ["n"])).not.toThrow();
  expect(same({ ...before, a: 1 }, ["a"])).toThrow("it.a changed its type");
});

test("half a character and NUL are found in any text of a value", () => {
  expect(textsOf({ a: "one", b: [{ c: "two" }, 3, null], "a key": true })).toEqual(["one", "two"]);
  expect(() => assertWholeText({ a: ["fine 🎈", 1] }, "it")).not.toThrow();
  expect(() => assertWholeText({ a: ["🎈".slice(0, 1)] }, "it")).toThrow(
    "it holds half a character",
  );
  expect(() => assertWholeText([{ a: "x\0y" }], "it")).toThrow("it holds a NUL character");
});

test("what does not fit its schema is named with its place", () => {
  const schema = v.object({ usage: v.object({ input: v.number() }) });
  expect(() => assertFits(schema, { usage: { input: 1 } }, "the answer")).not.toThrow();
  expect(() => assertFits(schema, { usage: { input: "1" } }, "the answer")).toThrow(
    /^the answer: usage\.input: Invalid type/,
  );
  expect(() => assertFits(schema, 1, "the answer")).toThrow(/^the answer: Invalid type/);
});

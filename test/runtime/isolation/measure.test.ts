// What may cross from a worker, and what is said of what may not.
import { expect, test } from "bun:test";
import { objection } from "../../../src/runtime/isolation/measure.ts";

const max = 1_048_576;
const cycle: Record<string, unknown> = { a: 1 };
cycle.self = cycle;
let deep: unknown = "end";
for (let i = 0; i < 200_000; i++) deep = [deep];

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["plain data", { a: [1, "x", null, { b: true }], d: new Date(0) }],
  ["maps and sets", { m: new Map([["a", 1]]), s: new Set([1]) }],
  ["bytes", new Uint8Array(1_000)],
  ["a cycle", cycle],
])("%s crosses", (_, value) => {
  expect(objection(value, max)).toBeUndefined();
  expect(() => structuredClone(value)).not.toThrow();
});

test.each<[string, unknown, RegExp]>([
  ["a function", { a: { b: () => 1 } }, /a function at a\.b, which cannot be sent/],
  ["a symbol", [Symbol("x")], /a symbol at 0/],
  ["a promise", { later: Promise.resolve(1) }, /a promise at later/],
  ["a function in a map", new Map([["x", () => 1]]), /a function at 0/],
  ["a long text", { text: "x".repeat(2_000_000) }, /more than the 1 MB/],
  ["many small things", Array.from({ length: 500_000 }, () => 1), /more than the 1 MB/],
  ["many bytes", { a: new Uint8Array(2_000_000) }, /more than the 1 MB/],
  ["something nested beyond the stack", deep, /more than the 1 MB/],
])("%s does not", (_, value, words) => {
  expect(objection(value, max)).toMatch(words);
});

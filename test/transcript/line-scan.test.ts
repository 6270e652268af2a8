import { describe, expect, test } from "bun:test";
import { scanMembers } from "../../src/transcript/line-scan.ts";

const valid: Array<[string, unknown]> = [
  ["empty", {}],
  ["plain", { a: 1, b: "two", c: true, d: null }],
  ["nested", { a: { b: [1, { c: "}" }], d: "]" }, e: "f" }],
  ["quotes and slashes", { a: 'he said "no"', b: "back\\slash\\", c: '\\"', d: "\\\\\\" }],
  ["brackets in strings", { a: "{[", b: ["}]", "{"], c: "," }],
  ["unicode", { a: "日本語 😀", b: "\u2028" }],
  ["numbers", { a: -1.5e-7, b: 0, c: 1e21 }],
];

describe("scanning a line's members", () => {
  for (const [name, value] of valid) {
    for (const indent of [undefined, 1]) {
      test(`${name}${indent ? ", spaced" : ""}`, () => {
        const line = JSON.stringify(value, null, indent).replaceAll("\n", " ");
        const members = scanMembers(line) ?? [];
        const back = Object.fromEntries(
          members.map(({ key, start, end }) => [key, JSON.parse(line.slice(start, end))]),
        );
        expect(back).toEqual(value as Record<string, unknown>);
      });
    }
  }

  for (const line of [
    "",
    "{",
    "}",
    "[]",
    "null",
    '"text"',
    '{"a":1',
    '{"a":"1}',
    '{"a":[1,2}',
    '{"a":{"b":1}',
    '{"a"}',
    '{"a":}',
    "{a:1}",
    '{"a":1}}',
    '{"a":1} x',
    '{"a":1,}',
    '{"a":1 "b":2}',
  ]) {
    test(`refuses ${line || "an empty line"}`, () => {
      expect(scanMembers(line)).toBeUndefined();
    });
  }

  test("leaves a key with escapes to the full parser", () => {
    expect(scanMembers('{"a\\"b":1}')).toBeUndefined();
  });
});

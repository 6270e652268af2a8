// Bounds on what one event may carry.
import { describe, expect, test } from "bun:test";
import { clampDeep, clampText, defaultClampLimits } from "../../src/clients/normal/payload.ts";

describe("clampText", () => {
  test("leaves what fits", () => {
    expect(clampText("abc", 3)).toBe("abc");
  });

  test("keeps both ends and counts what is missing", () => {
    const text = `${"a".repeat(100)}${"b".repeat(100)}${"c".repeat(100)}`;
    const kept = clampText(text, 100);
    expect(kept.startsWith("a".repeat(75))).toBe(true);
    expect(kept.endsWith("c".repeat(25))).toBe(true);
    expect(kept).toContain("left out 200 characters");
  });

  test("cuts at line ends when they are near", () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
    const [head = "", , tail = ""] = clampText(text, 200).split(/\n(\[memoir[^\n]*\])\n/);
    for (const line of [...head.trim().split("\n"), ...tail.split("\n")]) {
      expect(line).toMatch(/^line \d+$/);
    }
  });

  test("a cut meets a line end that is near, not one that is far, nor the text's very end", () => {
    const far = `${"a".repeat(5_000)}\n${"b".repeat(20_000)}`;
    const [head = "", , tail = ""] = clampText(far, 12_000).split(/\n(\[memoir[^\n]*\])\n/);
    expect([head.length, tail.length]).toEqual([9_000, 3_000]);
    const near = `${"a".repeat(8_000)}\n${"b".repeat(10_000)}\n${"c".repeat(2_500)}`;
    const cut = clampText(near, 12_000).split(/\n(\[memoir[^\n]*\])\n/);
    expect([cut[0]?.length, cut[2]?.length]).toEqual([8_001, 2_500]);
    expect(cut[1]).toContain(`left out ${near.length - 8_001 - 2_500} characters`);
    const last = `${"a".repeat(1_000)}\n`;
    expect(clampText(last, 100)).toEndWith(`\n${"a".repeat(24)}\n`);
    expect(clampText(`\n${"a".repeat(1_000)}`, 100)).toStartWith("\n\n[memoir");
  });

  test("never splits a surrogate pair", () => {
    for (let limit = 10; limit < 40; limit += 1) {
      expect(clampText("🦊".repeat(50), limit).isWellFormed()).toBe(true);
    }
  });
});

describe("clampDeep", () => {
  const limits = { string: 1_000, total: 1_500, entries: 2, depth: 2 };
  test("what all strings may keep together is used up in their order, and each keeps a little", () => {
    const kept = clampDeep({ a: "x".repeat(2_000), b: "y".repeat(2_000) }, limits);
    const { a, b } = kept as Record<string, string>;
    const count = (text = "", letter: string) => text.split(letter).length - 1;
    expect([count(a, "x"), count(b, "y") < 500, count(b, "y") > 255]).toEqual([1_000, true, true]);
    const many = clampDeep(["x".repeat(900), "x".repeat(900)], { ...limits, total: 900 });
    expect((many as string[]).map((text) => count(text, "x"))).toEqual([900, 256]);
  });

  test("a list, an object and a depth of exactly the limit are whole", () => {
    expect(clampDeep([1, 2], limits)).toEqual([1, 2]);
    expect(clampDeep({ a: 1, b: 2 }, limits)).toEqual({ a: 1, b: 2 });
    expect(clampDeep({ a: 1, b: 2, c: 3 }, limits)).toEqual({
      ...{ a: 1, b: 2, memoir: "[memoir left out 1 more entries]" },
    });
    expect(clampDeep([[1]], limits)).toEqual([[1]]);
    expect(clampDeep([[[1]]], limits)).toEqual([["[memoir left out what is nested deeper]"]]);
    const long = "k".repeat(2_000);
    expect(Object.keys(clampDeep({ [long]: 1 }, limits) as object)[0]?.length).toBeLessThan(1_100);
  });

  test("gives small values back as they are", () => {
    const value = { a: [1, null, true, "x"], b: { c: "d" } };
    expect(clampDeep(value)).toEqual(value);
  });

  test("bounds one long string, wherever it lies", () => {
    const clamped = clampDeep({ file: { content: "x".repeat(10_000_000) } });
    expect(JSON.stringify(clamped).length).toBeLessThan(defaultClampLimits.string + 200);
  });

  test("bounds many strings together", () => {
    const lines = Array.from({ length: 4_000 }, () => "x".repeat(10_000));
    const size = JSON.stringify(clampDeep(lines)).length;
    expect(size).toBeLessThan(defaultClampLimits.total + 4_000 * 350);
  });

  test("bounds lists and objects, and says so", () => {
    const list = clampDeep(Array.from({ length: 6_000 }, (_, at) => at)) as unknown[];
    expect(list).toHaveLength(5_001);
    expect(list.at(-1)).toContain("1000 more");
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, at]));
    expect(Object.keys(clampDeep(wide) as object)).toHaveLength(5_001);
  });

  test("bounds nesting", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    expect(JSON.stringify(clampDeep(deep))).toContain("nested deeper");
  });

  test("keeps __proto__ as data", () => {
    const clamped = clampDeep(JSON.parse('{"__proto__": {"polluted": true}}')) as object;
    expect(Object.keys(clamped)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(clamped)).toBe(Object.prototype);
  });
});

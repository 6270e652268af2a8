// Bounds on what one event may carry.
import { describe, expect, test } from "bun:test";
import { clampDeep, clampText, defaultClampLimits } from "../../src/clients/clamp.ts";

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

  test("never splits a surrogate pair", () => {
    for (let limit = 10; limit < 40; limit += 1) {
      expect(clampText("🦊".repeat(50), limit).isWellFormed()).toBe(true);
    }
  });
});

describe("clampDeep", () => {
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

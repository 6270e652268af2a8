import { describe, expect, test } from "bun:test";
import { createLineSplitter, decodeLine, type Line } from "../../src/transcript/lines.ts";

const encoder = new TextEncoder();

function split(bytes: Uint8Array, sizes: () => number, options = {}): Line[] {
  const splitter = createLineSplitter(options);
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, sizes());
    lines.push(...splitter.push(bytes.slice(at, at + size)));
    at += size;
  }
  return [...lines, ...splitter.end()];
}

describe("line splitter", () => {
  const texts = ["", "{}", "naïve — 日本語 😀", "x".repeat(5000), '{"a":"\\u00e9"}', "torn"];
  const bytes = encoder.encode(texts.join("\n"));

  for (const size of [1, 2, 3, 7, 64, 100_000]) {
    test(`gives the same lines from chunks of ${size}`, () => {
      const lines = split(bytes, () => size);
      expect(lines.map((line) => decodeLine(line.content))).toEqual(texts);
      for (const line of lines) {
        const there = bytes.slice(line.offset, line.offset + line.content.length);
        expect(decodeLine(there)).toBe(decodeLine(line.content));
      }
      expect(lines.map((line) => line.number)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(lines.map((line) => line.complete)).toEqual([true, true, true, true, true, false]);
    });
  }

  test("a line over the limit is told, not held", () => {
    const long = encoder.encode(`a\n${"b".repeat(1000)}\nc\n${"d".repeat(500)}`);
    for (const size of [3, 50, 5000]) {
      const lines = split(long, () => size, { maxLineBytes: 100 });
      expect(lines.map((line) => [decodeLine(line.content), line.tooLong, line.offset])).toEqual([
        ["a", 0, 0],
        ["", 1000, 2],
        ["c", 0, 1003],
        ["", 500, 1005],
      ]);
    }
  });

  test("the position covers complete lines only", () => {
    const splitter = createLineSplitter({ offset: 10, lines: 4 });
    splitter.push(encoder.encode("one\ntwo\nthr"));
    expect(splitter.position()).toEqual({ offset: 18, lines: 6 });
    expect(splitter.end()[0]?.offset).toBe(18);
    expect(splitter.position()).toEqual({ offset: 18, lines: 6 });
  });

  test("bytes that are no UTF-8 keep their place", () => {
    const broken = new Uint8Array([0x61, 0xff, 0xfe, 0x0a, 0xc3, 0x0a, 0x62, 0x0a]);
    const lines = split(broken, () => 2);
    expect(lines.map((line) => [line.offset, line.content.length])).toEqual([
      [0, 3],
      [4, 1],
      [6, 1],
    ]);
    expect(decodeLine(lines[0]?.content ?? new Uint8Array())).toBe("a\uFFFD\uFFFD");
  });
});

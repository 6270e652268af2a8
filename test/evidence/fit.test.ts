// How pieces are cut, merged and left out so that a turn keeps its bounds.
import { describe, expect, test } from "bun:test";
import {
  aboutLimit,
  fitPieces,
  kindLimits,
  refusedLimit,
  turnLimit,
} from "../../src/evidence/make-turn.ts";
import type { Evidence } from "../../src/sdk/turn.ts";

const piece = (kind: Evidence["kind"], text: string, more: Partial<Evidence> = {}): Evidence => ({
  ...{ kind, text, time: 0 },
  ...more,
});
const many = (count: number, kind: Evidence["kind"], make: (i: number) => Partial<Evidence>) =>
  Array.from({ length: count }, (_, i) => piece(kind, `${i}`, make(i)));
const only = (one: Evidence) => fitPieces([one]).kept[0];
const sizeOf = (pieces: readonly Evidence[]) =>
  pieces.reduce((sum, { text, about = "" }) => sum + text.length + about.length, 0);

describe("a command run again", () => {
  test("is told once, where it ran last, with how often; a failure is no passing", () => {
    const { kept, leftOut } = fitPieces([
      piece("passed", "1", { about: "make" }),
      piece("said", "between"),
      piece("failure", "2", { about: "make" }),
      piece("passed", "3", { about: "make" }),
    ]);
    expect(kept.map(({ text, times }) => [text, times])).toEqual([
      ["between", undefined],
      ["2", undefined],
      ["3", 2],
    ]);
    expect(leftOut).toEqual({});
  });

  test("is no prompt or commit said again", () => {
    const twice = [piece("commit", "x", { about: "a" }), piece("commit", "x", { about: "a" })];
    expect(fitPieces(twice).kept).toEqual(twice);
  });
});

describe("of too many of a kind", () => {
  test.each([
    ["an even bound keeps as many first as last", "interrupted", 50, 25],
    ["of one the first stays", "prompt", 1, 1],
  ] as const)("%s", (_, kind, limit, first) => {
    expect(kindLimits[kind].pieces).toBe(limit);
    const pieces = many(60, kind, () => ({}));
    const expected = [...pieces.slice(0, first), ...pieces.slice(60 - (limit - first))];
    expect(fitPieces(pieces)).toEqual({ kept: expected, leftOut: { [kind]: 60 - limit } });
  });
});

describe("a piece", () => {
  const long = "x".repeat(200_000);

  test("says how much of it is gone, what was gone before included", () => {
    const once = only(piece("said", long))?.shortened ?? 0;
    expect(once).toBeGreaterThan(long.length - kindLimits.said.text);
    expect(only(piece("said", long, { shortened: 7 }))?.shortened).toBe(once + 7);
    expect(only(piece("said", "short", { shortened: 7 }))?.shortened).toBe(7);
  });

  test("that is a log loses its colours, words keep theirs", () => {
    const coloured = "\u001b[31mred\u001b[0m";
    expect(only(piece("failure", coloured))?.text).toBe("red");
    expect(only(piece("said", coloured))?.text).toBe(coloured);
  });

  test("names what it is about in bounds, a refusal in wider ones", () => {
    const about = "x".repeat(refusedLimit - 1);
    expect(only(piece("refusal", "", { about }))?.about).toBe(about);
    const ran = only(piece("ran", "", { about, described: about }));
    expect(ran?.about?.length).toBeLessThanOrEqual(aboutLimit);
    expect(ran?.described?.length).toBeLessThanOrEqual(aboutLimit);
  });
});

describe("too large a turn", () => {
  const about = (i: number) => `${i} ${"x".repeat(1_400)}`;
  const typed = many(12, "typed", () => ({ text: "y".repeat(32_000) }));

  test("gives of what matters least, and of nothing else where that is enough", () => {
    const ran = many(20, "ran", (i) => ({ about: about(i) }));
    const { kept, leftOut } = fitPieces([...ran, ...typed, piece("commit", "kept")]);
    expect(Object.keys(leftOut)).toEqual(["ran"]);
    expect(leftOut.ran).toBeLessThan(20);
    expect(sizeOf(kept)).toBeLessThanOrEqual(turnLimit);
  });

  test("keeps one of each kind that gives way", () => {
    const ran = many(3, "ran", (i) => ({ about: about(i) }));
    const { kept } = fitPieces([...ran, ...typed, ...many(2, "typed", () => typed[0] ?? {})]);
    expect(kept.filter(({ kind }) => kind === "ran")).toHaveLength(1);
  });

  test("does not give what takes no room", () => {
    const stops = many(3, "interrupted", () => ({ text: "" }));
    const { kept } = fitPieces([...typed, ...stops, ...many(2, "typed", () => typed[0] ?? {})]);
    expect(kept.filter(({ kind }) => kind === "interrupted")).toEqual(stops);
  });

  test("within its bounds loses nothing", () => {
    const whole = [piece("ran", "1", { about: "a" }), ...typed];
    expect(fitPieces(whole)).toEqual({ kept: whole, leftOut: {} });
  });
});

// What of a found record is told.
import { describe, expect, test } from "bun:test";
import { passageOf } from "../../../plugins/context-relevant/passage.ts";
import { observation, searchResult } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const long = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} says something.`).join(" ");
const hit = (excerpt: string, piece: number) => ({
  ...searchResult(observation("t1")),
  kind: "turn" as const,
  excerpt,
  piece,
});

describe("of a turn", () => {
  const found = turn(1, [
    ["prompt", "Why?"],
    ["said", long],
    ["passed", "ok", "bun test src/a.ts"],
    ["closing", "It was the cache."],
  ]);
  test("the passage with whole sentences around it, and how the turn was closed", () => {
    const { text, closing } = passageOf(hit("Sentence number 20 says something.", 1), found, 400);
    expect(text).toStartWith("… Sentence number");
    expect(text).toEndWith("says something. …");
    expect(text).toContain("Sentence number 20 says");
    expect(text.length).toBeLessThan(500);
    expect(closing).toBe("It was the cache.");
  });
  test("a short piece whole", () => {
    expect(passageOf(hit("Why", 0), found, 400).text).toBe("Why?");
  });
  test("the closing message once", () => {
    expect(passageOf(hit("the cache", 3), found, 400)).toEqual({ text: "It was the cache." });
  });
  test("what a command was about", () => {
    expect(passageOf(hit("bun test src/a.ts", 2), found, 400).text).toBe("bun test src/a.ts");
  });
  test("a passage that is not there any more stands for itself", () => {
    expect(passageOf(hit("gone", 9), found, 400).text).toBe("gone");
  });
});

test("of anything else what the result shows, nothing twice", () => {
  const result = searchResult(observation("o1", { title: "Cents", subtitle: "Cents are whole." }));
  expect(passageOf({ ...result, excerpt: "Euros are not." }, undefined, 400).text).toBe(
    "Cents are whole. — Euros are not.",
  );
});

// What of a found record is told.
import { describe, expect, test } from "bun:test";
import { passageOf } from "../../../plugins/context-relevant/passage.ts";
import { tellsOf } from "../../../plugins/context-relevant/relevance.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { observation, searchResult } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const long = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} says something.`).join(" ");
const hit = (excerpt: string, piece: number) => ({
  ...searchResult(observation("t1")),
  kind: "turn" as const,
  excerpt,
  piece,
});

const tells = tellsOf([{ bare: "cache", isName: false, weight: 4 }]);
const passage = (found: ReturnType<typeof hit>, of: Turn | undefined, room: number) =>
  passageOf(found, of, room, tells);

describe("of a turn", () => {
  const found = turn(1, [
    ["prompt", "Why?"],
    ["said", long],
    ["passed", "ok", "bun test src/a.ts"],
    ["closing", "It was the cache."],
  ]);
  test("the passage with whole sentences around it, and how the turn was closed", () => {
    const text = passage(hit("Sentence number 20 says something.", 1), found, 400);
    expect(text).toStartWith("Sentence number 0 says something.");
    expect(text).toContain("Sentence number 20 says something. Sentence number 21 says");
    expect(text.length).toBeLessThanOrEqual(405);
    expect(text).toEndWith("says something. … … It was the cache.");
  });
  test("a short piece whole, and the closing", () => {
    expect(passage(hit("Why", 0), found, 400)).toBe("Why? … It was the cache.");
  });
  test("the closing message once", () => {
    expect(passage(hit("the cache", 3), found, 400)).toBe("It was the cache.");
  });
  test("what stands far from it where it has the prompt's words", () => {
    const far = turn(1, [["closing", `It was slow. ${long} The cache is off. Bye.`]]);
    const text = passage(hit("Sentence number 20 says something.", 0), far, 140);
    expect(text).toContain("Sentence number 20");
    expect(text).toContain("The cache is off.");
  });
  test("a list's number stands with its item", () => {
    const list = turn(1, [["closing", "Done:\n1. The cache is off.\n2. Bye."]]);
    expect(passage(hit("", 0), list, 30)).toBe("… 1. The cache is off. …");
  });
  test("nor are numbers, fences and other marks told alone", () => {
    const text = "Perfect!\n\n**1. Bananas are yellow.**\n```\n}\n```\n**2. The cache is off.**";
    const list = turn(1, [["closing", text]]);
    expect(passage(hit("", 0), list, 45)).toBe("… **2. The cache is off.**");
  });
  test("a sentence that is too long by its beginning", () => {
    const line = `The cache is ${"very ".repeat(40)}slow`;
    const text = passage(hit("very very", 0), turn(1, [["closing", line]]), 100);
    expect(text).toStartWith("The cache is very very");
    expect(text.length).toBeLessThanOrEqual(100);
  });
  test("of a quotation without its marks what tells most", () => {
    const marked = turn(1, [["closing", `It was **slow**. ${long} The \`cache\` is off.`]]);
    const text = passage(hit("It was slow.", 0), marked, 60);
    expect(text).toContain("The `cache` is off.");
  });
  test("what a command was about", () => {
    expect(passage(hit("bun test src/a.ts", 2), found, 400)).toBe(
      "bun test src/a.ts … It was the cache.",
    );
  });
  test("a passage that is not there any more: how the turn was closed, or itself", () => {
    expect(passage(hit("gone", 9), found, 400)).toBe("It was the cache.");
    expect(passage(hit("gone", 9), turn(1, [["passed", "ok"]]), 400)).toBe("gone");
  });
});

test("of anything else what the result shows, nothing twice", () => {
  const result = searchResult(observation("o1", { title: "Cents", subtitle: "Cents are whole." }));
  expect(passageOf({ ...result, excerpt: "Euros are not." }, undefined, 400, tells)).toBe(
    "Cents are whole. — Euros are not.",
  );
});

describe("a passage", () => {
  test("and the closing message share the room", () => {
    const of = turn(1, [
      ["said", long],
      ["closing", long.replaceAll("says", "shows")],
    ]);
    const text = passage(hit("Sentence number 20 says", 0), of, 400);
    expect(text.match(/ says/g)?.length).toBeGreaterThan(1);
    expect(text.match(/ shows/g)?.length).toBeGreaterThan(1);
    expect(text.length).toBeLessThanOrEqual(405);
  });
  test("is found far behind in a long text", () => {
    const of = turn(1, [["closing", `${long.repeat(20)} The menu is wide now.`]]);
    expect(passage(hit("menu is wide", 0), of, 100)).toContain("The menu is wide now.");
  });
  test("goes on with what was not told yet", () => {
    const words = [
      { bare: "cache", isName: false, weight: 4 },
      { bare: "redis", isName: false, weight: 3 },
    ];
    const said = "The cache is big and fast here. The cache is used there as well. Redis holds it.";
    const found = hit("The cache is big and fast here.", 0);
    expect(passageOf(found, turn(1, [["closing", said]]), 60, tellsOf(words))).toBe(
      "The cache is big and fast here. … Redis holds it.",
    );
  });
});

// What of a found record is shown.
import { describe, expect, test } from "bun:test";
import { answerOf, holdsIn } from "../../../plugins/context-relevant/passage.ts";
import { observation, searchResult } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const long = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} says something.`).join(" ");
const hit = (excerpt: string, piece: number) => ({
  ...searchResult(observation("t1")),
  kind: "turn" as const,
  excerpt,
  piece,
});

describe("of a turn that answers a question", () => {
  const found = turn(1, [
    ["prompt", "Why is the page slow?"],
    ["said", long],
    ["passed", "ok", "bun test src/a.ts"],
    ["closing", "The cache was never filled because the key had a date in it."],
  ]);
  const closed = "The cache was never filled because the key had a date in it.";
  test.each<[string, string, number, number, string[]]>([
    [
      "the sentences that the passage stands in, whole, and what came of it",
      "number 20 says something. Sentence number 21",
      1,
      400,
      ["Sentence number 20 says something. Sentence number 21 says something.", closed],
    ],
    ["a short piece", "page slow", 0, 400, ["Why is the page slow?", closed]],
    ["its outcome once", "cache was never filled", 3, 400, [closed]],
    ["what a command was about", "bun test src/a.ts", 2, 400, ["bun test src/a.ts", closed]],
    [
      "a passage that is not there any more by itself",
      "gone long ago",
      9,
      400,
      ["gone long ago", closed],
    ],
  ])("%s", (_, excerpt, piece, room, wanted) => {
    expect(answerOf(hit(excerpt, piece), found, room, true).quotes).toEqual(wanted);
  });
  test("as many whole sentences as fit, of one that is too long its beginning", () => {
    const [quote = ""] = answerOf(hit(long, 1), found, 200, true).quotes;
    expect(quote).toEndWith("says something.");
    expect(quote.length).toBeLessThanOrEqual(120);
    const line = turn(1, [["said", `The cache is ${"very ".repeat(90)}slow`]]);
    const [cut = ""] = answerOf(hit("very very", 0), line, 100, true).quotes;
    expect(cut).toMatch(/^The cache is very .*…$/);
    expect(cut.length).toBeLessThanOrEqual(100);
  });
});

test("outside a question only what came of it; its title where it says nothing", () => {
  const made = turn(1, [
    ["prompt", "do it"],
    ["said", "I look into the cache."],
    ["commit", "feat: Fill the cache at the start"],
  ]);
  const shown = answerOf(hit("look into", 1), made, 280, false);
  expect(shown).toEqual({ title: "", quotes: ["Fill the cache at the start"] });
});

test("of anything else what the result shows, nothing twice", () => {
  const result = searchResult(observation("o1", { title: "Cents", subtitle: "Cents are whole." }));
  expect(answerOf({ ...result, excerpt: "Euros are not." }, undefined, 400, true).quotes).toEqual([
    "Cents are whole. — Euros are not.",
  ]);
});

const weighed = (words: readonly string[]) =>
  words.map((bare) => ({
    ...{ bare, isName: false, weight: 1, isNews: true },
    ...{ isTalk: bare === "session", isRare: bare !== "session" && bare !== "page" },
  }));

test.each<[string, string, string, boolean]>([
  ["the name itself", "let readFile wait", "readFile reads once now.", true],
  ["another name", "let readFile wait", "writeFile waits for the disk.", false],
  ["words beside a name", "let readFile wait for the disk", "It waits for the disk.", false],
  ["a name that many have", "let commonName wait", "commonName waits.", false],
  [
    "a file of that folder",
    "keep .entire/settings.json strict",
    "`.entire/settings.json` is",
    true,
  ],
  ["a file without a folder", "keep .entire/settings.json strict", "settings.json is read", true],
  ["a file elsewhere", "keep .entire/settings.json strict", "`.claude/settings.json` is", false],
  ["two rare words", "why are prices rounded on the page", "Prices are rounded.", true],
  ["one rare word", "why are prices rounded on the page", "Prices are shown.", false],
  ["talk alone", "which session has the page", "The session has a page.", false],
])("a passage with %s", (_, prompt, passage, isHeld) => {
  const words = weighed(["prices", "rounded", "page", "session"]);
  const isFew = ({ bare }: { bare: string }) => bare !== "commonname";
  expect(holdsIn(prompt, words, isFew)(passage)).toBe(isHeld);
});

// What becomes of two lists of hits: by their scores, not by their places.
import { expect, test } from "bun:test";
import { fuse } from "../../../plugins/semantic-search/search.ts";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import { observation, searchResult } from "../../support/records.ts";

/** `a1` is a record of session `a`. */
function hits(scores: Record<string, number>): SearchResult[] {
  return Object.entries(scores).map(([id, score]) => hit(id, { score }));
}

function hit(id: string, part: Partial<SearchResult>): SearchResult {
  return { ...searchResult(observation(id, { session: id.slice(0, 1) })), ...part };
}

const once = { share: 0.5, phrasings: 1 };

test.each<[what: string, words: object, meaning: object, share: number, found: string]>([
  [
    "a clear answer by words stays first",
    { a1: 1, b1: 0.2 },
    { b1: 0.7, c1: 0.6 },
    0.5,
    "a1 b1 c1",
  ],
  ["where words waver, meaning decides", { a1: 1, b1: 0.9 }, { b1: 0.7, c1: 0.6 }, 0.5, "b1 a1 c1"],
  ["a strong model may say more", { a1: 1, b1: 0.2 }, { b1: 0.7, c1: 0.6 }, 2, "b1 a1 c1"],
  ["words alone stay as they are", { a1: 1, b1: 0.6, a2: 0.4 }, {}, 0.5, "a1 b1 a2"],
  ["meaning alone finds", {}, { c1: 0.7, b1: 0.65, d1: 0.1 }, 0.5, "c1 b1 d1"],
  [
    "likenesses of one model count by their spread",
    { a1: 1 },
    { b1: 0.82, c1: 0.815, d1: 0.8 },
    1.5,
    "b1 c1 a1 d1",
  ],
])("%s", (_, words, meaning, share, found) => {
  const fused = fuse(
    hits(words as Record<string, number>),
    hits(meaning as Record<string, number>),
    { share, phrasings: 1 },
  );
  expect(fused.map(({ id }) => id).join(" ")).toBe(found);
});

test("a session with several near turns comes before one with a single one, and no hit before the first of its session", () => {
  const near = hits({ a1: 0.8, b1: 0.79, b2: 0.78, c1: 0.3 });
  const fused = fuse([], near, { share: 1, phrasings: 1 });
  expect(fused.map(({ id }) => id)).toEqual(["b1", "b2", "a1", "c1"]);
  const scores = fused.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test("the more phrasings a question has, the less meaning counts", () => {
  const words = hits({ a1: 1, b1: 0.8 });
  const meaning = hits({ b1: 0.7, c1: 0.6 });
  const first = (phrasings: number) => fuse(words, meaning, { share: 0.5, phrasings })[0]?.id;
  expect([first(1), first(3)]).toEqual(["b1", "a1"]);
});

test("single records stand by themselves, each once", () => {
  const fused = fuse(hits({ a1: 0.9, a2: 0.8 }), hits({ a2: 0.9, a1: 0.1 }), {
    share: 0.5,
    phrasings: 1,
    by: "record",
  });
  expect(fused.map(({ id, score }) => [id, score])).toEqual([
    ["a2", 1],
    ["a1", 0.72],
  ]);
});

test("passages of one record stay apart where passages are asked for", () => {
  const passage = (piece: number) => [hit("a1", { piece, score: 1 })];
  const found = (piece: number, by: "passage" | "record") =>
    fuse(passage(1), passage(piece), { ...once, by });
  expect(found(2, "passage")).toHaveLength(2);
  expect(found(1, "passage")).toHaveLength(1);
  expect(found(2, "record")).toHaveLength(1);
});

test("a hit by words says also how near it is", () => {
  const why = { words: [], field: "said", session: 0, documentRank: 1 };
  const [both] = fuse(
    [hit("a1", { why, excerpt: "by words", score: 1 })],
    [hit("a1", { why: { ...why, likeness: 0.7 }, excerpt: "by meaning", score: 0.7 })],
    once,
  );
  expect(both).toMatchObject({ excerpt: "by words", why: { likeness: 0.7 } });
});

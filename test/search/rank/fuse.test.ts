// What ranks before what, and by which part of its worth: documents and passages of hand-made scores.
import { describe, expect, test } from "bun:test";
import type { RankedTerm } from "../../../src/search/rank/candidates.ts";
import type { SearchRequest } from "../../../src/search/rank/fuse.ts";
import { fuse, type Ranking, rankSessions } from "../../../src/search/rank/fuse.ts";
import type { ScoredDocument, ScoredPassage } from "../../../src/search/rank/passages.ts";

const passage = (score: number, more: Partial<ScoredPassage> = {}): ScoredPassage => ({
  ...{ field: "said", piece: 0, start: 0, end: 9, score, around: score, parts: [] },
  ...more,
});
/** `a1` is of session `a`; its document score is that of its first passage unless told. */
const found = (
  id: string,
  passages: number | ScoredPassage[],
  more: Partial<ScoredDocument> = {},
): ScoredDocument => {
  const list = typeof passages === "number" ? [passage(passages)] : passages;
  const base = { id, kind: "turn", session: id[0] ?? "", project: "p", time: 0, position: 0 };
  return { ...base, score: list[0]?.score ?? 0, passages: list, ...more };
};
const ranking = (documents: ScoredDocument[], more: Partial<Ranking> = {}): Ranking => ({
  ...{ documents, rest: () => [], terms: [] },
  ...more,
});
const hits = (rankings: Ranking[], request: Partial<SearchRequest> = {}) =>
  fuse(rankings, { texts: [], ...request });
const ids = (...of: Parameters<typeof hits>) => hits(...of).map(({ id }) => id);

describe("one phrasing", () => {
  test.each<[string, ScoredDocument[], NonNullable<SearchRequest["by"]>, string]>([
    [
      "a session's further hit stands behind a session worth more",
      [found("a1", 10), found("a2", 6), found("b1", 9)],
      "session",
      "a1 b1 a2",
    ],
    [
      "a document is worth its best passage, not all of them",
      [found("a1", [passage(5), passage(5, { start: 9 })]), found("a2", 6)],
      "document",
      "a2 a1",
    ],
    [
      "documents go by their own worth, sessions together or not",
      [found("a1", 10), found("a2", 9), found("b1", 8)],
      "document",
      "a1 a2 b1",
    ],
    [
      "of equals the newer comes first",
      [found("a1", 5), found("a2", 5, { time: 1 })],
      "document",
      "a2 a1",
    ],
    [
      "a passage of a session is one hit, its document's",
      [found("a1", [passage(5), passage(4, { start: 9 })])],
      "session",
      "a1",
    ],
    [
      "every passage is a hit of its own, by piece and by start",
      [found("a1", [passage(5), passage(4, { start: 9 }), passage(3, { piece: 1 })])],
      "passage",
      "a1 a1 a1",
    ],
    [
      "what a prompt's other record says speaks for it",
      [found("a1", 5), found("a2", 5, { position: 2 }), found("a3", 4, { position: 2 })],
      "document",
      "a2 a3 a1",
    ],
    [
      "its own words do not speak for it twice",
      [
        found("a1", 6, { position: 1 }),
        found("a2", 5, { position: 2 }),
        found("a3", 4, { position: 2 }),
      ],
      "document",
      "a2 a1 a3",
    ],
  ])("%s", (_, documents, by, expected) => {
    expect(ids([ranking(documents)], { by }).join(" ")).toBe(expected);
  });

  test("a further hit never stands before its session's first, however much its session is behind", () => {
    const good = Array.from({ length: 10 }, (_, i) => found(`a${i}`, 10));
    const shown = ids([ranking([...good, found("b1", 10), found("b2", 10)])]);
    expect(shown.filter((id) => id.startsWith("b"))).toEqual(["b1", "b2"]);
  });

  test.each([
    ["what belongs to no prompt", 0, "a"],
    ["a prompt of the same number in another session", 2, "b"],
  ])("is not helped by %s", (_, position, session) => {
    const own = (other: Partial<ScoredDocument>) =>
      hits([ranking([found("a1", 5, { position }), found("a2", 4, { session, ...other })])], {
        by: "document",
      })[0]?.score;
    expect(own({ position })).toBe(own({ position: 7 }) ?? 0);
  });

  test("a passage among others that tell comes before one that stands alone", () => {
    const alone = passage(5);
    const among = passage(5, { start: 9, around: 9 });
    const [first] = hits([ranking([found("a1", [alone, among])])], { by: "passage" });
    expect(first?.passage.start).toBe(9);
  });

  test("a hit says which words it was found by, most first, and its document's rank from 1", () => {
    const parts = [
      { term: 0, score: 1 },
      { term: 1, score: 3 },
    ];
    const terms = [{ word: "little" }, { word: "much" }] as RankedTerm[];
    const [first] = hits([ranking([found("a1", [passage(4, { parts })])], { terms })]);
    expect(first?.why).toMatchObject({
      words: [
        { word: "much", adds: 3 },
        { word: "little", adds: 1 },
      ],
      documentRank: 1,
    });
  });
});

describe("a page", () => {
  const many = ranking(Array.from({ length: 30 }, (_, i) => found(`${i}`, 30 - i)));

  test.each<[string, Partial<SearchRequest>, number, number]>([
    ["is of twenty hits", {}, 0, 20],
    ["ends at its limit", { limit: 2 }, 0, 2],
    ["begins at its offset", { limit: 2, offset: 3 }, 3, 5],
    ["ends with the hits", { limit: 9, offset: 28 }, 28, 30],
  ])("%s", (_, request, from, to) => {
    const all = ids([many], { by: "document", limit: 99 });
    expect(ids([many], { by: "document", ...request })).toEqual(all.slice(from, to));
  });

  test("is filled with the rest: once each, nothing that is there already, scores never rising", () => {
    const rest = () => [found("a1", 9), found("b1", 0.5), found("c1", 0.7)];
    const some = ranking([found("a1", 9)], { rest });
    const shown = hits([some, some]);
    expect(shown.map(({ id, score, why }) => [id, score, why.documentRank])).toEqual([
      ["a1", 1, 1],
      ["b1", 0.5, 2],
      ["c1", 0.5, 3],
    ]);
    expect(ids([some], { limit: 1 })).toEqual(["a1"]);
  });
});

describe("several phrasings", () => {
  const one = ranking([found("a1", 10), found("b1", 9)]);
  const other = ranking([found("c1", 10), found("b1", 9)]);

  test.each(["session", "document"] as const)("by %s: what all of them find comes first", (by) => {
    expect(ids([one, other], { by })[0]).toBe("b1");
  });

  test("a document is shown by the phrasing that finds it best, in either order", () => {
    const good = ranking([found("a1", [passage(9, { start: 1 })])]);
    const poor = ranking([found("b1", 9), found("a1", [passage(1, { start: 2 })])]);
    for (const rankings of [
      [good, poor],
      [poor, good],
    ]) {
      const hit = hits(rankings, { by: "document" }).find(({ id }) => id === "a1");
      expect(hit?.passage.start).toBe(1);
      expect(hit?.score).toBeGreaterThan(hits([good], { by: "document" })[0]?.score ?? 0);
    }
  });
});

describe("sessions", () => {
  const part = (term: number, score: number) => passage(score, { parts: [{ term, score }] });
  const some = (id: string, count: number, score: number) =>
    found(
      id,
      Array.from({ length: count }, () => passage(score)),
    );

  test.each<[string, ScoredDocument[], string]>([
    [
      "of equals the one with the newer document comes first",
      [found("a1", 5, { time: 2 }), found("b1", 5, { time: 1 }), found("b2", 0, { time: 3 })],
      "b a",
    ],
    [
      "the best passages count, in whatever order documents come",
      [
        found("a1", 1, { score: 1 }),
        found("a2", 9, { score: 1 }),
        found("b1", 7, { score: 1 }),
        found("b2", 2, { score: 1 }),
      ],
      "a b",
    ],
    [
      "passages beyond the tenth do not count",
      [
        some("a1", 10, 1),
        some("b1", 10, 1),
        found("b2", [passage(1)], { score: 0 }),
        found("a2", 0, { time: 1, score: 0 }),
      ],
      "a b",
    ],
    [
      "who says each word somewhere comes before who says one often",
      [found("a1", [part(0, 5), part(0, 5)]), found("b1", [part(0, 5), part(1, 4.9)])],
      "b a",
    ],
    [
      "a good document as a whole counts",
      [found("a1", 5, { score: 1 }), found("b1", 5, { score: 2 })],
      "b a",
    ],
  ])("%s", (_, documents, expected) => {
    expect(
      rankSessions(documents)
        .map(({ session }) => session)
        .join(" "),
    ).toBe(expected);
  });

  test("a session's documents stand by what is shown of them, of equals the newer first", () => {
    const documents = [found("a1", 1), found("a2", 5), found("a3", 5, { time: 1 })];
    expect(rankSessions(documents)[0]?.documents.map(({ id }) => id)).toEqual(["a3", "a2", "a1"]);
  });

  test("a word that is said once more adds less each time, and no more after the third", () => {
    const times = (count: number) =>
      found(
        `${count}`,
        Array.from({ length: count }, () => part(0, 1)),
        { score: 1 },
      );
    const scoreOf = (list: ReturnType<typeof rankSessions>, session: string) =>
      list.find((one) => one.session === session)?.score ?? 0;
    const flat = [1, 2, 3, 4].map((count) => ({
      ...times(count),
      passages: times(count).passages.map((one) => ({ ...one, score: 0 })),
    }));
    const ranked = rankSessions(flat);
    const [one = 0, two = 0, three = 0, four = 0] = ["1", "2", "3", "4"].map((id) =>
      scoreOf(ranked, id),
    );
    expect(two - one).toBeGreaterThan(three - two);
    expect(three).toBeGreaterThan(two);
    expect(four).toBe(three);
  });
});

// Near passages as hits: what a reader sees of the turn, and what is left out.
import { expect, test } from "bun:test";
import { passagesOf } from "../../../plugins/semantic-search/passages.ts";
import { resultsOf } from "../../../plugins/semantic-search/search.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { noon, sampleTurn, shop } from "../../../src/testing/samples.ts";

const turn: Turn = {
  ...sampleTurn({
    files: [{ path: "src/a.ts", changed: true }],
    promptNumber: 4,
    pieces: [
      { kind: "prompt", text: `Why does the ${"very ".repeat(40)}long page reload?` },
      { kind: "said", text: "Because the form is sent twice." },
      { kind: "ran", text: "bun test", about: "the tests" },
      { kind: "closing", text: "  The form is sent once now, and\na test says so." },
      { kind: "passed", text: "3 pass" },
    ],
  }),
  id: "t7",
};
const passages = passagesOf(turn);
const near = (piece: number, likeness: number, id = "t7") => ({
  ...{ turn: id, likeness, hash: passages.find((one) => one.piece === piece)?.hash ?? "gone" },
});
const turns = new Map([["t7", turn]]);

test("a hit shows its turn: the first words as its title, the last that were said below, and the passage itself", () => {
  const [hit, ...others] = resultsOf([near(3, 0.61237), near(1, 0.5)], turns, {
    ...{ all: false, explain: false },
  });
  expect(others).toEqual([]);
  expect(hit).toEqual({
    ...{ id: "t7", kind: "turn", type: "turn", session: "session-1", project: shop.id },
    title: expect.stringMatching(/^Why does the very .{1,110}…$/),
    subtitle: "The form is sent once now, and a test says so.",
    ...{ createdAt: noon, promptNumber: 4, facts: [], files: ["src/a.ts"] },
    readTokens: expect.any(Number),
    score: 0.61237,
    excerpt: "The form is sent once now, and\na test says so.",
    piece: 3,
  });
  expect(hit?.title.length).toBeLessThanOrEqual(120);
  expect(hit?.readTokens).toBeGreaterThan(70);
});

test("all passages are hits where passages are asked for, each with why", () => {
  const hits = resultsOf([near(3, 0.61237), near(1, -0.25)], turns, { all: true, explain: true });
  expect(hits.map(({ piece, score, why }) => ({ piece, score, why }))).toEqual([
    {
      ...{ piece: 3, score: 0.61237 },
      why: { words: [], field: "closing", session: 0, documentRank: 1, likeness: 0.612 },
    },
    {
      ...{ piece: 1, score: 0 },
      why: { words: [], field: "said", session: 0, documentRank: 2, likeness: -0.25 },
    },
  ]);
});

test("what a turn does not say any more, and a turn that is gone, are no hits; its next passage is", () => {
  const hits = resultsOf([near(2, 0.9), near(1, 0.8), near(3, 0.7, "t8")], turns, {
    ...{ all: false, explain: false },
  });
  expect(hits.map(({ piece }) => piece)).toEqual([1]);
});

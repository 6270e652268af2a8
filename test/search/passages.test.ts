// Which passages of a document are found, and what each is worth, beside its neighbours.
import { expect, test } from "bun:test";
import type { Passage } from "../../src/search/document.ts";
import { type DocumentField, fields } from "../../src/search/document.ts";
import type { Candidate } from "../../src/search/filter.ts";
import type { TailDocument } from "../../src/search/index/forward.ts";
import type { Reader } from "../../src/search/index/reader.ts";
import { firstPassages, type RankedTerm, scorePassages } from "../../src/search/rank/bm25.ts";

type PassageLimits = Parameters<typeof scorePassages>[3];

const reader = {
  totals: () => ({ documents: 1, length: 3, passages: 1, passageLength: 3 }),
  documents: () => [],
} as Partial<Reader> as Reader;

interface Written {
  terms: string;
  field?: DocumentField;
  piece?: number;
  names?: string[];
}
/** A candidate of passages, each of which starts at its place. */
function candidate(...passages: Written[]): Candidate {
  const made = passages.map(
    ({ terms, field = "said", piece = 0, names = [] }, start): Passage => ({
      ...{ field: fields[field].code, piece, start, end: start + 1, names },
      terms: terms.split(" "),
    }),
  );
  return {
    score: 1,
    tail: { id: "d", analysed: { passages: made } } as Partial<TailDocument> as TailDocument,
  };
}
const term = (word: string, more: Partial<RankedTerm> = {}): RankedTerm => ({
  ...{ term: word, word, isName: false, weight: 1, packed: undefined },
  ...{ documentRarity: 1, passageRarity: 1, ...more },
});
const scored = (
  of: Candidate,
  terms = [term("a"), term("b")],
  limits: Partial<PassageLimits> = {},
) => scorePassages(reader, [of], terms, { phrases: [], ...limits })[0]?.passages ?? [];
const starts = (...of: Parameters<typeof scored>) => scored(...of).map(({ start }) => start);

test.each<[string, Written, Written]>([
  ["a rare word over two filler words", { terms: "a x x" }, { terms: "x x x" }],
  ["two words over one", { terms: "a b x" }, { terms: "a x x" }],
  ["a short passage over a long one", { terms: "a x" }, { terms: "a x x x x" }],
  ["a commit over what was said", { terms: "a", field: "commit" }, { terms: "a" }],
  ["a name beside the words counts", { terms: "x x x", names: ["a"] }, { terms: "x x x" }],
])("%s", (_, better, worse) => {
  expect(starts(candidate(worse, better))[0]).toBe(1);
});

test.each([
  ["guessed", { weight: 0.5 }],
  ["common", { passageRarity: 0.5 }],
])("a %s word adds less", (_, more) => {
  expect(starts(candidate({ terms: "b" }, { terms: "a" }), [term("a"), term("b", more)])).toEqual([
    1, 0,
  ]);
});

test("what a passage has of each word adds up to its score", () => {
  const [passage] = scored(candidate({ terms: "a b a" }));
  const parts = passage?.parts ?? [];
  expect(parts.map((part) => part.term)).toEqual([0, 1]);
  expect(parts.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(passage?.score ?? 0);
});

test("neighbours lend a half, the next but one a quarter, before as after", () => {
  const list = ["x", "x", "a", "x", "a"].map((terms): Written => ({ terms }));
  const found = scored(candidate(...list, { terms: "a" })).toSorted((l, r) => l.start - r.start);
  const one = found[0]?.score ?? 0;
  expect(found.map(({ start, around }) => [start, Math.round((100 * around) / one)])).toEqual([
    [2, 125],
    [4, 175],
    [5, 150],
  ]);
});

test.each<[string, Written[], string[][], boolean]>([
  ["stands side by side", [{ terms: "x a b" }], [["a", "b"]], true],
  ["is not found the other way round", [{ terms: "b a" }], [["a", "b"]], false],
  ["begins at a later place of its first word", [{ terms: "a a b" }], [["a", "b"]], true],
  ["goes over the end of a passage", [{ terms: "x a" }, { terms: "b x" }], [["a", "b"]], true],
  [
    "never goes over the end of a piece",
    [{ terms: "a" }, { terms: "b", piece: 1 }],
    [["a", "b"]],
    false,
  ],
  ["with a word that was not resolved is nowhere", [{ terms: "a x" }], [["a", "unknown"]], false],
  [
    "is wanted beside the other",
    [{ terms: "a b x" }],
    [
      ["a", "b"],
      ["b", "a"],
    ],
    false,
  ],
])("a phrase %s", (_, passages, phrases, isFound) => {
  expect(scored(candidate(...passages), undefined, { phrases }).length > 0).toBe(isFound);
});

test("only passages of the wanted fields are shown, and documents without any are left out", () => {
  const of = candidate({ terms: "a" }, { terms: "a", field: "prompt" });
  expect(starts(of, undefined, { fields: ["prompt"] })).toEqual([1]);
  const nothing = scorePassages(reader, [of], [term("a")], { phrases: [], fields: ["commit"] });
  expect(nothing).toEqual([]);
});

test("without words documents fall in the order given, each by its first passage", () => {
  const found = firstPassages(reader, [
    candidate({ terms: "x" }, { terms: "y" }),
    candidate({ terms: "z" }),
  ]);
  expect(found.map(({ score, passages }) => [score, passages.map(({ start }) => start)])).toEqual([
    [1, [0]],
    [0.5, [0]],
  ]);
});

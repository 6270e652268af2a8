// Stored words near a mistyped one: the index reads few of them, and misses none.
import { describe, expect, test } from "bun:test";
import { openReader } from "../../src/search/index/reader.ts";
import { storedWords } from "../../src/search/search.ts";
import { distance } from "../../src/text/distance.ts";
import { numbers } from "../support/synthetic-turns.ts";
import { document, indexOf } from "./support.ts";

const random = numbers(7);
const below = (limit: number) => Math.floor(random() * limit);
const letter = () => "aeinorst"[below(8)] ?? "";

/** One slip of the hand, the first letter left as it is. */
function mistyped(word: string): string {
  const at = 1 + below(word.length - 2);
  const [before, after] = [word.slice(0, at), word.slice(at)];
  switch (below(4)) {
    case 0:
      return before + after.slice(1);
    case 1:
      return before + letter() + after;
    case 2:
      return before + letter() + after.slice(1);
    default:
      return `${before}${after[1] ?? ""}${after[0]}${after.slice(2)}`;
  }
}

const words = Array.from({ length: 1_500 }, () =>
  Array.from({ length: 3 + below(10) }, letter).join(""),
);

describe.each([
  ["packed", true],
  ["in the tail", false],
] as const)("%s", (_, packed) => {
  test("every word that is one or two errors away is among those that are looked at", async () => {
    const texts = Array.from({ length: 30 }, (_value, i) => words.slice(i * 50, i * 50 + 50));
    const { db } = await indexOf(
      texts.map((text) => text.join(" ")),
      packed,
    );
    const reader = openReader(db);
    reader.refresh();
    const stored = storedWords(db, reader);
    const all = "aeinorst".split("").flatMap((start) => stored.beginning(start, 1, 40));
    expect(all.length).toBeGreaterThan(1_000);
    for (const word of words.filter(({ length }) => length > 3)) {
      const most = word.length > 7 ? 2 : 1;
      const typed = most === 1 ? mistyped(word) : mistyped(mistyped(word));
      if (typed.length < 4 || typed.length > 7 !== most > 1) continue;
      const isNear = (one: { word: string }) =>
        one.word[0] === typed[0] && distance(typed, one.word, most) <= most;
      const near = stored.near(typed, most).filter(isNear);
      expect(near.map((one) => one.term).sort()).toEqual(
        all
          .filter(isNear)
          .map((one) => one.term)
          .sort(),
      );
    }
  });
});

describe.each([
  ["packed", true],
  ["in the tail", false],
] as const)("stored words, %s", (_, packed) => {
  const opened = async () => {
    const { db } = await indexOf(["Tokens token", "tokens of login.ts", "tok3n Ledger"], packed);
    const reader = openReader(db);
    reader.refresh();
    return storedWords(db, reader);
  };

  test("are found among inflections, as they were first written, with their documents", async () => {
    const { among } = await opened();
    expect(among(["token", "tokening", "zebra"])).toEqual([
      { term: "token", word: "tokens", documents: 2 },
    ]);
    expect(among(["ledger"])).toEqual([{ term: "ledger", word: "ledger", documents: 1 }]);
  });

  test("are found by their beginning and length, both ends included; names are no words", async () => {
    const { beginning } = await opened();
    const found = (start: string, shortest: number, longest: number) =>
      beginning(start, shortest, longest).map(({ word }) => word);
    expect([found("tok", 6, 6), found("tok", 7, 9), found("tok", 1, 5)]).toEqual([
      ["tokens"],
      [],
      [],
    ]);
    expect(found("login.", 1, 20)).toEqual([]);
    expect(found("tokensx", 1, 20)).toEqual([]);
  });

  test("that wait and that are packed count together", async () => {
    const { db, index } = await indexOf(["A ledger."], packed);
    index.put(document("Ledgers and a ledger.", { id: "more" }));
    const reader = openReader(db);
    reader.refresh();
    const { among, near, beginning } = storedWords(db, reader);
    for (const found of [among(["ledger"]), near("ledgar", 1), beginning("led", 4, 9)])
      expect(found.map(({ term, documents }) => [term, documents])).toEqual([["ledger", 2]]);
  });
});

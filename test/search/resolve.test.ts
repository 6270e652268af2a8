// A query against what is stored: which words count, what is taken instead of those that nothing has.
import { expect, test } from "bun:test";
import { openReader } from "../../src/search/index/reader.ts";
import { parseQuery, resolveTerms, storedWords } from "../../src/search/search.ts";
import { indexOf } from "./support.ts";

async function resolving(texts: string[], packed = true) {
  const { db } = await indexOf(texts, packed);
  const reader = openReader(db);
  reader.refresh();
  return (text: string) => resolveTerms(reader, storedWords(db, reader), parseQuery(text));
}

const words = (count: number, start = "word") =>
  Array.from({ length: count }, (_, i) => `${start}${i}`).join(" ");

test.each([true, false])(
  "a word that is stored counts in full, one that is guessed a fifth less (packed: %p)",
  async (packed) => {
    const resolve = await resolving(["The tokens expired.", "A ledger."], packed);
    const { terms, corrected } = resolve("tokens ledgr zebra");
    expect(terms.map(({ term, word, weight }) => [term, word, weight])).toEqual([
      ["token", "tokens", 1],
      ["ledger", "ledgr", 0.8],
    ]);
    expect(corrected).toEqual({ ledgr: "ledger" });
    for (const { documentRarity, passageRarity } of terms)
      expect([documentRarity > 0, passageRarity > 0]).toEqual([true, true]);
  },
);

test("a guess that was typed as well counts as typed", async () => {
  const resolve = await resolving(["A ledger."]);
  const { terms, corrected } = resolve("ledger lodger");
  expect(terms.map(({ term, weight }) => [term, weight])).toEqual([["ledger", 1]]);
  expect(corrected).toEqual({ lodger: "ledger" });
});

test("all that are equally near are taken, and named together", async () => {
  const resolve = await resolving(["cart", "cars cars", "cars"]);
  const { terms, corrected } = resolve("carx");
  expect(terms.map(({ term }) => term)).toEqual(["car", "cart"]);
  expect(corrected).toEqual({ carx: "cars, cart" });
});

test("three unknown words are guessed at, no name, and none in a text of more than twelve", async () => {
  const resolve = await resolving([`alpha bravo charlie delta login.ts ${words(20)}`]);
  expect(Object.keys(resolve("alphq bravp charlif deltb").corrected)).toEqual([
    "alphq",
    "bravp",
    "charlif",
  ]);
  expect(resolve("x/logim.tx").corrected).toEqual({ logim: "login" });
  expect(resolve(`${words(11)} alphq`).corrected).toEqual({ alphq: "alpha" });
  expect(resolve(`${words(12)} alphq`).corrected).toEqual({});
});

test("of a long text the 32 rarest words are looked for, of a shorter one all in the order typed", async () => {
  const resolve = await resolving([words(40, "rare"), ...Array(5).fill(words(10, "common"))]);
  const { terms } = resolve(`${words(10, "common")} ${words(40, "rare")}`);
  expect(terms).toHaveLength(32);
  expect(terms.filter(({ term }) => term.startsWith("common"))).toEqual([]);
  const short = resolve(`${words(10, "common")} ${words(22, "rare")}`).terms;
  expect(short.map(({ term }) => term).slice(0, 10)).toEqual(words(10, "common").split(" "));
  expect(short).toHaveLength(32);
});

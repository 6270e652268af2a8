// What is taken for a mistyped word, over a list of stored ones.
import { expect, test } from "bun:test";
import { corrections } from "../../src/search/search.ts";

type StoredWord = ReturnType<typeof corrections>[number];

const stored = (list: string): StoredWord[] =>
  list.split(" ").map((entry) => {
    const [word = "", documents = "1", term = word] = entry.split(":");
    return { term, word, documents: Number(documents) };
  });

/** What is taken for a word; each stored one as `word:documents:term`. */
function taken(typed: string, list: string): string[] {
  const words = stored(list);
  return corrections(
    {
      beginning: (start, shortest, longest) =>
        words.filter(
          ({ word }) => word.startsWith(start) && word.length >= shortest && word.length <= longest,
        ),
      near: (one) => words.filter(({ word }) => word[0] === one[0]),
      among: (some) => words.filter(({ word }) => some.includes(word)),
    },
    typed,
  ).map(({ word }) => word);
}

test.each<[string, string, string, string[]]>([
  ["one letter wrong", "tokem", "token ledger", ["token"]],
  ["two neighbours swapped", "tokne", "token", ["token"]],
  ["three errors in a longer word", "athenticatoim", "authentication", []],
  [
    "two errors in a longer word, near enough",
    "authentcaton",
    "authentication",
    ["authentication"],
  ],
  ["two errors in a short word", "tkoem", "token", []],
  ["the nearest alone", "tokens", "token tokenise tikens", ["token", "tikens"]],
  [
    "of equals those of most documents, three at most",
    "carts",
    "cart:1 card:9 care:5 cars:7 darts:99",
    ["cars", "cart"],
  ],
  ["words with the same first letter before others", "yoken", "yokel token", ["yokel"]],
  ["a wrong first letter where no other is near", "yoken", "token", ["token"]],
  ["a first letter that is missing", "oken", "token", ["token"]],
  ["a first letter too much", "ttoken", "token", ["token"]],
  ["the shortest that begins so", "auth", "authentication:9 authority author", ["author"]],
  ["another inflection of the word", "atribution", "attribute:3:attribut", ["attribute"]],
  [
    "another inflection, longer than what was typed",
    "worktre",
    "worktrees:2:worktre",
    ["worktrees"],
  ],
  ["no other word with a short stem", "ranking", "random:3:rand rans:1:ran", []],
  ["nothing for three letters", "tok", "token", []],
  ["nothing for what is no word", "tok3n", "token", []],
  ["nothing where nothing is near", "zebra", "token", []],
])("%s", (_, typed, list, wanted) => {
  expect(taken(typed, list)).toEqual(wanted);
});

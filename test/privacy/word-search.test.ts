// A search for many words finds what looking for each of them finds.
import { expect, test } from "bun:test";
import { createWordSearch } from "../../src/privacy/redact/runs.ts";
import { createRandom } from "./corpus/fake.ts";

type Hit = [word: string, at: number];

function hits(words: readonly string[], text: string): Hit[] {
  const found: Hit[] = [];
  createWordSearch(words)(text, (word, at) => found.push([words[word] ?? "", at]));
  return found;
}

const inOrder = (found: Hit[]): Hit[] =>
  found.sort(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1));

test("a word in lower case counts in any case, one with capitals only as it is written", () => {
  const words = ["cookie", "TRUE", "-u", "SK"];
  expect(inOrder(hits(words, "Cookie COOKIE true TRUE -U sk SK"))).toEqual([
    ["cookie", 0],
    ["cookie", 7],
    ["TRUE", 19],
    ["-u", 24],
    ["SK", 30],
  ]);
});

test("words are found at the beginning and the end, inside each other, and beyond ASCII", () => {
  expect(inOrder(hits(["ab", "abc", "bca", "κλειδί"], "abcab κλειδί ab"))).toEqual([
    ["ab", 0],
    ["abc", 0],
    ["bca", 1],
    ["ab", 3],
    ["κλειδί", 6],
    ["ab", 13],
  ]);
  expect(hits(["ab"], "")).toEqual([]);
  expect(hits(["abcd"], "abc")).toEqual([]);
});

test("a word of one character is refused: it would stand everywhere", () => {
  expect(() => createWordSearch([":"])).toThrow("too short");
});

test("in random texts it finds what looking for each word finds", () => {
  const random = createRandom("words");
  const letters = "abAB01-_:\n é*Jj";
  const pick = (length: number): string =>
    Array.from({ length }, () => letters.charAt(Math.floor(random() * letters.length))).join("");
  for (let round = 0; round < 300; round++) {
    const words = [...new Set(Array.from({ length: 8 }, () => pick(2 + Math.floor(random() * 4))))];
    const text = pick(Math.floor(random() * 200));
    const expected: Hit[] = words.flatMap((word) => {
      const anyCase = word === word.toLowerCase();
      const folded = anyCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
      return Array.from({ length: text.length }, (_, at): Hit => [word, at]).filter(([, at]) =>
        folded.startsWith(word, at),
      );
    });
    expect(inOrder(hits(words, text))).toEqual(inOrder(expected));
  }
});

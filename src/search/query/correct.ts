// Finds the stored words nearest to one that is not stored: typing errors and unfinished words.
import { distance } from "../../text/distance.ts";
import { stem } from "../text/stem.ts";

/** A term of the index as it was written somewhere. */
export interface StoredWord {
  term: string;
  word: string;
  documents: number;
}

/** Where stored words are looked up. Lengths are those of the word, in UTF-16 units, both inclusive. */
export interface Words {
  beginning(start: string, shortest: number, longest: number): StoredWord[];
  /** At least all words with the same first letter that are at most so many errors away, one or two. */
  near(word: string, most: number): StoredWord[];
  /** Those of these words that are stored, in any inflection. */
  among(words: readonly string[]): StoredWord[];
}

const suggestions = 3;
const longestWord = 32;
const shortestStem = 5;
const letters = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * At most three stored words, all equally near, most documents first: one typing error away for 4 to 7 letters, two for
 * longer ones (words with the same first letter come before others), else the shortest that begin with what was typed,
 * else those whose stem is one error away. Empty for shorter words, and for words that are not letters only.
 */
export function corrections(words: Words, word: string): StoredWord[] {
  if (!/^\p{L}{4,32}$/u.test(word)) return [];
  const most = word.length > 7 ? 2 : 1;
  const near = nearest(word, most, words.near(word, most));
  if (near.length > 0) return mostUsed(near);
  const close = nearest(word, 1, words.among(otherBeginnings(word)));
  if (close.length > 0) return mostUsed(close);
  const longer = completions(words, word);
  return mostUsed(longer.length > 0 ? longer : inflections(words, word));
}

/** A term stands in one spelling: `atribution` is three slips from `attribute`, and its stem one from theirs. */
function inflections(words: Words, word: string): StoredWord[] {
  const typed = stem(word);
  if (typed.length < shortestStem) return [];
  const alike = words.beginning(word.slice(0, 2), typed.length - 1, longestWord);
  return alike.filter(({ term }) => distance(typed, term, 1) <= 1);
}

/** What was meant if the first letter is wrong, missing, too much, or in the second place. */
function otherBeginnings(word: string): string[] {
  const rest = word.slice(1);
  const [first = "", second = ""] = word;
  const swapped = `${second}${first}${word.slice(2)}`;
  return [rest, swapped, ...letters.flatMap((letter) => [letter + rest, letter + word])];
}

function completions(words: Words, word: string): StoredWord[] {
  const found = words.beginning(word, word.length + 1, longestWord);
  const shortest = Math.min(...found.map((stored) => stored.word.length));
  return found.filter((stored) => stored.word.length === shortest);
}

function nearest(word: string, most: number, candidates: readonly StoredWord[]): StoredWord[] {
  let best = most;
  let found: StoredWord[] = [];
  for (const candidate of candidates) {
    const far = distance(word, candidate.word, best);
    if (far > best) continue;
    if (far < best) found = [];
    best = far;
    found.push(candidate);
  }
  return found;
}

function mostUsed(words: readonly StoredWord[]): StoredWord[] {
  return [...words].sort((a, b) => b.documents - a.documents).slice(0, suggestions);
}

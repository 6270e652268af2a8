// Statements by their words: is there one that says what another says? Pure.

import { codeNames, stopWords, unspacedRange } from "../../src/text/index.ts";

/** So much of a statement's words in one newer statement: the newer one says it. */
const superseding = 0.6;
/** Fewer words than this say too little to be compared. */
const fewest = 2;

/** Statements that were made by some moment. */
export interface Statements {
  /** True when one of them has most of these words. */
  say(terms: Terms): boolean;
  /** The words of a sentence, which may be one of them. */
  wordsOf(sentence: string): Terms;
}

/** Statements as they are added. */
interface GrowingStatements {
  /** Adds every sentence of a text; gives all their words. */
  add(text: string): Terms;
  /** Those added so far; what is added later is not among them. */
  upToNow(): Statements;
}

/** An empty collection. */
export function createStatements(): GrowingStatements {
  const byTerm = new Map<Term, number[]>();
  const words = new Map<string, Terms>();
  let count = 0;

  function wordsOf(sentence: string): Terms {
    const known = words.get(sentence);
    if (known) return known;
    const made = termsOf(sentence);
    words.set(sentence, made);
    return made;
  }

  function say(terms: Terms, end: number): boolean {
    if (terms.size < fewest) return false;
    const least = Math.max(fewest, Math.ceil(terms.size * superseding));
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const at of byTerm.get(term) ?? []) {
        if (at >= end) break;
        const now = (shared.get(at) ?? 0) + 1;
        if (now >= least) return true;
        shared.set(at, now);
      }
    return false;
  }

  return {
    add(text) {
      const all = new Set<Term>();
      for (const sentence of sentencesOf(text)) {
        const isNew = !words.has(sentence);
        const terms = wordsOf(sentence);
        for (const term of terms) all.add(term);
        if (!isNew || terms.size < fewest) continue;
        for (const term of terms) {
          const places = byTerm.get(term);
          if (places) places.push(count);
          else byTerm.set(term, [count]);
        }
        count++;
      }
      return all;
    },
    upToNow() {
      const end = count;
      return { say: (terms) => say(terms, end), wordsOf };
    },
  };
}

/** The number of a list item ends no sentence. */
const sentenceEnd = /(?<=[.!?…؟]["'”’)\]*_`]*)(?<!^\s*\d{1,3}\.)\s+|(?<=[。！？])/u;

/** Sentences of a text, line by line. */
export function sentencesOf(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => line.split(sentenceEnd))
    .filter((sentence) => sentence.trim() !== "");
}

// Words as subjects are compared by: no stop words, endings cut off, scripts without spaces by pairs. Pure.

/** A word as it is compared: of ASCII its first letters packed into a number, for a note reads some ten thousand. */
export type Term = number | string;
/** Words of a text that say what it is about. */
export type Terms = ReadonlySet<Term>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ascii = /^[\u0000-\u007f]*$/;
const words = /[\p{L}\p{N}_]{3,}/gu;
const wide = new RegExp(`[${unspacedRange}]+`, "g");
/** Longer words are compared by their beginning: `exported` and `export` are about the same. */
const stem = 5;
const shortest = 3;

/** What a character is worth in a packed word, by its code; 0 for one that is in no word. */
const digits = new Uint8Array(128);
[..."abcdefghijklmnopqrstuvwxyz0123456789_"].forEach((character, at) => {
  digits[character.charCodeAt(0)] = at + 1;
  digits[character.toUpperCase().charCodeAt(0)] = at + 1;
});
const base = 38;
/** Beginnings that a common word has: only of those the whole word is looked up. */
const commonBeginnings = new Set(
  [...stopWords].filter((word) => ascii.test(word)).map((word) => packed(word)),
);

/** The words of a text that say what it is about. */
export function termsOf(text: string): Set<Term> {
  const found = new Set<Term>();
  if (ascii.test(text)) {
    addAscii(text, found);
    return found;
  }
  let read = text.normalize("NFKC").toLowerCase();
  for (const run of read.match(wide) ?? [])
    for (let at = 0; at + 1 < run.length; at++) found.add(run.slice(at, at + 2));
  read = read.replace(wide, " ");
  for (const word of read.match(words) ?? [])
    if (ascii.test(word)) addAscii(word, found);
    else if (!stopWords.has(word)) found.add(word.slice(0, stem));
  return found;
}

function addAscii(text: string, found: Set<Term>): void {
  let start = 0;
  let term = 0;
  for (let at = 0; at <= text.length; at++) {
    const digit = at < text.length ? (digits[text.charCodeAt(at)] ?? 0) : 0;
    if (digit > 0) {
      if (at - start < stem) term = term * base + digit;
      continue;
    }
    if (at - start >= shortest && !isCommon(term, text, start, at)) found.add(term);
    start = at + 1;
    term = 0;
  }
}

function isCommon(term: number, text: string, start: number, end: number): boolean {
  return commonBeginnings.has(term) && stopWords.has(text.slice(start, end).toLowerCase());
}

function packed(word: string): number {
  let term = 0;
  for (let at = 0; at < Math.min(stem, word.length); at++)
    term = term * base + (digits[word.charCodeAt(at)] ?? 0);
  return term;
}

/** The share of `terms` that `others` have as well. */
export function coverage(terms: Terms, others: Terms): number {
  return terms.size === 0 ? 0 : sharedBy(terms, others) / terms.size;
}

/** How many of `terms` `others` have as well. */
export function sharedBy(terms: Terms, others: Terms): number {
  let shared = 0;
  for (const term of terms) if (others.has(term)) shared++;
  return shared;
}

/** Names are looked for at the beginning of a longer text. */
const namesRead = 8_000;
const path = /(?<![\w@.~-])[\w@.~-]{0,80}\/(?:[\w@./~-]{0,200}[\w/])?/g;

/** A capital inside a word: `DuckDB`, `GitHub`. */
const inner = /\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;

/** Names in a text that only code has: paths, files, identifiers. In lower case. */
export function namesIn(text: string): string[] {
  const read = text.slice(0, namesRead);
  const found = [...(read.match(path) ?? []), ...(read.match(inner) ?? []), ...codeNames(read)];
  const names = found.map((name) => name.toLowerCase().replace(/^\.\/|\/$/g, ""));
  return [...new Set(names)].filter((name) => name.length > 2);
}

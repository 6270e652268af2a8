// Words as subjects are compared by: no stop words, endings cut off, scripts without spaces by pairs. Pure.
import { codeNames, stopWords, unspacedRange } from "../../src/text/index.ts";

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

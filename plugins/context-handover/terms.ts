// Words as subjects are compared by: no stop words, endings cut off, scripts without spaces by pairs. Pure.
import { codeNames, stopWords } from "../../src/text/index.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ascii = /^[\u0000-\u007f]*$/;
const words = /[\p{L}\p{N}_]{3,}/gu;
const plainWords = /[a-z0-9_]{3,}/g;
const wide = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/g;
/** Longer words are compared by their beginning: `exported` and `export` are about the same. */
const stem = 5;

/** The words of a text that say what it is about. */
export function termsOf(text: string): Set<string> {
  const found = new Set<string>();
  const isPlain = ascii.test(text);
  let read = (isPlain ? text : text.normalize("NFKC")).toLowerCase();
  if (!isPlain) {
    for (const run of read.match(wide) ?? [])
      for (let at = 0; at + 1 < run.length; at++) found.add(run.slice(at, at + 2));
    read = read.replace(wide, " ");
  }
  for (const word of read.match(isPlain ? plainWords : words) ?? [])
    if (!stopWords.has(word)) found.add(word.slice(0, stem));
  return found;
}

/** The share of `terms` that `others` have as well. */
export function coverage(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return terms.size === 0 ? 0 : sharedBy(terms, others) / terms.size;
}

/** How many of `terms` `others` have as well. */
export function sharedBy(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
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

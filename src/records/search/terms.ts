// A search text as terms: what each word of it is looked for as.
import type { Database } from "../../host/sqlite.ts";
import { corrections } from "./correct.ts";
import { stem } from "./stem.ts";
import { stopWords } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** One word of the query. A record matches it by any of the variants. */
export interface Term {
  variants: string[];
  /** Records that have it inside the scope, counted up to a limit. */
  hits: number;
}

export interface Terms {
  /** Rarest first; words that nothing in the scope has are left out. */
  terms: Term[];
  /** Words that are stored nowhere and what was taken instead. */
  corrected: Record<string, string>;
}

/** Counts the records in scope that have any of the words, up to `limit` or a limit of its own. */
export type CountHits = (words: readonly string[], limit?: number) => number;

/** Distinct words of a text that are considered, and how many of them, the rarest, are searched for. */
const wordsConsidered = 30;
const termsSearched = 10;
/** How far the hits of a long text's words are counted to find the rarest. */
const roughly = 200;
/** Corrections a query: a long text that is full of unknown words is no typed search. */
const corrected = 3;

/**
 * Parses any text. `hits` counts the records with a word inside the scope, `exists` tells whether any record has it.
 */
export function parseTerms(
  db: Database,
  text: string,
  hits: CountHits,
  exists: (word: string) => boolean,
): Terms {
  const variants = queryWords(text);
  const found: Terms = { terms: [], corrected: {} };
  const isLong = variants.size > termsSearched;
  let unknown = 0;
  for (const [word, forms] of variants) {
    const count = hits(forms, isLong ? roughly : undefined);
    if (count > 0) {
      found.terms.push({ variants: forms, hits: count });
      continue;
    }
    if (isLong || unknown >= corrected || forms.some(exists)) continue;
    unknown++;
    const instead = corrections(db, word, (other) => hits([other]));
    if (instead.length === 0) continue;
    found.corrected[word] = instead.join(", ");
    found.terms.push({ variants: instead, hits: hits(instead) });
  }
  const rarestFirst = (a: Term, b: Term) => a.hits - b.hits;
  found.terms.sort(rarestFirst).splice(termsSearched);
  if (isLong)
    for (const term of found.terms) if (term.hits === roughly) term.hits = hits(term.variants);
  found.terms.sort(rarestFirst);
  return found;
}

/** Distinct words by stem, each with the identifier it stands in; without stop words, unless there is nothing else. */
function queryWords(text: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  const stems = new Set<string>();
  // No query is longer than this in words that count; a larger text would only cost time.
  for (const { word, whole } of wordsOf(text.slice(0, 20_000))) {
    if (stems.has(stem(word))) continue;
    stems.add(stem(word));
    all.set(word, whole === undefined ? [word] : [word, whole]);
  }
  const telling = [...all].filter(([word]) => !stopWords.has(word));
  return new Map((telling.length > 0 ? telling : [...all]).slice(0, wordsConsidered));
}

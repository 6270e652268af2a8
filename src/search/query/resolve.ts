// A parsed query against the index: what each word is worth, and what is taken instead of words that nothing has.
import type { Reader } from "../index/reader.ts";
import { type RankedTerm, weighTerm } from "../rank/candidates.ts";
import { corrections, type Words } from "./correct.ts";
import type { Parsed, Wanted } from "./parse.ts";

/** The query's terms, ready for ranking. */
export interface Resolved {
  terms: RankedTerm[];
  /** A typed word and the stored ones that were taken instead. */
  corrected: Record<string, string>;
}

/** Terms searched for; of a longer text the ones that tell most. */
const most = 32;
/** A longer text is no typed search: its unknown words are not guessed at. */
const guessedIn = 12;
const guessed = 3;
/** A guess counts less than what was typed. */
const guessWeight = 0.8;

/** Looks up every term. */
export function resolveTerms(reader: Reader, words: Words, { wanted }: Parsed): Resolved {
  const terms = new Map<string, RankedTerm>();
  const unknown: Wanted[] = [];
  for (const one of wanted) {
    const { documents, ...worth } = weighTerm(reader, one.term);
    if (documents > 0) terms.set(one.term, { ...one, ...worth, weight: 1 });
    else if (!one.isName) unknown.push(one);
  }
  const corrected: Record<string, string> = {};
  if (wanted.length <= guessedIn)
    for (const { word } of unknown.slice(0, guessed)) {
      const instead = corrections(words, word);
      if (instead.length === 0) continue;
      corrected[word] = instead.map((stored) => stored.word).join(", ");
      for (const { term } of instead) {
        const { documents: _, ...worth } = weighTerm(reader, term);
        if (!terms.has(term))
          terms.set(term, { term, word, isName: false, ...worth, weight: guessWeight });
      }
    }
  const found = [...terms.values()];
  if (found.length > most) found.sort((a, b) => b.documentRarity - a.documentRarity).splice(most);
  return { terms: found, corrected };
}

// Statements by their words: is there one that says what another says? Pure.
import { type Term, type Terms, termsOf } from "./terms.ts";

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

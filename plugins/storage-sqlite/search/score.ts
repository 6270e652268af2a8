// Ranks a record against the query: which terms it has, where it has them, how rare they are, how new it is.
import type { RecordKind } from "../../../src/sdk/index.ts";
import type { Column } from "./expression.ts";
import { stem } from "./stem.ts";
import { stopWords } from "./stop-words.ts";
import type { Term } from "./terms.ts";
import { wordsOf } from "./words.ts";

/** A term ready for comparison with texts. */
export interface RankedTerm {
  stems: ReadonlySet<string>;
  /** How much it tells: near 0 for a word that every record has. */
  rarity: number;
}

/** What one record is ranked by. */
export interface Ranked {
  kind: RecordKind;
  text: Partial<Record<Column, string>>;
  /** Epoch ms. */
  createdAt: number;
  superseded: boolean;
}

const fieldWeights: Record<Column, number> = {
  title: 10,
  facts: 5,
  subtitle: 4,
  labels: 3,
  narrative: 1,
};
/** Prompts repeat the words one searches with without saying what came of it. */
const kindWeights: Record<RecordKind, number> = {
  observation: 1,
  memory: 1,
  summary: 0.9,
  session: 0.8,
  prompt: 0.6,
};
const day = 86_400_000;

/** Terms as `score` wants them; `total` is the number of records searched. */
export function rankedTerms(terms: readonly Term[], total: number): RankedTerm[] {
  return terms.map(({ variants, hits }) => ({
    stems: new Set(variants.map(stem)),
    rarity:
      Math.log(1 + total / Math.max(1, hits)) * (variants.every((v) => stopWords.has(v)) ? 0.2 : 1),
  }));
}

/**
 * Higher is better. A term counts by its rarity and by the weightiest fields it stands in, each further occurrence for
 * less; records with more of the terms come out higher; age takes at most a tenth; a superseded record loses half.
 */
export function score(
  record: Ranked,
  terms: readonly RankedTerm[],
  columns: readonly Column[] | undefined,
  now: number,
): number {
  const weights = new Float64Array(terms.length);
  for (const column of columns ?? (Object.keys(fieldWeights) as Column[])) {
    const text = record.text[column];
    if (!text) continue;
    for (const index of termsIn(text, terms))
      weights[index] = (weights[index] ?? 0) + fieldWeights[column];
  }
  let sum = 0;
  let rarity = 0;
  let matched = 0;
  let matchedRarity = 0;
  terms.forEach((term, index) => {
    const weight = weights[index] ?? 0;
    rarity += term.rarity;
    if (weight === 0) return;
    matched++;
    matchedRarity += term.rarity;
    sum += (term.rarity * weight) / (weight + 1.5);
  });
  if (matched === 0) return 0;
  const coverage = (matched / terms.length + matchedRarity / rarity) / 2;
  const age = Math.max(0, now - record.createdAt) / day;
  const recency = 0.9 + 0.1 * Math.exp(-age / 60);
  return (
    sum *
    (0.3 + 0.7 * coverage) *
    kindWeights[record.kind] *
    recency *
    (record.superseded ? 0.5 : 1)
  );
}

/** Indexes of the terms that a text has. */
export function termsIn(text: string, terms: readonly RankedTerm[]): Set<number> {
  const found = new Set<number>();
  const check = (word: string) => {
    const stemmed = stem(word);
    terms.forEach((term, index) => {
      if (term.stems.has(stemmed)) found.add(index);
    });
  };
  for (const { word, whole } of wordsOf(text)) {
    check(word);
    if (whole !== undefined) check(whole);
    if (found.size === terms.length) break;
  }
  return found;
}

// Ranks a record against the query: which terms it has, where it has them, how rare they are, how new it is.
import type { RecordKind } from "../../sdk/storage.ts";
import type { Column } from "./expression.ts";
import { stem } from "./stem.ts";
import type { Term } from "./terms.ts";
import { isAscii, type Word, wordsOf } from "./words.ts";

/** A term ready for comparison with texts. */
export interface RankedTerm {
  stems: ReadonlySet<string>;
  /** What every word with one of the stems begins with: a stem differs from its words in its last letter at most. */
  starts: readonly string[];
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
  turn: 0.8,
};
const day = 86_400_000;

/** Terms as `score` wants them; `total` is the number of records searched. */
export function rankedTerms(terms: readonly Term[], total: number): RankedTerm[] {
  return terms.map(({ variants, hits }) => {
    const stems = new Set(variants.map(stem));
    return {
      stems,
      starts: [...stems].map((s) => (s.length > 2 ? s.slice(0, -1) : s)),
      rarity: Math.log(1 + total / Math.max(1, hits)),
    };
  });
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
export function termsIn(text: string, terms: readonly RankedTerm[]): number[] {
  const lower = text.toLowerCase();
  // Splitting every text into words would cost more than all the rest of a search: only what looks alike is split.
  const isPlain = isAscii(text);
  const words = isPlain ? [] : wordsOf(text);
  const found: number[] = [];
  terms.forEach((term, index) => {
    if (isPlain ? isNamed(text, lower, term) : words.some((word) => isWordOf(word, term)))
      found.push(index);
  });
  return found;
}

/** Looks at each place of an ASCII text where a word begins like the term. */
function isNamed(text: string, lower: string, term: RankedTerm): boolean {
  for (const start of term.starts) {
    for (let at = lower.indexOf(start); at >= 0; ) {
      let from = at;
      let to = at + start.length;
      while (from > 0 && isNameChar(text.charCodeAt(from - 1))) from--;
      while (to < text.length && isNameChar(text.charCodeAt(to))) to++;
      if (wordsOf(text.slice(from, to)).some((word) => isWordOf(word, term))) return true;
      at = lower.indexOf(start, to);
    }
  }
  return false;
}

function isWordOf({ word, whole }: Word, term: RankedTerm): boolean {
  return term.stems.has(stem(word)) || (whole !== undefined && term.stems.has(stem(whole)));
}

/** Letters, digits, `-` and `_`. */
function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 45 ||
    code === 95
  );
}

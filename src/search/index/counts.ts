// Sums over a document's passages: what its postings, its length and the index's totals are made of.
import type { Analysed } from "../analyse.ts";
import { fieldOf, fields } from "../document.ts";
import type { Forward } from "./forward.ts";

/** A document in sums, its terms as text or by number. */
export interface Counts<Term> {
  /** Weighted count by term; labels count once. */
  terms: Map<Term, number>;
  /** In how many passages a term stands; labels in none. */
  passages: Map<Term, number>;
  /** Weighted words. */
  length: number;
  passageLength: number;
}

/** Counts of an analysed document. */
export function countsOf({ passages, labels }: Analysed): Counts<string> {
  return counted(passages, labels);
}

/** Counts of a packed one: the same sums. */
export function countNumbers({ passages, labels }: Forward): Counts<number> {
  return counted(passages, labels);
}

function counted<Term>(
  passages: ReadonlyArray<{ field: number; terms: Term[]; names: Term[] }>,
  labels: readonly Term[],
): Counts<Term> {
  const counts: Counts<Term> = {
    terms: new Map(),
    passages: new Map(),
    length: 0,
    passageLength: 0,
  };
  for (const { field, terms, names } of passages) {
    const weight = fields[fieldOf(field)].document;
    for (const list of [terms, names])
      for (const term of list) counts.terms.set(term, (counts.terms.get(term) ?? 0) + weight);
    for (const term of new Set([...terms, ...names]))
      counts.passages.set(term, (counts.passages.get(term) ?? 0) + 1);
    counts.length += weight * terms.length;
    counts.passageLength += terms.length;
  }
  for (const label of labels) counts.terms.set(label, 1);
  return counts;
}

// Picks the documents worth a closer look: BM25 over all postings of the query's terms.
import type { Scope } from "../filter.ts";
import { keptLength } from "../index/columns.ts";
import { levelAt, levelOf, levels, readPostings, slotOf, spanSize } from "../index/postings.ts";
import type { KnownTerm, Reader } from "../index/reader.ts";
import type { TailDocument } from "../index/tail.ts";
import { documentBm25, rarity } from "./bm25.ts";
import { topOf } from "./top.ts";

/** A term that is looked for, with what the index knows of it. */
export interface RankedTerm {
  term: string;
  /** What was typed. */
  word: string;
  isName: boolean;
  /** Below 1 for what was only guessed. */
  weight: number;
  packed: KnownTerm | undefined;
  /** How much it tells in documents and in passages. */
  documentRarity: number;
  passageRarity: number;
}

/** A document that matched, packed or not. */
export type Candidate =
  | { score: number; number: number; tail?: undefined }
  | { score: number; number?: undefined; tail: TailDocument };

/** The best `count`, best first; equals: the newer first. `all` scores everything, which changes nothing but the time it takes. */
export function pickCandidates(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
  all = false,
): Candidate[] {
  const totals = reader.totals();
  const average = totals.documents > 0 ? totals.length / totals.documents : 1;
  const packed = packedScores(reader, terms, scope, count, average, all);
  const tail = tailScores(reader, terms, scope, average);
  return [...tail, ...packed].sort((a, b) => b.score - a.score).slice(0, count);
}

/** Made once: a search is synchronous, and leaves all scores 0. */
const scores = new Float32Array(spanSize);
const touched = new Int32Array(spanSize);
const postings = new Int32Array(spanSize);

/** What a term adds, and what it and all after it add at most. */
interface Weighted {
  number: number;
  weights: Weights;
  rest: number;
}

/**
 * Span by span, the rarest term first. What is too low to come in, with all that later terms could still add, is dropped;
 * where nothing is left of a span, its later terms are not read.
 */
function packedScores(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
  average: number,
  all: boolean,
): Candidate[] {
  const known: Weighted[] = [];
  let rest = 0;
  for (const term of byWorth(terms).toReversed()) {
    if (!term.packed) continue;
    rest += term.documentRarity * term.weight * (documentBm25.k1 + 1);
    known.unshift({ number: term.packed.number, weights: weightsOf(term, average), rest });
  }
  const top = topOf(count);
  for (let span = reader.spans() - 1; span >= 0 && known.length > 0; span--) {
    const found = scoreSpan(reader, known, scope, span, all ? 0 : top.floor());
    const base = span * spanSize;
    const floor = top.floor();
    for (let i = 0; i < found; i++) {
      const slot = touched[i] as number;
      const score = scores[slot] as number;
      if (score >= floor) top.add(base + slot, score);
    }
    scores.fill(0);
  }
  return top.sorted();
}

/** Scores the documents of a span and gives how many are in `touched`; all that can reach `floor` are. */
function scoreSpan(
  reader: Reader,
  known: readonly Weighted[],
  scope: Scope,
  span: number,
  floor: number,
): number {
  const mask = scope.mask?.(span);
  let count = 0;
  for (const { number, weights, rest } of known) {
    const least = floor - rest;
    if (least > 0) {
      count = keepFrom(count, least);
      if (count === 0) return 0;
    }
    for (const bytes of reader.postings(number, span, scope.projects)) {
      const lengths = reader.lengths(span);
      const size = readPostings(bytes, postings);
      if (least > 0) addToTouched(size, lengths, weights, least);
      else count = addToAll(size, lengths, weights, mask, count);
    }
  }
  return count;
}

/** Leaves in `touched` what has a score of at least that much. */
function keepFrom(count: number, least: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const slot = touched[i] as number;
    if ((scores[slot] as number) >= least) touched[kept++] = slot;
  }
  return kept;
}

function addToAll(
  size: number,
  lengths: Uint16Array,
  { tops, bases, perLength }: Weights,
  mask: Uint8Array | undefined,
  before: number,
): number {
  let count = before;
  for (let i = 0; i < size; i++) {
    const value = postings[i] as number;
    const slot = slotOf(value);
    if (mask !== undefined && mask[slot] === 0) continue;
    const level = levelAt(value);
    const score = scores[slot] as number;
    if (score === 0) touched[count++] = slot;
    scores[slot] =
      score +
      (tops[level] as number) / ((bases[level] as number) + perLength * (lengths[slot] as number));
  }
  return count;
}

/** To documents that can still come in, and to no other. */
function addToTouched(
  size: number,
  lengths: Uint16Array,
  { tops, bases, perLength }: Weights,
  least: number,
): void {
  for (let i = 0; i < size; i++) {
    const value = postings[i] as number;
    const slot = slotOf(value);
    const score = scores[slot] as number;
    if (score < least) continue;
    const level = levelAt(value);
    scores[slot] =
      score +
      (tops[level] as number) / ((bases[level] as number) + perLength * (lengths[slot] as number));
  }
}

/** As packed documents are scored, to the last bit: packing a document changes no answer. */
function tailScores(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  average: number,
): Candidate[] {
  const found: Candidate[] = [];
  const rarestFirst = byWorth(terms).map(({ term, ...rest }) => ({
    term,
    weights: weightsOf({ term, ...rest }, average),
  }));
  // The newest first, so that of equals the newer stays in front.
  const having = new Set(terms.flatMap(({ term }) => [...reader.tailTerms().having(term)]));
  for (const tail of [...having].sort((a, b) => b.number - a.number)) {
    const length = keptLength(tail.counts.length);
    let score = 0;
    for (const { term, weights } of rarestFirst) {
      const count = tail.counts.terms.get(term);
      if (count !== undefined) score = Math.fround(score + worth(weights, levelOf(count), length));
    }
    if (score > 0 && scope.allowsTail(tail)) found.push({ tail, score });
  }
  return found;
}

function byWorth<Term extends RankedTerm>(terms: readonly Term[]): Term[] {
  return terms.toSorted(
    (a, b) =>
      b.documentRarity * b.weight - a.documentRarity * a.weight || (a.term < b.term ? -1 : 1),
  );
}

/** What a term adds to a document: `tops[level] / (bases[level] + perLength * length)`, the length as a column keeps it. */
interface Weights {
  tops: Float64Array;
  bases: Float64Array;
  perLength: number;
}

function weightsOf(term: RankedTerm, average: number): Weights {
  const { k1, b } = documentBm25;
  const weight = term.documentRarity * term.weight;
  return {
    tops: Float64Array.from(levels, (level) => level * (k1 + 1) * weight),
    bases: Float64Array.from(levels, (level) => level + k1 * (1 - b)),
    // A column holds twice the length.
    perLength: (k1 * b) / (2 * average),
  };
}

function worth({ tops, bases, perLength }: Weights, level: number, length: number): number {
  return (tops[level] ?? 0) / ((bases[level] ?? 1) + perLength * length);
}

/** How much a term tells, from what the index knows of it and what the tail holds. */
export function weighTerm(
  reader: Reader,
  term: string,
): Pick<RankedTerm, "packed" | "documentRarity" | "passageRarity"> & { documents: number } {
  const packed = reader.term(term);
  let documents = packed?.documents ?? 0;
  let passages = packed?.passages ?? 0;
  for (const { counts } of reader.tailTerms().having(term)) {
    documents++;
    passages += counts.passages.get(term) ?? 0;
  }
  const totals = reader.totals();
  return {
    packed,
    documents,
    documentRarity: rarity(documents, Math.max(documents, totals.documents)),
    passageRarity: rarity(passages, Math.max(passages, totals.passages)),
  };
}

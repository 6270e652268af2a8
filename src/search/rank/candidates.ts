// Picks the documents worth a closer look: BM25 over all postings of the query's terms.
import type { Scope } from "../filter.ts";
import { keptLength } from "../index/columns.ts";
import { blockSize, levelOf, levels, unpackPostings } from "../index/postings.ts";
import type { KnownTerm, Reader } from "../index/reader.ts";
import type { TailDocument } from "../index/tail.ts";
import { documentBm25, rarity } from "./bm25.ts";
import { highest, leastOf } from "./top.ts";

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

/** From this many documents on a term is read only for those that can still matter. */
const commonFrom = 20_000;
const slotMask = blockSize - 1;
const slotBits = 13;

/** The best `count`, best first; equals: the newer first. */
export function pickCandidates(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
  common = commonFrom,
): Candidate[] {
  const totals = reader.totals();
  const average = totals.documents > 0 ? totals.length / totals.documents : 1;
  const packed = packedScores(reader, terms, scope, count, average, common);
  const tail = tailScores(reader, terms, scope, average);
  return [...tail, ...packed].sort((a, b) => b.score - a.score).slice(0, count);
}

function packedScores(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
  average: number,
  common: number,
): Candidate[] {
  const scores = new Float32Array(reader.size());
  const touched: number[] = [];
  const known = byWorth(terms).filter((term) => term.packed !== undefined);
  // What a term and all after it can add at most.
  const rest = known.map((_, i) =>
    known
      .slice(i)
      .reduce((sum, term) => sum + term.documentRarity * term.weight * (documentBm25.k1 + 1), 0),
  );
  known.forEach((term, i) => {
    if (!term.packed) return;
    const isCommon = term.packed.documents >= common && touched.length > count;
    const floor = isCommon ? leastOf(scores, touched, count) : 0;
    // A document that has nothing but this and later terms cannot come in any more.
    const least = floor > (rest[i] ?? 0) ? floor - (rest[i] ?? 0) : undefined;
    addTerm(reader, term, scope, average, scores, touched, least);
  });
  return highest(scores, touched, count).map((number) => ({ number, score: scores[number] ?? 0 }));
}

/** With `least`: only documents whose score is at least that already. */
function addTerm(
  reader: Reader,
  term: RankedTerm,
  scope: Scope,
  average: number,
  scores: Float32Array,
  touched: number[],
  least: number | undefined,
): void {
  const worth = worthOf(term, average);
  for (const { block, postings } of reader.postings(term.packed?.number ?? 0, scope.projects)) {
    const { lengths } = reader.columns(block);
    const mask = scope.mask?.(block);
    const base = block * blockSize;
    const values = unpackPostings(postings);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      const slot = value & slotMask;
      if (mask !== undefined && mask[slot] === 0) continue;
      const number = base + slot;
      const before = scores[number] ?? 0;
      if (least !== undefined && before < least) continue;
      if (before === 0) touched.push(number);
      scores[number] = before + worth(value >> slotBits, lengths[slot] ?? 0);
    }
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
  const rarestFirst = byWorth(terms);
  // The newest first, so that of equals the newer stays in front.
  const having = new Set(terms.flatMap(({ term }) => [...reader.tailTerms().having(term)]));
  for (const tail of [...having].sort((a, b) => b.number - a.number)) {
    const length = keptLength(tail.counts.length);
    let score = 0;
    for (const term of rarestFirst) {
      const count = tail.counts.terms.get(term.term);
      if (count !== undefined)
        score = Math.fround(score + worthOf(term, average)(levelOf(count), length));
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

/** What a term adds to a document, by the level of its count and the document's length as a column keeps it. */
function worthOf(term: RankedTerm, average: number): (level: number, length: number) => number {
  const { k1, b } = documentBm25;
  const weight = term.documentRarity * term.weight;
  const tops = levels.map((level) => level * (k1 + 1) * weight);
  const bases = levels.map((level) => level + k1 * (1 - b));
  // A column holds twice the length.
  const perLength = (k1 * b) / (2 * average);
  return (level, length) => (tops[level] ?? 0) / ((bases[level] ?? 1) + perLength * length);
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

// Ranks by BM25: picks the documents worth a closer look, over all postings of the query's terms, then scores their passages.
import {
  type DocumentFacts,
  type DocumentField,
  fieldOf,
  fields,
  type Passage,
} from "../document.ts";
import type { Candidate, Scope } from "../filter.ts";
import { type MatchedPassage, matchForward, type TailDocument } from "../index/forward.ts";
import type { KnownTerm, Reader } from "../index/reader.ts";
import { keptLength, levelAt, levelOf, levels, slotOf, spanSize } from "../index/schema.ts";

// BM25 as it is used twice: for documents and for their passages.

/** How fast a repeated word stops counting, and how much a long text is held against it. */
interface Bm25 {
  k1: number;
  b: number;
}

const documentBm25: Bm25 = { k1: 1.2, b: 0.75 };
const passageBm25: Bm25 = { k1: 1.2, b: 0.4 };

/** How much a term tells that `having` of `all` texts have; above 0 however common it is. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** What a term's count adds to a text, before its rarity. `length` is relative to the average. */
function saturation(count: number, length: number, { k1, b }: Bm25): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
}

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

/** How much a term tells, from what the index knows of it and what the tail holds. */
export function weighTerm(
  reader: Reader,
  term: string,
): Pick<RankedTerm, "packed" | "documentRarity" | "passageRarity"> & { documents: number } {
  const packed = reader.term(term);
  let documents = packed?.documents ?? 0;
  let passages = packed?.passages ?? 0;
  for (const { counts } of reader.tailHaving(term)) {
    documents++;
    passages += counts.terms.get(term)?.passages ?? 0;
  }
  const totals = reader.totals();
  return {
    packed,
    documents,
    documentRarity: rarity(documents, Math.max(documents, totals.documents)),
    passageRarity: rarity(passages, Math.max(passages, totals.passages)),
  };
}

// The documents worth a closer look.

/** The best `count`, best first; equals: the newer first. */
export function pickCandidates(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
): Candidate[] {
  const totals = reader.totals();
  const average = totals.documents > 0 ? totals.length / totals.documents : 1;
  const packed = packedScores(reader, terms, scope, count, average);
  const tail = tailScores(reader, terms, scope, average);
  return [...tail, ...packed].sort((a, b) => b.score - a.score).slice(0, count);
}

/** Made once: a search is synchronous, and leaves all scores 0. */
const scores = new Float32Array(spanSize);
const touched = new Int32Array(spanSize);
/** Those of the span at hand: postings jump about in them, and memory that was just written in one go is near. */
const lengths = new Uint16Array(spanSize);
/** For each level, up to which length a document that has no earlier term can still come in. */
const longest = new Float64Array(levels.length);

/** What a term adds to a document: `tops[level] / (bases[level] + perLength * length)`, the length as a column keeps it. */
interface Weights {
  tops: Float64Array;
  bases: Float64Array;
  perLength: number;
}

/** A term with what it adds. */
interface Weighted {
  number: number;
  weights: Weights;
  /** What it and all after it add at most: a document that lacks more of the floor is dropped before the term is read. */
  rest: number;
  /** What all after it add at most: decides whether a document that the term is the first of can still come in. */
  later: number;
}

/**
 * Span by span, the rarest term first. A document is skipped when even all remaining terms could not lift it among the best `count`
 * found so far, whose lowest score is the floor; where nothing is left of a span, its later terms are not read.
 */
function packedScores(
  reader: Reader,
  terms: readonly RankedTerm[],
  scope: Scope,
  count: number,
  average: number,
): Candidate[] {
  const known: Weighted[] = [];
  let rest = 0;
  for (const term of byWorth(terms).toReversed()) {
    if (!term.packed) continue;
    const later = rest;
    rest += term.documentRarity * term.weight * (documentBm25.k1 + 1);
    known.unshift({ number: term.packed.number, weights: weightsOf(term, average), rest, later });
  }
  const top = topOf(count);
  try {
    for (let span = reader.spans() - 1; span >= 0 && known.length > 0; span--) {
      const found = scoreSpan(reader, known, scope, span, top.floor());
      takeBest(top, span * spanSize, found);
    }
  } catch (error) {
    // A page that cannot be read must not change the next answer.
    scores.fill(0);
    throw error;
  }
  return top.sorted();
}

function takeBest(top: ReturnType<typeof topOf>, base: number, found: number): void {
  let floor = top.floor();
  for (let i = 0; i < found; i++) {
    const slot = touched[i] as number;
    const score = scores[slot] as number;
    scores[slot] = 0;
    if (score < floor) continue;
    top.add(base + slot, score);
    floor = top.floor();
  }
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
  let hasLengths = false;
  for (const { number, weights, rest, later } of known) {
    /** What a document must have by now. */
    const least = floor - rest;
    if (least > 0) {
      count = keepFrom(count, least);
      if (count === 0) return 0;
    }
    setLongest(weights, floor - later);
    const { bytes, ends } = reader.postings(number, span, scope.projects);
    if (ends.length > 0 && !hasLengths) {
      lengths.set(reader.lengths(span));
      hasLengths = true;
    }
    let begin = 0;
    for (const end of ends) {
      count = addTerm(bytes, begin, end, weights, mask, least, count);
      begin = end;
    }
  }
  return count;
}

/** Leaves in `touched` what has a score of at least that much; all others have none any more. */
function keepFrom(count: number, least: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const slot = touched[i] as number;
    if ((scores[slot] as number) >= least) touched[kept++] = slot;
    else scores[slot] = 0;
  }
  return kept;
}

/** Fills `longest`: the longer a text is, the less a term adds to it, so beyond some length one term no longer adds what is needed. */
function setLongest({ tops, bases, perLength }: Weights, need: number): void {
  for (let level = 0; level < levels.length; level++) {
    const most = (tops[level] as number) / need - (bases[level] as number);
    // One more: rounding must not leave out what belongs in.
    longest[level] = need > 0 ? most / perLength + 1 : Number.POSITIVE_INFINITY;
  }
}

/**
 * Adds a term to the documents of its postings whose score is at least that much, and gives how many are in `touched` then.
 * Reads as `readPostings` does, in one go: this runs for every posting of a query.
 */
function addTerm(
  bytes: Uint8Array,
  begin: number,
  end: number,
  { tops, bases, perLength }: Weights,
  mask: Uint8Array | undefined,
  least: number,
  before: number,
): number {
  let count = before;
  let slot = -1;
  for (let at = begin; at < end; ) {
    let value = bytes[at++] as number;
    // A span's numbers have three bytes at most; what stands behind the end of a torn list leads nowhere outside the span.
    if (value > 127) {
      const second = bytes[at++] as number;
      value = (value & 127) | ((second & 127) << 7);
      if (second > 127) value |= (bytes[at++] as number) << 14;
    }
    slot += slotOf(value) + 1;
    if (slot >= spanSize) return count;
    const score = scores[slot] as number;
    if (score < least) continue;
    const level = levelAt(value);
    const length = lengths[slot] as number;
    if (score === 0) {
      if (length > (longest[level] as number) || (mask !== undefined && mask[slot] === 0)) continue;
      touched[count++] = slot;
    }
    scores[slot] =
      score + (tops[level] as number) / ((bases[level] as number) + perLength * length);
  }
  return count;
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
  const having = new Set(terms.flatMap(({ term }) => [...reader.tailHaving(term)]));
  for (const tail of [...having].sort((a, b) => b.number - a.number)) {
    const length = keptLength(tail.counts.length);
    let score = 0;
    for (const { term, weights } of rarestFirst) {
      const count = tail.counts.terms.get(term);
      if (count) score = Math.fround(score + worth(weights, levelOf(count.weight), length));
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

// The passages of the documents that were picked.

/** A passage that has something of the query. */
export interface ScoredPassage {
  field: DocumentField;
  piece: number;
  start: number;
  end: number;
  score: number;
  /** The same with what its neighbours have of the query. */
  around: number;
  /** What each term of the query adds. */
  parts: Array<{ term: number; score: number }>;
}

/** A document with its passages, the best first. */
export interface ScoredDocument extends DocumentFacts {
  /** Of the document as a whole. */
  score: number;
  passages: ScoredPassage[];
}

/** What is taken of passages. */
interface PassageLimits {
  /** Only passages of these fields. */
  fields?: readonly DocumentField[];
  /** Terms of the query that must stand side by side. */
  phrases: ReadonlyArray<readonly string[]>;
}

/** The weight of a description's passages where it alone has something of the query; otherwise they have that of `fields` in document.ts, 0. */
const described = 0.2;

/** What the neighbours of a passage lend to it, the next and the next but one. */
const lent = [0.5, 0.25];

/** The documents in the same order; those in whose passages nothing of the query stands are left out. */
export function scorePassages(
  reader: Reader,
  candidates: readonly Candidate[],
  terms: readonly RankedTerm[],
  limits: PassageLimits,
): ScoredDocument[] {
  const totals = reader.totals();
  const average = totals.passages > 0 ? totals.passageLength / totals.passages : 1;
  const byText = new Map(terms.map(({ term }, index) => [term, index]));
  const byNumber = new Map(
    terms.flatMap(({ packed }, index) => (packed ? [[packed.number, index] as const] : [])),
  );
  const phrases = limits.phrases.map((phrase) => phrase.map((term) => byText.get(term) ?? -1));
  const numbers = candidates.flatMap(({ number }) => number ?? []);
  const packed = new Map(reader.documents(numbers).map((document) => [document.number, document]));
  const found: ScoredDocument[] = [];
  for (const candidate of candidates) {
    const document = candidate.tail ?? packed.get(candidate.number);
    if (!document) continue;
    const matched = isTail(document)
      ? document.analysed.passages.map((passage) => matchPassage(passage, byText))
      : matchForward(document.forward, byNumber, phrases.length > 0);
    if (!phrases.every((phrase) => hasPhrase(matched, phrase))) continue;
    const passages = scored(matched, terms, average, limits.fields);
    // What stands in no words of anybody, as the name of a tool that was run, is found where it was described.
    if (passages.length === 0 && !limits.fields)
      passages.push(...scored(matched, terms, average, ["described"], described));
    const { id, kind, session, project, time, position } = document;
    if (passages.length > 0)
      found.push({ id, kind, session, project, time, position, score: candidate.score, passages });
  }
  return found;
}

/** Documents in an order that no words gave: each by its first passage, falling. */
export function firstPassages(reader: Reader, candidates: readonly Candidate[]): ScoredDocument[] {
  const numbers = candidates.flatMap(({ number }) => number ?? []);
  const packed = new Map(reader.documents(numbers).map((document) => [document.number, document]));
  return candidates.flatMap((candidate, i) => {
    const document = candidate.tail ?? packed.get(candidate.number);
    if (!document) return [];
    const [first] = isTail(document)
      ? document.analysed.passages
      : matchForward(document.forward, new Map(), false);
    const score = 1 - i / candidates.length;
    const { piece = 0, start = 0, end = 0 } = first ?? {};
    const field = fieldOf(first?.field ?? fields.text.code);
    const { id, kind, session, project, time, position } = document;
    const passages = [{ field, piece, start, end, score, around: score, parts: [] }];
    return { id, kind, session, project, time, position, score, passages };
  });
}

function isTail(document: object): document is TailDocument {
  return "analysed" in document;
}

/** The same as a packed passage gives. */
function matchPassage(
  { field, piece, start, end, terms, names }: Passage,
  wanted: ReadonlyMap<string, number>,
): MatchedPassage {
  const order = terms.map((term) => wanted.get(term) ?? -1);
  const found = [...order, ...names.map((name) => wanted.get(name) ?? -1)];
  return {
    field,
    piece,
    start,
    end,
    length: terms.length,
    found: found.filter((term) => term >= 0),
    order,
  };
}

/** Whether the terms stand side by side in any piece, over the ends of its passages too. */
function hasPhrase(matched: readonly MatchedPassage[], phrase: readonly number[]): boolean {
  const pieces = new Map<number, number[]>();
  for (const { piece, order } of matched)
    pieces.set(piece, [...(pieces.get(piece) ?? []), ...(order ?? [])]);
  for (const terms of pieces.values())
    for (
      let at = terms.indexOf(phrase[0] ?? -2);
      at >= 0;
      at = terms.indexOf(phrase[0] ?? -2, at + 1)
    )
      if (phrase.every((term, i) => term >= 0 && terms[at + i] === term)) return true;
  return false;
}

function scored(
  matched: readonly MatchedPassage[],
  terms: readonly RankedTerm[],
  average: number,
  only: readonly DocumentField[] | undefined,
  least = 0,
): ScoredPassage[] {
  const found = matched.flatMap((passage): ScoredPassage[] => {
    const field = fieldOf(passage.field);
    const weight = Math.max(fields[field].passage, least);
    const parts = weight > 0 ? partsOf(passage, terms, average, weight) : [];
    const score = parts.reduce((sum, part) => sum + part.score, 0);
    const { piece, start, end } = passage;
    return [{ field, piece, start, end, score, around: score, parts }];
  });
  found.forEach((passage, at) => {
    lent.forEach((share, i) => {
      const before = found[at - i - 1]?.score ?? 0;
      const after = found[at + i + 1]?.score ?? 0;
      passage.around += share * (before + after);
    });
  });
  return found
    .filter(({ score, field }) => score > 0 && (only?.includes(field) ?? true))
    .sort((a, b) => b.score - a.score);
}

function partsOf(
  { found, length }: MatchedPassage,
  terms: readonly RankedTerm[],
  average: number,
  weight: number,
): ScoredPassage["parts"] {
  if (found.length === 0) return [];
  const counts = new Map<number, number>();
  for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts].map(([term, count]) => {
    const ranked = terms[term];
    const rare = (ranked?.passageRarity ?? 0) * (ranked?.weight ?? 0);
    return { term, score: rare * weight * saturation(count, length / average, passageBm25) };
  });
}

// The best of many, kept while the others are still being scored.

/** Keeps the `count` highest scores; of equals those of the higher numbers. */
function topOf(count: number) {
  // A heap: no entry is better than those below it, so that the first is the one to go.
  const numbers: number[] = [];
  const scores: number[] = [];
  function isWorse(a: number, b: number): boolean {
    const one = scores[a] as number;
    const other = scores[b] as number;
    return one < other || (one === other && (numbers[a] as number) < (numbers[b] as number));
  }
  function swap(a: number, b: number): void {
    const number = numbers[a] as number;
    const score = scores[a] as number;
    numbers[a] = numbers[b] as number;
    scores[a] = scores[b] as number;
    numbers[b] = number;
    scores[b] = score;
  }
  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!isWorse(at, above)) return;
      swap(at, above);
      at = above;
    }
  }
  function sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const right = left + 1;
      let worst = at;
      if (left < numbers.length && isWorse(left, worst)) worst = left;
      if (right < numbers.length && isWorse(right, worst)) worst = right;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  }
  return {
    /** What a score must reach to come in; 0 while there is room for any above 0. */
    floor: () => (numbers.length < count ? 0 : (scores[0] ?? 0)),
    add(number: number, score: number): void {
      if (numbers.length < count) {
        numbers.push(number);
        scores.push(score);
        rise(numbers.length - 1);
        return;
      }
      const least = scores[0] as number;
      if (score < least || (score === least && number < (numbers[0] as number))) return;
      numbers[0] = number;
      scores[0] = score;
      sink();
    },
    /** Best first; of equals the higher number. */
    sorted: (): Array<{ number: number; score: number }> =>
      numbers
        .map((number, at) => ({ number, score: scores[at] ?? 0 }))
        .sort((a, b) => b.score - a.score || b.number - a.number),
  };
}

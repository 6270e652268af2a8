// Ranks the passages of the documents that were picked.
import {
  type DocumentFacts,
  type DocumentField,
  fieldOf,
  fields,
  type Passage,
} from "../document.ts";
import type { Candidate } from "../filter.ts";
import { type MatchedPassage, matchForward, type TailDocument } from "../index/forward.ts";
import type { Reader } from "../index/reader.ts";
import { passageBm25, type RankedTerm, saturation } from "./candidates.ts";

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

/** The weight of a description where it alone has something of the query. */
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

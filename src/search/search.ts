// One search, stage by stage: parse, resolve, narrow, pick documents, rank their passages and their sessions, fuse phrasings.
import type { Database } from "../host/sqlite.ts";
import { type Scope, scopeOf } from "./filter.ts";
import type { Reader } from "./index/reader.ts";
import { storedWords } from "./index/words.ts";
import { parseQuery } from "./query/parse.ts";
import { resolveTerms } from "./query/resolve.ts";
import { pickCandidates, type RankedTerm } from "./rank/candidates.ts";
import { fuse, type Ranking } from "./rank/fuse.ts";
import { type ScoredDocument, scorePassages } from "./rank/passages.ts";
import type { Found, SearchRequest } from "./request.ts";

/** Documents whose passages are ranked. */
const pool = 150;
/** Documents that can be found by one query at all. */
const reach = 1_000;

/** Runs a request with at least one word in it; the empty answer when nothing of it is stored. */
export function runSearch(db: Database, reader: Reader, request: SearchRequest): Found {
  reader.refresh();
  const scope = scopeOf(db, reader, request.filter ?? {});
  const found: Found = { hits: [], corrected: {} };
  if (!scope.possible) return found;
  const rankings: Ranking[] = [];
  for (const text of request.texts) {
    const parsed = parseQuery(text);
    const { terms, corrected } = resolveTerms(reader, storedWords(db, reader), parsed);
    Object.assign(found.corrected, corrected);
    if (terms.length === 0) continue;
    const ranking = (phrases: string[][]) => rankOne(reader, scope, terms, phrases, request);
    const strict = ranking(parsed.phrases);
    // A phrase that stands nowhere is looked for by its words.
    const isLoose = parsed.phrases.length > 0 && strict.documents.length === 0;
    rankings.push(isLoose ? ranking([]) : strict);
  }
  found.hits = fuse(rankings, request);
  return found;
}

function rankOne(
  reader: Reader,
  scope: Scope,
  terms: readonly RankedTerm[],
  phrases: string[][],
  { fields, weigh }: SearchRequest,
): Ranking {
  const limits = { phrases, ...(fields ? { fields } : {}) };
  const candidates = pickCandidates(reader, terms, scope, reach);
  const isStrict = phrases.length > 0 || fields !== undefined;
  const documents = scorePassages(
    reader,
    isStrict ? candidates : candidates.slice(0, pool),
    terms,
    limits,
  );
  const factors = weigh?.(documents);
  const weighed = factors
    ? documents.flatMap((document, i) => scaled(document, factors[i] ?? 1))
    : documents;
  const rest = isStrict ? [] : candidates.slice(pool);
  return {
    documents: weighed,
    rest: () => scorePassages(reader, rest, terms, limits),
    terms,
  };
}

function scaled(document: ScoredDocument, factor: number): ScoredDocument | [] {
  if (factor === 1) return document;
  if (factor <= 0) return [];
  return {
    ...document,
    score: document.score * factor,
    passages: document.passages.map((passage) => ({
      ...passage,
      score: passage.score * factor,
      around: passage.around * factor,
    })),
  };
}

// One search, stage by stage: parse, resolve, narrow, pick documents, rank their passages and their sessions, fuse phrasings.
import type { Database } from "../host/sqlite.ts";
import { type Scope, scopeOf } from "./filter.ts";
import type { Reader } from "./index/reader.ts";
import { storedWords } from "./index/words.ts";
import { newestDocuments } from "./newest.ts";
import { type Parsed, parseQuery } from "./query/parse.ts";
import { resolveTerms } from "./query/resolve.ts";
import { type TimeWords, timeWords } from "./query/time-words.ts";
import { pickCandidates, type RankedTerm } from "./rank/candidates.ts";
import { fuse, type Ranking } from "./rank/fuse.ts";
import { firstPassages, type ScoredDocument, scorePassages } from "./rank/passages.ts";
import type { Found, SearchRequest } from "./request.ts";

/** Documents whose passages are ranked. */
const pool = 150;
/** Documents that can be found by one query at all. */
const reach = 1_000;

/** What is not of the time that was spoken of comes after what is. */
const otherTimes = 0.4;

/** Runs a request with at least one word in it; the empty answer when nothing of it is stored. */
export function runSearch(db: Database, reader: Reader, request: SearchRequest): Found {
  reader.refresh();
  const scope = scopeOf(db, reader, request.filter ?? {});
  const found: Found = { hits: [], corrected: {} };
  if (!scope.possible) return found;
  const rankings: Ranking[] = [];
  for (const text of request.texts) {
    const time = request.calendar && timeWords(text, request.calendar);
    if (time) found.time ??= spanOf(time);
    const parsed = parseQuery(time ? time.rest : text);
    if (time && !saysMore(parsed)) {
      rankings.push(newestOf(db, reader, request, time));
      continue;
    }
    const { terms, corrected } = resolveTerms(reader, storedWords(db, reader), parsed);
    Object.assign(found.corrected, corrected);
    if (terms.length === 0) continue;
    const ranking = (phrases: string[][]) => rankOne(reader, scope, terms, phrases, request, time);
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
  time: TimeWords | undefined,
): Ranking {
  const limits = { phrases, ...(fields ? { fields } : {}) };
  const isStrict = phrases.length > 0 || fields !== undefined;
  const candidates = pickCandidates(reader, terms, scope, isStrict ? reach : pool);
  const documents = scorePassages(reader, candidates, terms, limits);
  const factors = weigh?.(documents);
  const weighed = documents.flatMap((document, i) => {
    const inTime = !time || isIn(document.time, time) ? 1 : otherTimes;
    return scaled(document, (factors?.[i] ?? 1) * inTime);
  });
  // The fewer are picked, the more of the index need not be read: others only once they are paged to.
  const rest = () => {
    if (isStrict || candidates.length < pool) return [];
    const others = pickCandidates(reader, terms, scope, reach).slice(pool);
    return scorePassages(reader, others, terms, limits);
  };
  return { documents: weighed, rest, terms };
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

/** What is of a time, the newest first: nothing else was asked. */
function newestOf(
  db: Database,
  reader: Reader,
  { filter }: SearchRequest,
  { since, until }: TimeWords,
): Ranking {
  const from = Math.max(
    since ?? Number.NEGATIVE_INFINITY,
    filter?.since ?? Number.NEGATIVE_INFINITY,
  );
  const to = Math.min(until ?? Number.POSITIVE_INFINITY, filter?.until ?? Number.POSITIVE_INFINITY);
  const newest = newestDocuments(db, reader, { ...filter, since: from, until: to }, pool, 0);
  const documents = firstPassages(
    reader,
    newest.map(({ candidate }) => candidate),
  );
  return { documents, rest: () => [], terms: [] };
}

/** Whether anything is asked but the time: "what did we do" is not. */
function saysMore({ wanted, onlyStops }: Parsed): boolean {
  return wanted.length > 0 && !onlyStops;
}

function isIn(time: number, { since, until }: TimeWords): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

function spanOf({ said, since, until }: TimeWords): NonNullable<Found["time"]> {
  return {
    said,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

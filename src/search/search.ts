// One search, stage by stage: narrow, parse, resolve, pick documents, rank their passages. In rank/fuse.ts sessions are ranked, and phrasings fused.
import type { Database } from "../host/sqlite.ts";
import { distance } from "../text/distance.ts";
import { stem, type Token, tokensOf } from "./document.ts";
import { newestDocuments, type Scope, scopeOf } from "./filter.ts";
import type { Reader } from "./index/reader.ts";
import { isWord as isWordTerm, spelling } from "./index/schema.ts";
import {
  firstPassages,
  pickCandidates,
  type RankedTerm,
  type ScoredDocument,
  scorePassages,
  weighTerm,
} from "./rank/bm25.ts";
import { type Found, fuse, type Ranking, type SearchRequest } from "./rank/fuse.ts";
import { eventWords, type TimeWords, timeWords } from "./time-words.ts";

/** Documents whose passages are ranked. */
const pool = 150;
/** Documents that can be found by one query at all, over all pages. */
export const reach = 1_000;

/** What is not of the time that was spoken of comes after what is. */
const otherTimes = 0.4;
/** The same for the time beside an event: who asks so says that it was then. */
const notBeside = 0.2;

/** Runs a request with at least one word in it; the empty answer when nothing of it is stored. */
export function runSearch(db: Database, reader: Reader, request: SearchRequest): Found {
  reader.refresh();
  const scope = scopeOf(db, reader, request.filter ?? {});
  const found: Found = { hits: [], corrected: {} };
  if (!scope.possible) return found;
  const rankings: Ranking[] = [];
  const search = (parsed: Parsed, time?: TimeWords): Ranking | undefined => {
    const { terms, corrected } = resolveTerms(reader, storedWords(db, reader), parsed);
    Object.assign(found.corrected, corrected);
    if (terms.length === 0) return undefined;
    const ranking = (phrases: string[][]) =>
      rankPhrasing(reader, scope, terms, phrases, request, time);
    const strict = ranking(parsed.phrases);
    // A phrase that stands nowhere is looked for by its words.
    const isLoose = parsed.phrases.length > 0 && strict.documents.length === 0;
    return isLoose ? ranking([]) : strict;
  };
  for (const text of request.texts) {
    const own = request.calendar && timeWords(text, request.calendar);
    const beside = request.calendar && !own ? besideEvent(text, search) : undefined;
    const time = own ?? beside;
    if (time) found.time ??= spanOf(time);
    const parsed = parseQuery(time ? time.rest : text);
    if (time && !saysMore(parsed)) {
      rankings.push(newestOf(db, reader, request, time));
      continue;
    }
    const ranking = search(parsed, time);
    if (ranking) rankings.push(ranking);
  }
  found.hits = fuse(rankings, request);
  return found;
}

/** Of what an event's words find best, an earlier record is nearer to when it happened: later ones speak of it again. */
const alikeShare = 0.7;

/** The time beside an event that the text names: the event is found first. */
function besideEvent(
  text: string,
  search: (parsed: Parsed) => Ranking | undefined,
): TimeWords | undefined {
  const words = eventWords(text);
  if (!words) return undefined;
  const { event, isAfter, withinMs = Number.POSITIVE_INFINITY, rest } = words;
  const documents = search(parseQuery(event))?.documents ?? [];
  const least = alikeShare * Math.max(0, ...documents.map(({ score }) => score));
  const times = documents.filter(({ score }) => score >= least).map(({ time }) => time);
  if (times.length === 0) return undefined;
  const at = Math.min(...times);
  const span = isAfter
    ? { since: at + 1, until: at + withinMs }
    : { since: at - withinMs, until: at };
  return { ...span, said: event, rest, isBeside: true };
}

/** What one phrasing finds: documents are picked by BM25, their passages ranked, and both weighed by time and by what the caller says. */
function rankPhrasing(
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
    const inTime = !time || isIn(document.time, time) ? 1 : time.isBeside ? notBeside : otherTimes;
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

// A query as it was typed: its words, its identifiers as a whole, its quoted phrases.

/** One thing that is looked for. */
interface Wanted {
  /** What the index keeps. */
  term: string;
  /** What was typed, for explanations and corrections. */
  word: string;
  /** An identifier, a path, a file's name: found as a whole or not at all. */
  isName: boolean;
}

/** A parsed query. */
interface Parsed {
  wanted: Wanted[];
  /** Terms that have to stand side by side, in this order. */
  phrases: string[][];
  /** The words were all stop words, and are looked for all the same. */
  onlyStops: boolean;
}

/** No query is longer than this in words that count; a larger text would only cost time. */
const longest = 20_000;
const mostPhrases = 8;
const quoted = /["“”„«»「」『』]([^"“”„«»「」『』\n]{2,200})["“”„«»「」『』]/g;

/** Parses any text. Nothing in it is syntax but quotation marks. */
export function parseQuery(text: string): Parsed {
  const short = text.slice(0, longest);
  const tokens = tokensOf(short);
  const telling = tokens.filter((token) => !token.stop || token.names !== undefined);
  const onlyStops = telling.length === 0;
  return {
    wanted: wantedOf(onlyStops ? tokens : telling),
    phrases: phrasesOf(short),
    onlyStops,
  };
}

function wantedOf(tokens: readonly Token[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { word, term, names } of tokens) {
    if (!wanted.has(term)) wanted.set(term, { term, word, isName: false });
    // Single characters are found where they are all that is asked for; beside a pair they only match by chance.
    for (const name of names ?? [])
      if (name.length > 1 && !wanted.has(name))
        wanted.set(name, { term: name, word: name, isName: true });
  }
  return [...wanted.values()];
}

function phrasesOf(text: string): string[][] {
  const phrases: string[][] = [];
  for (const [, inner = ""] of text.matchAll(quoted)) {
    const terms = tokensOf(inner)
      .filter((token) => !token.stop)
      .map((token) => token.term);
    if (terms.length > 1 && phrases.length < mostPhrases) phrases.push(terms);
  }
  return phrases;
}

// A parsed query against the index: what each word is worth, and what is taken instead of words that nothing has.

/** The query's terms, ready for ranking. */
interface Resolved {
  terms: RankedTerm[];
  /** A typed word and the stored ones that were taken instead. */
  corrected: Record<string, string>;
}

/** A term of the index as it was written somewhere. */
interface StoredWord {
  term: string;
  word: string;
  documents: number;
}

/** Where stored words are looked up. Lengths are those of the word, in UTF-16 units, both inclusive. */
interface Words {
  beginning(start: string, shortest: number, longest: number): StoredWord[];
  /** At least all words with the same first letter that are at most so many errors away, one or two. */
  near(word: string, most: number): StoredWord[];
  /** Those of these words that are stored, in any inflection. */
  among(words: readonly string[]): StoredWord[];
}

/** Terms searched for; of a longer text the ones that tell most. */
const most = 32;
/** A longer text is no typed search: its unknown words are not guessed at. */
const guessedIn = 12;
const guessed = 3;
/** A guess counts less than what was typed. */
const guessWeight = 0.8;

/** Looks up every term. */
export function resolveTerms(reader: Reader, words: Words, { wanted }: Parsed): Resolved {
  const terms = new Map<string, RankedTerm>();
  const unknown: Wanted[] = [];
  for (const one of wanted) {
    const { documents, ...worth } = weighTerm(reader, one.term);
    if (documents > 0) terms.set(one.term, { ...one, ...worth, weight: 1 });
    else if (!one.isName) unknown.push(one);
  }
  const corrected: Record<string, string> = {};
  if (wanted.length <= guessedIn)
    for (const { word } of unknown.slice(0, guessed)) {
      const instead = corrections(words, word);
      if (instead.length === 0) continue;
      corrected[word] = instead.map((stored) => stored.word).join(", ");
      for (const { term } of instead) {
        const { documents: _, ...worth } = weighTerm(reader, term);
        if (!terms.has(term))
          terms.set(term, { term, word, isName: false, ...worth, weight: guessWeight });
      }
    }
  const found = [...terms.values()];
  if (found.length > most) found.sort((a, b) => b.documentRarity - a.documentRarity).splice(most);
  return { terms: found, corrected };
}

// Finds the stored words nearest to one that is not stored: typing errors and unfinished words.

const suggestions = 3;
const longestWord = 32;
const shortestStem = 5;
const letters = [..."abcdefghijklmnopqrstuvwxyz"];

/**
 * At most three stored words, all equally near, most documents first: one typing error away for 4 to 7 letters, two for
 * longer ones (words with the same first letter come before others), else the shortest that begin with what was typed,
 * else those whose stem is one error away. Empty for shorter words, and for words that are not letters only.
 */
export function corrections(words: Words, word: string): StoredWord[] {
  if (!/^\p{L}{4,32}$/u.test(word)) return [];
  const most = word.length > 7 ? 2 : 1;
  const near = nearest(word, most, words.near(word, most));
  if (near.length > 0) return mostUsed(near);
  const close = nearest(word, 1, words.among(otherBeginnings(word)));
  if (close.length > 0) return mostUsed(close);
  const longer = completions(words, word);
  return mostUsed(longer.length > 0 ? longer : inflections(words, word));
}

/** A term stands in one spelling: `atribution` is three slips from `attribute`, and its stem one from theirs. */
function inflections(words: Words, word: string): StoredWord[] {
  const typed = stem(word);
  if (typed.length < shortestStem) return [];
  const alike = words.beginning(word.slice(0, 2), typed.length - 1, longestWord);
  return alike.filter(({ term }) => distance(typed, term, 1) <= 1);
}

/** What was meant if the first letter is wrong, missing, too much, or in the second place. */
function otherBeginnings(word: string): string[] {
  const rest = word.slice(1);
  const [first = "", second = ""] = word;
  const swapped = `${second}${first}${word.slice(2)}`;
  return [rest, swapped, ...letters.flatMap((letter) => [letter + rest, letter + word])];
}

function completions(words: Words, word: string): StoredWord[] {
  const found = words.beginning(word, word.length + 1, longestWord);
  const shortest = Math.min(...found.map((stored) => stored.word.length));
  return found.filter((stored) => stored.word.length === shortest);
}

function nearest(word: string, most: number, candidates: readonly StoredWord[]): StoredWord[] {
  let best = most;
  let found: StoredWord[] = [];
  for (const candidate of candidates) {
    const far = distance(word, candidate.word, best);
    if (far > best) continue;
    if (far < best) found = [];
    best = far;
    found.push(candidate);
  }
  return found;
}

function mostUsed(words: readonly StoredWord[]): StoredWord[] {
  return [...words].sort((a, b) => b.documents - a.documents).slice(0, suggestions);
}

// The words that are stored, for corrections: those of packed documents and those of the tail.

type WordRow = StoredWord & Record<string, number | string>;

/** A look-up of stored words. */
export function storedWords(db: Database, reader: Reader): Words {
  const { word: written, initial, length, isWord } = spelling;
  const fields = `term, ${written} AS word, documents`;
  const beginning = db.prepare<WordRow>(
    `SELECT ${fields} FROM search_terms WHERE term >= $from AND term < $to
     AND substr(${written}, 1, length($start)) = $start AND ${length} BETWEEN $shortest AND $longest AND ${isWord}`,
  );
  const near = db.prepare<WordRow>(
    `SELECT ${fields} FROM search_terms INDEXED BY search_terms_by_spelling
     WHERE ${initial} = $initial AND ${length} BETWEEN $shortest AND $longest AND ${isWord}
     AND (instr(${written}, $first) OR instr(${written}, $second) OR instr(${written}, $third))`,
  );
  const exactly = db.prepare<WordRow>(`SELECT ${fields} FROM search_terms WHERE term = ?`);

  return {
    beginning(start, shortest, longest) {
      const fits = (word: string) =>
        word.startsWith(start) && word.length >= shortest && word.length <= longest;
      // A stem may differ from its word in the last letters; what was typed may be longer than the stem.
      const from = start.slice(0, 3);
      const stored = beginning
        .all({ from, to: `${from}\u{10ffff}`, start, shortest, longest })
        .filter(({ word }) => fits(word));
      return merged([...stored, ...tailWords(reader, fits)]);
    },
    near(typed, most) {
      const [first = "", second = first, third = second] = untouched(typed, most);
      const [start = ""] = typed;
      const [shortest, longest] = [typed.length - most, typed.length + most];
      const fits = (word: string) =>
        word.startsWith(start) && word.length >= shortest && word.length <= longest;
      const stored = near
        .all({ initial: start, shortest, longest, first, second, third })
        .filter(({ word }) => fits(word));
      return merged([...stored, ...tailWords(reader, fits)]);
    },
    among(words) {
      const terms = new Set(words.map(stem));
      return merged([
        ...[...terms].flatMap((term) => exactly.all([term])),
        ...tailWords(reader, (_, term) => terms.has(term)),
      ]);
    },
  };
}

/**
 * Parts of a word of which whatever is at most so many errors away, one or two, has at least one. They do not touch, so that
 * neighbours that change places spoil but one of them.
 */
function untouched(word: string, errors: number): string[] {
  const letters = [...word];
  if (letters.length < 5) {
    const [one = "", two = "", three = "", four = ""] = letters;
    return [one + two, three + four, one + three + two + four];
  }
  const size = (letters.length - errors) / (errors + 1);
  return Array.from({ length: errors + 1 }, (_, part) => {
    const start = Math.round(part * (size + 1));
    return letters.slice(start, Math.round((part + 1) * (size + 1)) - 1).join("");
  });
}

/** Words of the tail that pass. Labels stand in no passage, and are no words. */
function tailWords(reader: Reader, passes: (word: string, term: string) => boolean): StoredWord[] {
  const found: StoredWord[] = [];
  for (const [term, having] of reader.tailTerms()) {
    const [first] = having;
    const word = first?.analysed.words.get(term) ?? term;
    if (isWordTerm(term) && passes(word, term) && first?.counts.terms.get(term)?.passages)
      found.push({ term, word, documents: having.size });
  }
  return found;
}

/** One entry a term. */
function merged(words: readonly StoredWord[]): StoredWord[] {
  const found = new Map<string, StoredWord>();
  for (const word of words) {
    const known = found.get(word.term);
    if (known) known.documents += word.documents;
    else found.set(word.term, { ...word });
  }
  return [...found.values()];
}

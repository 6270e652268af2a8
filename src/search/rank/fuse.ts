// Decides the order of a search's hits. Several phrasings of one question become one list: sessions are ranked by their best, and each
// session's best stands first. What counts beside words (kind, age, project) is in the scores already, by `weigher` in records/search.ts.

import type { DocumentFacts, DocumentField } from "../document.ts";
import type { SearchFilter } from "../filter.ts";
import type { Calendar, TimeWords } from "../time-words.ts";
import type { RankedTerm, ScoredDocument, ScoredPassage } from "./bm25.ts";

/** What is asked. */
export interface SearchRequest {
  /** Phrasings of one question; the first is the asker's own. */
  texts: readonly string[];
  filter?: SearchFilter;
  /** Only what stands in these fields. */
  fields?: readonly DocumentField[];
  /** Sessions first, each by its best document (default), `turn` of each turn one alone; or documents or passages by their own score. */
  groupBy?: "session" | "turn" | "document" | "passage";
  /** Default 20. */
  limit?: number;
  offset?: number;
  /** Where it is given, words for times are read: what is of that time comes first. */
  calendar?: Calendar;
  /** A factor for each document that is about to be ranked: 1 changes nothing, 0 leaves it out. */
  weigh?: (documents: readonly ScoredDocument[]) => readonly number[];
}

/** Where the text stands that was found. */
export interface FoundPassage {
  field: DocumentField;
  /** Index in the document's pieces, and the stretch of its text in UTF-16 units. */
  piece: number;
  start: number;
  end: number;
}

/** Why a hit is there. */
export interface Why {
  /** What was looked for and found in the passage, and what each adds, most first. */
  words: Array<{ word: string; adds: number }>;
  /** The session's own score, which comes before that of the document. */
  session: number;
  /** The document's place among those that BM25 picked, from 1: before weights, passages and sessions count. */
  documentRank: number;
}

/** One document, or one passage of it. */
export interface Hit extends DocumentFacts {
  /** Higher is better; falls from hit to hit; comparable inside one answer only. */
  score: number;
  passage: FoundPassage;
  /** All passages of this document that have something of the query, the best first. */
  passages: FoundPassage[];
  why: Why;
}

/** The answer. */
export interface Found {
  hits: Hit[];
  /** Typed words that nothing has, and what was taken instead. */
  corrected: Record<string, string>;
  /** The time that was spoken of. */
  time?: Pick<TimeWords, "since" | "until" | "said">;
}

/** What one phrasing found. */
export interface Ranking {
  /** In the order in which they were picked. */
  documents: readonly ScoredDocument[];
  /** Documents that are found as well, but not worth ranking: in their order, to be added at the end. */
  rest: () => readonly ScoredDocument[];
  terms: readonly RankedTerm[];
}

/** Hits where nobody says how many. */
export const defaultLimit = 20;

/** A document or passage with all that the phrasings said of it. */
interface Fused {
  document: ScoredDocument;
  passage: ScoredPassage;
  terms: readonly RankedTerm[];
  documentRank: number;
  /** Sum over the phrasings, each from 0 to 1. */
  own: number;
}

/** The hits of one page. */
export function fuse(rankings: readonly Ranking[], request: SearchRequest): Hit[] {
  const offset = request.offset ?? 0;
  const end = offset + (request.limit ?? defaultLimit);
  const entries = new Map<string, Fused>();
  const sessions = new Map<string, number>();
  for (const ranking of rankings) addRanking(entries, sessions, ranking, request.groupBy);
  const hits = ordered([...entries.values()], sessions, request.groupBy);
  if (hits.length < end) addRest(hits, rankings, entries);
  return (request.groupBy === "turn" ? oncePerTurn(hits) : hits).slice(offset, end);
}

// One phrasing: what each of its documents is worth, with what stands beside it and with its session.

/** What a hit's own score is made of, beside its passage: its document as a whole, and its session. */
const documentShare = 1;
const sessionShare = 1;
/** How much the best other record of the same prompt adds to a turn: what was derived from it speaks for it. */
const besideShare = 0.3;
/** What of that a record derived from a turn gets: it holds only its own part, and would take the room of other prompts. */
const derivedShare = 0.5;
/** How much of a passage's score its neighbours have, where passages are ranked. */
const aroundShare = 0.7;

function addRanking(
  entries: Map<string, Fused>,
  sessions: Map<string, number>,
  { documents, terms }: Ranking,
  groupBy: SearchRequest["groupBy"],
): void {
  const best = most(documents.map(shownScore));
  const around = most(documents.flatMap(({ passages }) => passages.map((one) => one.around)));
  const whole = most(documents.map(({ score }) => score));
  const ranked = rankSessions(documents);
  const top = most(ranked.map(({ score }) => score));
  const alone = (document: ScoredDocument) =>
    shownScore(document) / best + (documentShare * document.score) / whole;
  const beside = bestBeside(documents, alone);
  const bySession = new Map(ranked.map(({ session, score }) => [session, score / top]));
  for (const [session, score] of bySession)
    sessions.set(session, (sessions.get(session) ?? 0) + score);
  documents.forEach((document, i) => {
    const shown = groupBy === "passage" ? document.passages : document.passages.slice(0, 1);
    for (const passage of shown) {
      const key =
        groupBy === "passage" ? `${document.id} ${passage.piece} ${passage.start}` : document.id;
      const itself = passage.score / best;
      const own =
        (groupBy === "passage"
          ? (1 - aroundShare) * itself + (aroundShare * passage.around) / around
          : itself) +
        (documentShare * document.score) / whole +
        besideShare * beside(document) +
        sessionShare * (bySession.get(document.session) ?? 0);
      const known = entries.get(key);
      if (known && known.own >= own) known.own += own;
      else
        entries.set(key, {
          document,
          passage,
          terms,
          documentRank: i + 1,
          own: own + (known?.own ?? 0),
        });
    }
  });
}

/** What a document's best passage has. */
function shownScore({ passages }: { passages: readonly ScoredPassage[] }): number {
  return passages[0]?.score ?? 0;
}

/** For each document what the best other one of its prompt is worth to it; 0 for what is of no prompt. */
function bestBeside(
  documents: readonly ScoredDocument[],
  worth: (document: ScoredDocument) => number,
): (document: ScoredDocument) => number {
  const prompts = Map.groupBy(documents, promptOf);
  return (document) => {
    const prompt = promptOf(document);
    const others = prompt === undefined ? [] : (prompts.get(prompt) ?? []);
    const best = others.reduce(
      (most, one) => (one === document ? most : Math.max(most, worth(one))),
      0,
    );
    const isDerived = document.kind !== "turn" && others.some(({ kind }) => kind === "turn");
    return isDerived ? derivedShare * best : best;
  };
}

/** Undefined for what is of no prompt. Work before the first counts as a turn in `oncePerTurn`; here nothing derived speaks for it. */
function promptOf({ session, position }: Pick<ScoredDocument, "session" | "position">) {
  return position > 0 ? `${position} ${session}` : undefined;
}

/** The highest; never 0, so that others can be divided by it. */
function most(scores: readonly number[]): number {
  return scores.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
}

// The sessions of one phrasing.

/** A session by what was found in it. */
interface RankedSession {
  session: string;
  score: number;
  /** Best first by what is shown of them. */
  documents: ScoredDocument[];
}

/** The best passages of a session, each counting less than the one before. */
const passagesCounted = 10;
const passageFall = 0.7;
/** Its best documents. */
const documentsCounted = 3;
const documentFall = 0.3;
const sessionDocumentShare = 0.5;
/** For each term of the query, the passages of the session that tell most of it: who says all of it somewhere, comes first. */
const perTermCounted = 3;
const perTermFall = 0.3;
const perTermShare = 1.5;

/** Best first; of equals the one with the newer document. */
function rankSessions(documents: readonly ScoredDocument[]): RankedSession[] {
  const groups = Map.groupBy(documents, ({ session }) => session);
  const sessions = [...groups].map(([session, found]) => ({
    session,
    byPassages: falling(
      found.flatMap(({ passages }) => passages.slice(0, passagesCounted).map(({ score }) => score)),
      passagesCounted,
      passageFall,
    ),
    byDocuments: falling(
      found.map(({ score }) => score),
      documentsCounted,
      documentFall,
    ),
    byTerms: byTerms(found),
    newest: Math.max(...found.map(({ time }) => time)),
    documents: [...found].sort(byShown),
  }));
  const most = (value: (session: (typeof sessions)[number]) => number) =>
    Math.max(...sessions.map(value), Number.MIN_VALUE);
  const passages = most(({ byPassages }) => byPassages);
  const whole = most(({ byDocuments }) => byDocuments);
  const all = most((session) => session.byTerms);
  return sessions
    .map(({ byPassages, byDocuments, byTerms: terms, ...session }) => ({
      ...session,
      score:
        byPassages / passages +
        (sessionDocumentShare * byDocuments) / whole +
        (perTermShare * terms) / all,
    }))
    .sort((a, b) => b.score - a.score || b.newest - a.newest);
}

function byTerms(documents: readonly ScoredDocument[]): number {
  const scores = new Map<number, number[]>();
  for (const { passages } of documents)
    for (const { parts } of passages)
      for (const { term, score } of parts) {
        const known = scores.get(term);
        if (known) known.push(score);
        else scores.set(term, [score]);
      }
  let sum = 0;
  for (const found of scores.values()) sum += falling(found, perTermCounted, perTermFall);
  return sum;
}

/** The best passage decides; of equals the newer document. */
function byShown(a: ScoredDocument, b: ScoredDocument): number {
  return shownScore(b) - shownScore(a) || b.time - a.time;
}

function falling(scores: readonly number[], count: number, fall: number): number {
  return scores
    .toSorted((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, score, i) => sum + score * fall ** i, 0);
}

// All phrasings together, in order.

/** What a session's further hits are worth beside the first hits of other sessions. */
const furtherShare = 0.8;

/** Each session's best in the order of the sessions; its others among those of later sessions that are worth less. */
function ordered(
  entries: readonly Fused[],
  sessions: ReadonlyMap<string, number>,
  groupBy: SearchRequest["groupBy"] = "session",
): Hit[] {
  const sorted = [...entries].sort((a, b) => b.own - a.own || b.document.time - a.document.time);
  const scoreOf = ({ document }: Fused) => sessions.get(document.session) ?? 0;
  if (groupBy !== "session" && groupBy !== "turn")
    return sorted.map((entry) => hit(entry, entry.own, scoreOf(entry)));
  // A session's record says less than its turns: where one of them is found, it takes the session's place.
  const placed = groupBy === "turn" ? sorted.toSorted(sessionsLast) : sorted;
  const heads = new Map<string, Fused>();
  for (const entry of placed)
    if (!heads.has(entry.document.session)) heads.set(entry.document.session, entry);
  const first = [...heads.values()].sort((a, b) => scoreOf(b) - scoreOf(a));
  const shown = new Set(first);
  const best = most(first.map(scoreOf));
  const highest = most(sorted.map(({ own }) => own));
  // First hits stand in front, so that of equals they come first.
  return [...first, ...sorted.filter((entry) => !shown.has(entry))]
    .map((entry) => {
      const session = scoreOf(entry) / best;
      // Never before the first of its own session.
      const further = Math.min(session, (furtherShare * entry.own) / highest);
      return hit(entry, shown.has(entry) ? session : further, session);
    })
    .sort((a, b) => b.score - a.score);
}

function sessionsLast(one: Fused, other: Fused): number {
  return Number(one.document.kind === "session") - Number(other.document.kind === "session");
}

function addRest(
  hits: Hit[],
  rankings: readonly Ranking[],
  entries: ReadonlyMap<string, Fused>,
): void {
  const known = new Set(entries.keys());
  let least = hits.at(-1)?.score ?? 0;
  for (const { rest, terms } of rankings)
    for (const document of rest()) {
      const [passage] = document.passages;
      if (!passage || known.has(document.id)) continue;
      known.add(document.id);
      least = Math.min(least, document.score);
      hits.push(hit({ document, passage, terms, documentRank: hits.length + 1, own: 0 }, least, 0));
    }
}

/** Of each turn the first; a session only where nothing of its turns is found. */
export function oncePerTurn<Of extends Pick<ScoredDocument, "kind" | "session" | "position">>(
  sorted: readonly Of[],
): Of[] {
  // Work before any prompt is a turn, too; what a session or a decision says is of none.
  const turnOf = ({ kind, session, position }: Of) =>
    position > 0 || (kind !== "session" && kind !== "memory")
      ? `${position} ${session}`
      : undefined;
  const withTurns = new Set(
    sorted.flatMap((one) => (turnOf(one) === undefined ? [] : one.session)),
  );
  const seen = new Set<string | undefined>();
  return sorted.filter((one) => {
    const turn = turnOf(one);
    if (one.kind === "session" && withTurns.has(one.session)) return false;
    if (turn !== undefined && seen.has(turn)) return false;
    seen.add(turn);
    return true;
  });
}

function hit(
  { document, passage, terms, documentRank }: Fused,
  score: number,
  session: number,
): Hit {
  const { id, kind, project, position, time, passages } = document;
  const { parts } = passage;
  return {
    id,
    kind,
    session: document.session,
    project,
    position,
    time,
    score,
    passage: foundAt(passage),
    passages: passages.map(foundAt),
    why: {
      words: parts
        .map((part) => ({ word: terms[part.term]?.word ?? "", adds: part.score }))
        .sort((a, b) => b.adds - a.adds),
      session,
      documentRank,
    },
  };
}

function foundAt({ field, piece, start, end }: ScoredPassage): FoundPassage {
  return { field, piece, start, end };
}

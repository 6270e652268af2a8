// Several phrasings of one question become one list of hits.
import type { FoundPassage, Hit, SearchRequest } from "../request.ts";
import type { RankedTerm } from "./candidates.ts";
import type { ScoredDocument, ScoredPassage } from "./passages.ts";
import { rankSessions, shownScore } from "./sessions.ts";

/** What one phrasing found. */
export interface Ranking {
  /** In the order of their own scores. */
  documents: readonly ScoredDocument[];
  /** Documents that are found as well, but not worth ranking: in their order, to be added at the end. */
  rest: () => readonly ScoredDocument[];
  terms: readonly RankedTerm[];
}

const defaultLimit = 20;
/** What a hit's own score is made of, beside its passage: its document as a whole, and its session. */
const documentShare = 1;
const sessionShare = 1;
/** What a session's further hits are worth beside the first hits of other sessions. */
const furtherShare = 0.8;
/** How much the best other record of the same prompt adds to a turn: what was derived from it speaks for it. */
const besideShare = 0.3;
/** What of that a record derived from a turn gets: it holds only its own part, and would take the room of other prompts. */
const derivedShare = 0.5;
/** How much of a passage's score its neighbours have, where passages are ranked. */
const aroundShare = 0.7;

/** A document or passage with all that the phrasings said of it. */
interface Entry {
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
  const entries = new Map<string, Entry>();
  const sessions = new Map<string, number>();
  for (const ranking of rankings) addRanking(entries, sessions, ranking, request.by);
  const hits = ordered([...entries.values()], sessions, request.by);
  if (hits.length < end) addRest(hits, rankings, entries);
  return hits.slice(offset, end);
}

function addRanking(
  entries: Map<string, Entry>,
  sessions: Map<string, number>,
  { documents, terms }: Ranking,
  by: SearchRequest["by"],
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
    const shown = by === "passage" ? document.passages : document.passages.slice(0, 1);
    for (const passage of shown) {
      const key =
        by === "passage" ? `${document.id} ${passage.piece} ${passage.start}` : document.id;
      const itself = passage.score / best;
      const own =
        (by === "passage"
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

/** For each document what the best other one of its prompt is worth to it; 0 for what is of no prompt. */
function bestBeside(
  documents: readonly ScoredDocument[],
  worth: (document: ScoredDocument) => number,
): (document: ScoredDocument) => number {
  const promptOf = ({ session, position }: ScoredDocument) =>
    position > 0 ? `${position} ${session}` : undefined;
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

/** The highest; never 0, so that others can be divided by it. */
function most(scores: readonly number[]): number {
  return scores.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
}

function placeOf({ field, piece, start, end }: ScoredPassage): FoundPassage {
  return { field, piece, start, end };
}

/** Each session's best in the order of the sessions; its others among those of later sessions that are worth less. */
function ordered(
  entries: readonly Entry[],
  sessions: ReadonlyMap<string, number>,
  by: SearchRequest["by"] = "session",
): Hit[] {
  const sorted = [...entries].sort((a, b) => b.own - a.own || b.document.time - a.document.time);
  const scoreOf = ({ document }: Entry) => sessions.get(document.session) ?? 0;
  if (by !== "session") return sorted.map((entry) => hit(entry, entry.own, scoreOf(entry)));
  const heads = new Map<string, Entry>();
  for (const entry of sorted)
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

function addRest(
  hits: Hit[],
  rankings: readonly Ranking[],
  entries: ReadonlyMap<string, Entry>,
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

function hit(
  { document, passage, terms, documentRank }: Entry,
  score: number,
  session: number,
): Hit {
  const { id, kind, project, time, passages } = document;
  const { parts } = passage;
  return {
    id,
    kind,
    session: document.session,
    project,
    time,
    score,
    passage: placeOf(passage),
    passages: passages.map(placeOf),
    why: {
      words: parts
        .map((part) => ({ word: terms[part.term]?.word ?? "", adds: part.score }))
        .sort((a, b) => b.adds - a.adds),
      session,
      documentRank,
    },
  };
}

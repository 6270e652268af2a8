// Ranks sessions by their best passages and documents, and orders what was found: each session's best first, the rest after them.
import type { ScoredDocument, ScoredPassage } from "./passages.ts";

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
const documentShare = 0.5;
/** For each term of the query, the passages of the session that tell most of it: who says all of it somewhere, comes first. */
const perTermCounted = 3;
const perTermFall = 0.3;
const perTermShare = 1.5;

/** Best first; of equals the one with the newer document. */
export function rankSessions(documents: readonly ScoredDocument[]): RankedSession[] {
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
        (documentShare * byDocuments) / whole +
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

/** What a document's best passage has. */
export function shownScore({ passages }: { passages: readonly ScoredPassage[] }): number {
  return passages[0]?.score ?? 0;
}

function falling(scores: readonly number[], count: number, fall: number): number {
  return scores
    .toSorted((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, score, i) => sum + score * fall ** i, 0);
}

// Hits by words and hits by meaning become one list, by their scores: a question that words answer well has one hit far above the others, and keeps it. Pure.
import type { HookInput, SearchResult } from "../../src/sdk/index.ts";

type SearchQuery = HookInput<"storage.search">;

/** A session by meaning: its best hits, each counting half of the one before. */
const hitsCounted = 3;
const hitFall = 0.5;
/** What a session's further hits are worth beside the first hits of other sessions, as in the search by words. */
const furtherShare = 0.8;

/** A hit with its worth, from 0 to 1. */
interface Weighed {
  result: SearchResult;
  worth: number;
}

/** What the best hit by meaning counts beside the best by words, for a question in so many phrasings; and what is ranked. */
interface Weights {
  share: number;
  phrasings: number;
  by?: SearchQuery["by"];
}

/**
 * Both best first. The best of either list is worth 1, of those by meaning the last 0, for likenesses have no zero of their
 * own. Each further phrasing leaves words less of a gap, so that meaning counts the less.
 */
export function fuse(
  words: readonly SearchResult[],
  meaning: readonly SearchResult[],
  { share: alone, phrasings, by = "session" }: Weights,
): SearchResult[] {
  const share = alone / phrasings;
  const byWords = weighed(words, 0);
  const byMeaning = weighed(meaning, Math.min(...meaning.map(({ score }) => score)));
  const sorted = joinHits(byWords, byMeaning, share, by);
  const highest = sorted[0]?.worth || 1;
  if (by !== "session") return sorted.map(({ result, worth }) => scored(result, worth / highest));
  const sessions = joinSessions(byWords, byMeaning, share);
  const best = Math.max(...sessions.values()) || 1;
  const shown = new Set<string>();
  return sorted
    .map(({ result, worth }) => {
      const session = (sessions.get(result.session) ?? 0) / best;
      const isFirst = !shown.has(result.session);
      shown.add(result.session);
      // Never before the first of its own session.
      return scored(
        result,
        isFirst ? session : Math.min(session, (furtherShare * worth) / highest),
      );
    })
    .sort((a, b) => b.score - a.score);
}

function weighed(results: readonly SearchResult[], least: number): Weighed[] {
  const most = Math.max(...results.map(({ score }) => score));
  return results.map((result) => ({
    result,
    worth: most > least ? (result.score - least) / (most - least) : 1,
  }));
}

function joinHits(
  words: readonly Weighed[],
  meaning: readonly Weighed[],
  share: number,
  by: SearchQuery["by"],
): Weighed[] {
  const key = by === "passage" ? passageKey : ({ id, kind }: SearchResult) => `${kind} ${id}`;
  const found = firsts(words, key);
  for (const [name, { result, worth }] of firsts(meaning, key)) {
    const known = found.get(name);
    found.set(name, {
      result: known ? joined(known.result, result) : result,
      worth: (known?.worth ?? 0) + share * worth,
    });
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth);
}

/** Of those with one key the first, in their order. */
function firsts(list: readonly Weighed[], key: (result: SearchResult) => string) {
  const found = new Map<string, Weighed>();
  for (const one of list) if (!found.has(key(one.result))) found.set(key(one.result), one);
  return found;
}

/** By words a session is worth its first hit, which stands where its session stands. */
function joinSessions(
  words: readonly Weighed[],
  meaning: readonly Weighed[],
  share: number,
): Map<string, number> {
  const sessions = new Map<string, number>();
  for (const { result, worth } of words)
    sessions.set(result.session, Math.max(worth, sessions.get(result.session) ?? 0));
  const groups = Map.groupBy(meaning, ({ result }) => result.session);
  const near = [...groups].map(([session, found]) => {
    const best = found.map(({ worth }) => worth).sort((a, b) => b - a);
    const worth = best.slice(0, hitsCounted).reduce((sum, one, i) => sum + one * hitFall ** i, 0);
    return { session, worth };
  });
  const most = Math.max(...near.map(({ worth }) => worth)) || 1;
  for (const { session, worth } of near)
    sessions.set(session, (sessions.get(session) ?? 0) + (share * worth) / most);
  return sessions;
}

/** Words tell better where in a record they stand; meaning adds how near it is. */
function joined(words: SearchResult, meaning: SearchResult): SearchResult {
  const likeness = meaning.why?.likeness;
  if (words.why === undefined || likeness === undefined) return words;
  return { ...words, why: { ...words.why, likeness } };
}

/** Passages are cut otherwise for words than for meaning: those of one piece are one. */
function passageKey({ kind, id, piece, excerpt }: SearchResult): string {
  return `${kind} ${id} ${piece ?? excerpt ?? ""}`;
}

function scored(result: SearchResult, score: number): SearchResult {
  return { ...result, score: Math.round(score * 10_000) / 10_000 };
}

// Hits by words and hits by meaning become one list, by their ranks: their scores do not compare. Pure.
import type { HookInput, SearchResult } from "../../src/sdk/index.ts";

type SearchQuery = HookInput<"storage.search">;

/** Reciprocal ranks: the first of a list is worth little more than the second, and what both lists have comes first. */
const flat = 30;
/** Words that are there are a surer sign than a likeness. */
const meaningShare = 0.8;
/** What a session's further hits are worth beside the first hits of other sessions, as in the search by words. */
const furtherShare = 0.7;

/** Both best first; a session's hits by meaning count by the best of them. */
export function fuse(
  words: readonly SearchResult[],
  meaning: readonly SearchResult[],
  by: SearchQuery["by"] = "session",
): SearchResult[] {
  const key = by === "passage" ? passageKey : ({ id, kind }: SearchResult) => `${kind} ${id}`;
  const lists = [
    { results: words, share: 1 },
    { results: meaning, share: meaningShare },
  ];
  const entries = new Map<string, { result: SearchResult; own: number }>();
  const sessions = new Map<string, number>();
  for (const { results, share } of lists) {
    results.forEach((result, rank) => {
      const known = entries.get(key(result));
      const own = (known?.own ?? 0) + share / (flat + rank);
      entries.set(key(result), { result: known ? joined(known.result, result) : result, own });
    });
    const inOrder = [...new Set(results.map(({ session }) => session))];
    inOrder.forEach((session, rank) => {
      sessions.set(session, (sessions.get(session) ?? 0) + share / (flat + rank));
    });
  }
  const sorted = [...entries.values()].sort((a, b) => b.own - a.own);
  const highest = sorted[0]?.own ?? 1;
  if (by !== "session") return sorted.map(({ result, own }) => scored(result, own / highest));
  const best = Math.max(...sessions.values());
  const shown = new Set<string>();
  return sorted
    .map(({ result, own }) => {
      const worth = (sessions.get(result.session) ?? 0) / best;
      const isFirst = !shown.has(result.session);
      shown.add(result.session);
      // Never before the first of its own session.
      return scored(result, isFirst ? worth : Math.min(worth, (furtherShare * own) / highest));
    })
    .sort((a, b) => b.score - a.score);
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

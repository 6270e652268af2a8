// Finds the stored words nearest to one that is not stored: typing errors and unfinished words.
import type { Database } from "../../host/sqlite.ts";
import { distance } from "./distance.ts";

/** Words of one length looked at when none has the same first letter. */
const scanned = 4000;
/** Equally near words whose hits are compared. */
const compared = 12;
const suggestions = 3;

interface WordRow {
  word: string;
}

/**
 * At most three stored words, all equally near, most hits first: one typing error away for 4 to 7 letters, two for longer
 * ones (words with the same first letter come before others), else those that begin with what was typed. Empty for
 * shorter words, and for words that are not letters only. `hits` says how many records have a word.
 */
export function corrections(db: Database, word: string, hits: (word: string) => number): string[] {
  if (!/^\p{L}{4,32}$/u.test(word)) return [];
  const most = word.length > 7 ? 2 : 1;
  const initial = [...word][0] ?? "";
  const alike = db.prepare<WordRow>(
    "SELECT word FROM words WHERE length = ? AND word >= ? AND word < ?",
  );
  const ofLength = db.prepare<WordRow>("SELECT word FROM words WHERE length = ? LIMIT ?");
  const lengths = Array.from({ length: 2 * most + 1 }, (_, i) => word.length - most + i);

  const near = nearest(word, most, () =>
    lengths.flatMap((length) => alike.all([length, initial, after(initial)])),
  );
  if (near.length > 0) return mostHit(near, hits);
  const others = nearest(word, 1, () =>
    [word.length, word.length - 1, word.length + 1].flatMap((length) =>
      ofLength.all([length, scanned]),
    ),
  );
  return mostHit(others.length > 0 ? others : completions(db, word), hits);
}

function mostHit(words: readonly string[], hits: (word: string) => number): string[] {
  return words
    .slice(0, compared)
    .map((word) => ({ word, hits: hits(word) }))
    .filter((found) => found.hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, suggestions)
    .map((found) => found.word);
}

/** The shortest stored words that begin with `word`. */
function completions(db: Database, word: string): string[] {
  const find = db.prepare<WordRow>(
    "SELECT word FROM words WHERE length = ? AND word >= ? AND word < ? LIMIT ?",
  );
  const found: string[] = [];
  for (let length = word.length + 1; length <= 32 && found.length < compared; length++)
    for (const row of find.all([length, word, after(word), compared])) found.push(row.word);
  return found;
}

function nearest(word: string, most: number, candidates: () => WordRow[]): string[] {
  let best = most;
  let found: string[] = [];
  for (const { word: candidate } of candidates()) {
    const far = distance(word, candidate, best);
    if (far > best) continue;
    if (far < best) found = [];
    best = far;
    found.push(candidate);
  }
  return found;
}

/** The least text that sorts after every word beginning with `start`. */
function after(start: string): string {
  return `${start}\u{10ffff}`;
}

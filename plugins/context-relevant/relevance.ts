// Decides whether what a search found belongs to a prompt: by how much of what the prompt is about stands in one passage. Pure.
import type { SearchResult } from "../../src/sdk/index.ts";
import { stopWords } from "../../src/text/index.ts";

/** A word of a prompt that says what it is about. */
export interface Word {
  /** Lower case, letters and digits only. */
  bare: string;
  /** Only code has it: `readFile`, `auth.ts`, `MODEL_NAME`. */
  isName: boolean;
}

/** A result that belongs to the prompt. */
export interface Relevant {
  result: SearchResult;
  /** Share of the prompt's weight that its passage has, up to 1. */
  coverage: number;
}

/** Of a longer prompt its beginning says what it is about. */
const read = 2_000;
const mostWords = 40;
/** A long prompt is not asked for more than its so many heaviest words. */
const askedFor = 12;
/** Fewer words are about nothing: `try again`, `commit this`. */
const fewestWords = 3;
/** Coverage that is enough, by how many of the prompt's words one passage has. */
const enough = { name: 0.25, two: 0.38, three: 0.28 };

/** So much of a name of code, which the search may know by its stem, is all of it. */
const nameShare = 0.75;

const token = /[\p{L}\p{N}_$][\p{L}\p{N}_$'’./-]*/gu;
const wide = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/g;
const name = /\p{Ll}\p{Lu}|\p{L}_\p{L}|[\p{L}\d)]\.\p{L}|\w\/\w/u;

/** What a prompt is about; undefined where it is about nothing: `ok`, `thanks`, `continue`. */
export function wordsOf(prompt: string): Word[] | undefined {
  const words = new Map<string, Word>();
  const text = prompt.slice(0, read);
  // Scripts without spaces are compared by pairs of characters.
  for (const run of text.match(wide) ?? [])
    for (let at = 0; at + 1 < run.length; at++) {
      const bare = run.slice(at, at + 2);
      words.set(bare, { bare, isName: false });
    }
  for (const written of text.replace(wide, " ").match(token) ?? []) {
    const plain = written.replace(/[.'’/-]+$/, "").replace(/['’]s$/, "");
    const bare = bareOf(plain);
    if (bare.length < 2 || stopWords.has(plain.toLowerCase())) continue;
    words.set(bare, { bare, isName: name.test(plain) });
  }
  const all = [...words.values()].slice(0, mostWords);
  return all.length >= fewestWords || all.some(({ isName }) => isName) ? all : undefined;
}

/** The results that belong to the prompt, in the search's order; most prompts have none. Results have to say why they are there. */
export function relevantOf(words: readonly Word[], results: readonly SearchResult[]): Relevant[] {
  const corrected = new Set(
    results.flatMap((result) => Object.keys(result.corrected ?? {}).map(bareOf)),
  );
  const adds = results.map((result) =>
    words.map((word) => (corrected.has(word.bare) ? 0 : addedBy(word, result))),
  );
  const known = words.map((_, at) => Math.max(0, ...adds.map((added) => added[at] ?? 0)));
  // A word that is nowhere in memory weighs as much as the heaviest that is: the prompt may be about it.
  const heaviest = Math.max(0, ...known);
  const weights = known.map((weight) => (weight > 0 ? weight : heaviest));
  const wanted = sum(weights.toSorted((one, other) => other - one).slice(0, askedFor));
  if (wanted === 0) return [];
  return results.flatMap((result, i): Relevant[] => {
    const added = adds[i] ?? [];
    const coverage = Math.min(1, sum(added) / wanted);
    const matched = words.filter((_, at) => (added[at] ?? 0) > 0);
    const named = matched.some((word) => word.isName && isWhole(word, result));
    return isEnough(matched.length, named, coverage) ? [{ result, coverage }] : [];
  });
}

function isEnough(matched: number, named: boolean, coverage: number): boolean {
  if (named && coverage >= enough.name) return true;
  if (matched === 2) return coverage >= enough.two;
  return matched > 2 && coverage >= enough.three;
}

/** A name of code is met when all of it is: `robots` is not `robots.txt`. */
function isWhole({ bare }: Word, { why }: SearchResult): boolean {
  return (why?.words ?? []).some(({ word }) => bareOf(word).length >= bare.length * nameShare);
}

/** What a word of the prompt adds to a result; the search may know it by its stem, or in parts. */
function addedBy({ bare }: Word, { why }: SearchResult): number {
  return sum(
    (why?.words ?? []).flatMap(({ word, adds }) => (isPart(bareOf(word), bare) ? adds : [])),
  );
}

function isPart(found: string, bare: string): boolean {
  if (found.length < 3) return found === bare;
  return bare.includes(found.length > 4 ? found.slice(0, -1) : found);
}

function bareOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

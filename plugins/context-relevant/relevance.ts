// Decides whether what a search found belongs to a prompt: by how much of what the prompt is about stands in one passage, and in its turn. Pure.
import type { SearchResult, Turn } from "../../src/sdk/index.ts";
import { bareOf, type Word, wordsIn } from "./words.ts";

/** What the words of a prompt weigh against the results of a search for it. */
export interface Weighed {
  words: ReadonlyArray<Word & { weight: number }>;
  /** Each result, with what its passage has of each word. */
  results: ReadonlyArray<{ result: SearchResult; adds: readonly number[] }>;
  /** What all of the prompt weighs. */
  wanted: number;
  /** It names code, and no result has any of the names. */
  isStrange: boolean;
}

/** A result that belongs to the prompt. */
export interface Relevant {
  result: SearchResult;
  /** Share of the prompt's weight that it has, up to 1: in its passage; and, at half, in what its turn is about. */
  coverage: number;
}

/** A long prompt is not asked for more than its so many heaviest words. */
const askedFor = 12;
/** Coverage that is enough, by how many of the prompt's words one passage has. */
const enough = { name: 0.25, two: 0.38, three: 0.28 };
/** Characters of a prompt and of a closing message that say what their turn is about. */
const aboutTurn = { prompt: 800, closing: 2_000 };

/** Weighs the words by what they add to the results, which have to say why they are there. */
export function weigh(words: readonly Word[], found: readonly SearchResult[]): Weighed {
  const corrected = new Set(
    found.flatMap((result) => Object.keys(result.corrected ?? {}).map(bareOf)),
  );
  const results = found.map((result) => {
    const shown = bareOf(shownOf(result));
    // A name of code is met when all of it is: `robots` is not `robots.txt`.
    const has = ({ bare, isName }: Word) =>
      !corrected.has(bare) && (!isName || shown.includes(bare));
    return { result, adds: words.map((word) => (has(word) ? addedBy(word, result) : 0)) };
  });
  const known = words.map((_, at) => Math.max(0, ...results.map(({ adds }) => adds[at] ?? 0)));
  // A word that is nowhere in memory weighs as much as the heaviest that is: the prompt may be about it.
  const heaviest = Math.max(0, ...known);
  const weights = known.map((weight) => (weight > 0 ? weight : heaviest));
  const names = known.filter((_, at) => words[at]?.isName);
  return {
    words: words.map((word, at) => ({ ...word, weight: weights[at] ?? 0 })),
    results,
    wanted: sum(weights.toSorted((one, other) => other - one).slice(0, askedFor)),
    isStrange: names.length > 0 && names.every((weight) => weight === 0),
  };
}

/** The results that could belong to the prompt, whatever their turns are about. */
export function promising({ results, words }: Weighed): SearchResult[] {
  return results.flatMap(({ result, adds }) => {
    const matched = words.filter((_, at) => (adds[at] ?? 0) > 0);
    return matched.length > 1 || matched.some(({ isName }) => isName) ? result : [];
  });
}

/**
 * The results that belong to the prompt, in the search's order; most prompts have none. Of those whose turn is known, by
 * id, what it was asked and how it was closed counts as well.
 */
export function relevantOf(
  { words, results, wanted, isStrange }: Weighed,
  turns: ReadonlyMap<string, Turn> = new Map(),
): Relevant[] {
  return results.flatMap(({ result, adds }): Relevant[] => {
    const matched = words.filter((_, at) => (adds[at] ?? 0) > 0);
    if (matched.length === 0) return [];
    const turn = turns.get(result.id);
    const near = sum(adds);
    // Of a prompt about something that memory has nowhere, only ordinary words can stand there.
    const far = turn && !isStrange ? weightIn(aboutOf(result, turn), words) : 0;
    const coverage = Math.min(1, Math.max(near, (near + far) / 2) / wanted);
    return coverage >= leastFor(matched, isStrange) ? [{ result, coverage }] : [];
  });
}

/** The coverage that is enough for what was matched. */
function leastFor(matched: readonly Word[], isStrange: boolean): number {
  if (matched.some(({ isName }) => isName)) return enough.name;
  if (matched.length < 2) return Number.POSITIVE_INFINITY;
  return matched.length === 2 || isStrange ? enough.two : enough.three;
}

function weightIn(text: string, words: Weighed["words"]): number {
  const has = wordsIn(text);
  return sum(words.filter(has).map(({ weight }) => weight));
}

function shownOf({ title, subtitle, facts, files, excerpt = "" }: SearchResult): string {
  return [title, subtitle, ...facts, ...files, excerpt].join("\n");
}

/** What was found of a turn, what it was asked and how it was closed. */
function aboutOf({ excerpt = "" }: SearchResult, { pieces }: Turn): string {
  const read = (kind: keyof typeof aboutTurn) =>
    pieces.flatMap((piece) => (piece.kind === kind ? piece.text.slice(0, aboutTurn[kind]) : []));
  return [...read("prompt"), excerpt, ...read("closing")].join("\n");
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

// Decides whether what a search found belongs to a prompt: by how much of what the prompt is about stands in one passage, and in its turn. Pure.
import type { SearchResult } from "../../src/sdk/index.ts";
import { stopWords, tellingWords, unspacedRange } from "../../src/text/index.ts";

// The words of a prompt that say what it is about, and whether they stand in a text. Pure.

/** A word of a prompt that says what it is about. */
interface Word {
  /** Lower case, letters and digits only. */
  bare: string;
  /** A name as it was written, in lower case. */
  written?: string;
  /** Only code has it: `readFile`, `auth.ts`, `MODEL_NAME`. */
  isName: boolean;
}

/** Of a longer prompt its beginning says what it is about. */
const read = 400;
const mostWords = 40;
/** Fewer words are about nothing: `try again`, `commit this`. */
const fewestWords = 3;

/** Letters that all forms of a word have in common, and what may stand behind them. */
const root = 4;
const longestEnding = 4;

/** What a name is worth as a part of another. */
const partly = 0.5;
/** What a word is worth that is known already. */
const again = 0.25;

const token = /[\p{L}\p{N}_$][\p{L}\p{N}_$'’./-]*/gu;
const letter = /[\p{L}\p{N}]/u;
const inName = /[\p{L}\p{N}_]/u;
const wide = new RegExp(`[${unspacedRange}]+`, "g");
/** Particles and endings: what they are about stands before them. */
const grammar = /^\p{Script=Hiragana}/u;
const name = /\p{Ll}\p{Lu}|\p{L}_\p{L}|[\p{L}\d)]\.\p{L}|\w\/\w/u;

/** What a prompt is about; undefined where it is about nothing: `ok`, `thanks`, `continue`. */
export function wordsOf(prompt: string): Word[] | undefined {
  const words = new Map<string, Word>();
  const text = prompt.slice(0, read);
  // Scripts without spaces are compared by pairs of characters.
  for (const bare of pairsOf(text))
    if (!grammar.test(bare)) words.set(bare, { bare, isName: false });
  for (const written of text.replace(wide, " ").match(token) ?? []) {
    const plain = written.replace(/[.'’/-]+$/, "").replace(/['’]s$/, "");
    const bare = bareOf(plain);
    if (bare.length < 2 || stopWords.has(plain.toLowerCase())) continue;
    if (name.test(plain)) words.set(bare, { bare, isName: true, written: plain.toLowerCase() });
    else words.set(bare, { bare, isName: false });
  }
  const all = [...words.values()].slice(0, mostWords);
  if (all.some(({ isName }) => isName)) return all;
  const telling = new Set(tellingWords(text).flatMap((word) => [bareOf(word), ...pairsOf(word)]));
  return all.filter(({ bare }) => telling.has(bare)).length >= fewestWords ? all : undefined;
}

/** Letters and digits, in lower case and one form. */
function bareOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Tells of a word whether it stands in a text: a name as a whole, another word in whatever form it is inflected. */
export function wordsIn(text: string): (word: Word) => boolean {
  const lower = text.normalize("NFKC").toLowerCase();
  let all: string | undefined;
  return ({ bare, isName }) => {
    if (!isName && pairsOf(bare).length === 0) return hasForm(lower, bare);
    all ??= bareOf(lower);
    return all.includes(bare);
  };
}

function hasForm(lower: string, bare: string): boolean {
  const beginning = bare.slice(0, root);
  for (let at = lower.indexOf(beginning); at >= 0; at = lower.indexOf(beginning, at + 1)) {
    if (at > 0 && letter.test(lower.charAt(at - 1))) continue;
    let end = at + beginning.length;
    while (end < lower.length && letter.test(lower.charAt(end))) end++;
    if (isForm(bare, lower.slice(at, end))) return true;
  }
  return false;
}

/** What weighed words are worth; one that is known already, less. */
export function worthOf(
  words: ReadonlyMap<string, number>,
  known: ReadonlySet<string> = new Set(),
): number {
  let worth = 0;
  for (const [word, weight] of words) worth += known.has(word) ? weight * again : weight;
  return worth;
}

/** Two forms of one word differ in their last letters: `loads` and `loading`, not `compile` and `complete`. */
function isForm(one: string, other: string): boolean {
  const shared = Math.max(root, Math.min(one.length, other.length) - 2);
  return (
    one === other ||
    (one.slice(0, shared) === other.slice(0, shared) &&
      Math.max(one.length, other.length) - shared <= longestEnding)
  );
}

/** Weighs a text: each of the prompt's words that stands in it, with its weight; that of the heaviest is 1. */
export type TellsOf = (text: string) => ReadonlyMap<string, number>;

/** Weighs texts by these words. A name counts half where it is only a part of another. */
export function tellsOf(words: ReadonlyArray<Word & { weight: number }>): TellsOf {
  const heaviest = Math.max(Number.MIN_VALUE, ...words.map(({ weight }) => weight));
  return (text) => {
    const lower = text.toLowerCase();
    return new Map(
      words
        .filter(wordsIn(text))
        .map(({ bare, written, weight }) => [
          bare,
          ((written === undefined || standsIn(lower, written) ? 1 : partly) * weight) / heaviest,
        ]),
    );
  };
}

/** True where it stands by itself, not inside a longer name. */
function standsIn(lower: string, written: string): boolean {
  for (let at = lower.indexOf(written); at >= 0; at = lower.indexOf(written, at + 1))
    if (!inName.test(lower.charAt(at - 1)) && !inName.test(lower.charAt(at + written.length)))
      return true;
  return false;
}

/** Pairs of characters of a text in scripts without spaces. */
function pairsOf(text: string): string[] {
  return (text.match(wide) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
}

/** What the words of a prompt weigh against the results of a search for it. */
export interface Weighed {
  words: ReadonlyArray<Word & { weight: number; isNews: boolean; isRare: boolean }>;
  /** Each result, with what its passage has of each word that is news. */
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

/** A prompt is not asked for more than its so many heaviest words. */
const askedFor = 12;
/** A word that passages of more sessions have points at none of them. */
const fewSessions = 3;
/** Coverage that is enough for what a session begins with, in a sentence or two; by a name alone, and by how many words one passage has. */
const enough = { name: 0.25, two: 0.38, three: 0.28 };
/** Characters of a prompt that does not explain itself. */
const brief = 200;
/** Of any other only a rare name that is the subject of an earlier turn leads there. */
const leastByName = { coverage: 0.1, subject: 0.05 };
/** Coverage of a short question that its own session has not led to. */
const leastAsked = 0.6;
/** Share of the prompt's weight that rare words of a subject have. */
const leastSubject = 0.18;
/** What says less than this share of what the best says of a prompt is not shown beside it. */
const gap = 0.5;
/** One session knows when no other has more than this share of what it has. */
const alone = 0.8;

/** Weighs the words by what they add to the results, which have to say why they are there; what the session met already is no news. */
export function weigh(
  words: readonly Word[],
  found: readonly SearchResult[],
  isMet: (word: Word) => boolean = () => false,
): Weighed {
  const corrected = new Set(
    found.flatMap((result) => Object.keys(result.corrected ?? {}).map(bareOf)),
  );
  const has = found.map((result) => {
    const shown = bareOf(shownOf(result));
    // A name of code is met when all of it is: `robots` is not `robots.txt`.
    return words.map((word) =>
      !corrected.has(word.bare) && (!word.isName || shown.includes(word.bare))
        ? addedBy(word, result)
        : 0,
    );
  });
  const known = words.map((_, at) => Math.max(0, ...has.map((adds) => adds[at] ?? 0)));
  // A word that is nowhere in memory weighs as much as the heaviest that is: the prompt may be about it.
  const heaviest = Math.max(0, ...known);
  const weights = known.map((weight) => (weight > 0 ? weight : heaviest));
  const names = known.filter((_, at) => words[at]?.isName);
  const sessionsWith = (at: number) =>
    new Set(found.flatMap(({ session }, one) => ((has[one]?.[at] ?? 0) > 0 ? session : []))).size;
  const met = words.map(isMet);
  return {
    words: words.map((word, at) => ({
      ...word,
      weight: weights[at] ?? 0,
      isNews: !met[at],
      isRare: !met[at] && sessionsWith(at) > 0 && sessionsWith(at) <= fewSessions,
    })),
    results: found.map((result, one) => ({
      result,
      adds: (has[one] ?? []).map((adds, at) => (met[at] ? 0 : adds)),
    })),
    wanted: sum(weights.toSorted((one, other) => other - one).slice(0, askedFor)),
    isStrange: names.length > 0 && names.every((weight) => weight === 0),
  };
}

/** The results that could belong to the prompt, whatever their turns are about. */
export function promising({ results, words }: Weighed): SearchResult[] {
  return results.flatMap(({ result, adds }) => {
    return saysEnough(words.filter((_, at) => (adds[at] ?? 0) > 0)) ? result : [];
  });
}

/** One ordinary word stands anywhere. */
function saysEnough(matched: readonly Word[]): boolean {
  return matched.length > 1 || matched.some(({ isName }) => isName);
}

/** A result with what it has of the prompt. */
interface Judged extends Relevant {
  matched: Weighed["words"];
  /** The rare words that its turn came to, and their share of the prompt's weight. */
  subject: Weighed["words"];
  share: number;
}

/** Where a prompt stands: what it begins with tells how much it has to say by itself. */
export type Standing = "question" | "opening" | "asked" | "later";

/** `opens`: nothing of its session is known yet. A longer prompt brings along what it is about, as a later one does; a short question, less. */
export function standingOf(prompt: string, opens: boolean): Standing {
  if (prompt.length > brief) return "later";
  const asks = /[?？؟]/u.test(prompt);
  if (opens) return asks ? "question" : "opening";
  return asks ? "asked" : "later";
}

/**
 * The results that belong to the prompt, in the search's order; most prompts have none. Rare words of the prompt have to be what the
 * turn was about (`subjects`, by id), or one session alone has to have many of them.
 */
export function relevantOf(
  weighed: Weighed,
  subjects: ReadonlyMap<string, string>,
  standing: Standing,
): Relevant[] {
  const judged = weighed.results
    .map((one) => judge(weighed, one, subjects))
    .filter((one) => saysEnough(one.matched) && one.coverage >= leastFor(one, weighed, standing));
  const bySession = new Map<string, number>();
  for (const { result, coverage } of judged)
    bySession.set(result.session, Math.max(coverage, bySession.get(result.session) ?? 0));
  const [best = 0, second = 0] = [...bySession.values()].sort((one, other) => other - one);
  const isAlone = second <= alone * best;
  const leading = judged.filter(
    (one) => one.coverage >= alone * best && isKnown(one, isAlone, standing),
  );
  if (standing !== "question" || leading.length === 0) return leading;
  // Where somebody knows the answer, what says nearly as much is shown beside it.
  return judged.filter(({ coverage }) => coverage >= best * gap);
}

function isKnown(judged: Judged, isAlone: boolean, standing: Standing): boolean {
  const { matched, subject, share, coverage } = judged;
  const isNamed = subject.some(({ isName }) => isName);
  const byName = isNamed && share >= leastByName.subject;
  const rare = matched.filter(({ isRare }) => isRare);
  if (standing === "later") return byName;
  if (standing === "asked") return byName || (isAlone && rare.length > 2 && coverage >= leastAsked);
  if (standing === "opening")
    return (isNamed && share >= leastSubject) || (isAlone && rare.length > 2);
  const isSubject = share >= leastSubject && rare.length > 0;
  if (isSubject && (isAlone || isNamed || subject.length > 1)) return true;
  return isAlone && (rare.length > 1 || rare.some(({ isName }) => isName));
}

function judge(
  { words, wanted, isStrange }: Weighed,
  { result, adds }: Weighed["results"][number],
  subjects: ReadonlyMap<string, string>,
): Judged {
  const matched = words.filter((_, at) => (adds[at] ?? 0) > 0);
  const near = sum(adds);
  // Of a prompt about something that memory has nowhere, only ordinary words can stand there.
  const about = isStrange ? "" : (subjects.get(result.id) ?? "");
  const heaviest = words.toSorted((one, other) => other.weight - one.weight).slice(0, askedFor);
  const shared = heaviest.filter(({ isNews }) => isNews).filter(wordsIn(about));
  const far = sum(shared.map(({ weight }) => weight));
  const subject = shared.filter(({ isRare }) => isRare);
  return {
    result,
    coverage: Math.min(1, Math.max(near, (near + far) / 2) / wanted),
    matched,
    subject,
    share: sum(subject.map(({ weight }) => weight)) / wanted,
  };
}

/** The coverage that is enough for what was matched. */
function leastFor({ matched }: Judged, { isStrange }: Weighed, standing: Standing): number {
  if (standing === "later" || standing === "asked") return leastByName.coverage;
  if (matched.some(({ isName }) => isName)) return enough.name;
  return matched.length === 2 || isStrange ? enough.two : enough.three;
}

function shownOf({ title, subtitle, facts, files, excerpt = "" }: SearchResult): string {
  return [title, subtitle, ...facts, ...files, excerpt].join("\n");
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

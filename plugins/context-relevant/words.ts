// The words of a prompt that say what it is about, and whether they stand in a text. Pure.
import { stopWords, tellingWords, unspacedRange } from "../../src/text/index.ts";

/** A word of a prompt that says what it is about. */
export interface Word {
  /** Lower case, letters and digits only. */
  bare: string;
  /** A name as it was written, in lower case. */
  written?: string;
  /** Only code has it: `readFile`, `auth.ts`, `MODEL_NAME`. */
  isName: boolean;
}

/** Of a longer prompt its beginning says what it is about. */
const read = 2_000;
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
export function bareOf(text: string): string {
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

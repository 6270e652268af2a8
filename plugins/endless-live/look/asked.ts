// What was asked for: the words of the prompt and of the tool's own input, and which lines or items of an output have them. A word
// that much of the output has picks nothing out, so each counts by how rare it is there.

import { stemmer } from "stemmer";
import { stopWords } from "../../../src/text/index.ts";

/** What was asked for; looked up in lines of any output. */
export interface Asked {
  /** How much, in bits, each of the texts has of it; 0 for those that nobody asked for. */
  bitsOf(texts: readonly string[]): number[];
}

/** More of a prompt, words in all, and of a line are not looked at. */
const [mostText, mostWords, longestLine] = [4_000, 120, 2_000];
/** A word that one in four has picks nothing out. */
const leastBits = 2;
/** An inflected form is not longer than its stem by more. */
const longestEnding = 5;
/** A name or a number was meant; another word may be there by chance. */
const [named, plain] = [1.5, 0.6];

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/u;
const token = /\d+(?:[.:]\d+)*|\p{Lu}+(?!\p{Ll})\d*|\p{L}[\p{Ll}\p{Lo}\p{M}]*/gu;
const whole = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$./:@-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;

/** A word, and how much it means that it is there. */
type Words = Map<string, number>;

/** What these texts ask for, the most important first; undefined for nothing. */
export function askedIn(texts: readonly string[]): Asked | undefined {
  const words: Words = new Map();
  for (const text of texts)
    for (const [word, weight] of wordsOf(text.slice(0, mostText))) {
      if (words.size >= mostWords) break;
      words.set(word, Math.max(weight, words.get(word) ?? 0));
    }
  return words.size === 0 ? undefined : { bitsOf: (lines) => bitsIn(lines, words) };
}

/** Words, numbers and whole names; a name of several parts counts as itself and by its parts. */
function* wordsOf(text: string): Generator<readonly [word: string, weight: number]> {
  for (const { 0: name, index } of text.matchAll(whole)) {
    // A word in brackets, quotes or capitals was meant, however short: `(ka)`, `KX`.
    const around = (text[index - 1] ?? " ") + (text[index + name.length] ?? " ");
    const isMeant = (/^[(`'"«“„]/u.test(around) && name.length > 1) || /^\p{Lu}{2}$/u.test(name);
    if (isMeant) yield [name.toLowerCase(), 1];
    const isName = /[\p{L}\p{N}][_$./:@-][\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|\d\d/u.test(
      name,
    );
    if (isName) yield [name.toLowerCase(), named];
    for (const word of partsOf(name)) {
      const isShort = word.length < 3 && !/\d\d|[^a-z\d]/.test(word);
      if (!isShort && !stopWords.has(word)) yield [stemmer(word), /\d/.test(word) ? 1 : plain];
    }
  }
}

function* partsOf(text: string): Generator<string> {
  for (const [part] of text.matchAll(token)) {
    const word = part.toLowerCase();
    if (!unspaced.test(word)) yield word;
    else for (let at = 0; at + 1 < word.length; at++) yield word.slice(at, at + 2);
  }
}

/** Looks for each word in the whole text, and no further once too many lines have it. */
function bitsIn(lines: readonly string[], words: Words): number[] {
  // A letter that has two in small would move all behind it.
  const text = lines
    .map((line) => line.slice(0, longestLine))
    .join("\n")
    .replaceAll("İ", "I");
  const small = text.toLowerCase();
  const filled = lines.filter((line) => line.trim() !== "").length;
  const bits = lines.map(() => 0);
  for (const [word, weight] of words) {
    const found = linesWith(word, { text, small }, filled / 2 ** leastBits);
    const own = Math.log2(filled / found.length) * weight;
    for (const line of found) bits[line] = (bits[line] ?? 0) + own;
  }
  return bits;
}

interface Output {
  text: string;
  small: string;
}

/** The lines that have the word in any form; none where more than `most` have it. */
function linesWith(word: string, output: Output, most: number): number[] {
  const { text } = output;
  // The end of a stem differs from that of its forms: `entri` of `entries` and `entry`.
  const stem = word.length > 4 && !/\d$/.test(word) ? word.slice(0, -1) : word;
  const found: number[] = [];
  let line = 0;
  let read = 0;
  for (
    let at = output.small.indexOf(stem);
    at >= 0;
    at = output.small.indexOf(stem, at + stem.length)
  ) {
    for (let end = text.indexOf("\n", read); end >= 0 && end < at; end = text.indexOf("\n", read)) {
      line++;
      read = end + 1;
    }
    if (found.at(-1) === line || !isWordAt(at, word, output)) continue;
    found.push(line);
    if (found.length > most) return [];
  }
  return found;
}

const letter = /[\p{L}\p{M}]/u;
const capital = /\p{Lu}/u;

/** Whether a word, or a part of a name, begins here that is a form of `word`. */
function isWordAt(at: number, word: string, { text, small }: Output): boolean {
  const before = text[at - 1] ?? "";
  const first = text[at] ?? "";
  if (unspaced.test(word)) return true;
  if (/\d/.test(first) ? /\d/.test(before) : letter.test(before) && !capital.test(first))
    return false;
  if (small.startsWith(word, at) && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ""))
    return true;
  let end = at;
  while (end - at < word.length + longestEnding && letter.test(text[end] ?? "")) {
    end++;
    if (capital.test(text[end] ?? "") && !capital.test(text[end - 1] ?? "")) break;
  }
  return stemmer(small.slice(at, end)) === word;
}

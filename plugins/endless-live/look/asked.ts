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
/** A name or a number was meant; another word may be there by chance, and one that is only akin more so. */
const [named, plain, akin] = [1.5, 0.6, 0.5];
/** How much more a word means that stands for itself and is no part of a longer name. */
const alone = 0.5;
/** Letters that words of one origin begin with in any language, and how long such words are. */
const [root, leastAkin] = [5, 7];

/** `2>&1` asks for no number. */
const redirection = /\d?>&?\d?/g;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/u;
const token = /\d+(?:[.:]\d+)*|\p{Lu}+(?!\p{Ll})\d*|\p{L}[\p{Ll}\p{Lo}\p{M}]*/gu;
const whole = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$./:@-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;

/** A word, and how much it means that it is there; too short a word is looked for only where it stands alone. */
type Words = Map<string, { weight: number; isShort: boolean }>;

/** What these texts ask for, the most important first; undefined for nothing. */
export function askedIn(texts: readonly string[]): Asked | undefined {
  const words: Words = new Map();
  for (const text of texts)
    for (const [word, weight] of wordsOf(text.slice(0, mostText).replaceAll(redirection, " "))) {
      if (words.size >= mostWords) break;
      const known = words.get(word);
      if (weight > (known?.weight ?? 0))
        words.set(word, { weight, isShort: weight === plain && isShort(word) });
    }
  return words.size === 0 ? undefined : { bitsOf: (lines) => bitsIn(lines, words) };
}

/** Words, numbers and whole names; a name of several parts counts as itself and by its parts. */
function* wordsOf(text: string): Generator<readonly [word: string, weight: number]> {
  for (const { 0: name, index } of text.matchAll(whole)) {
    // A word in brackets, quotes or capitals was meant, however short: `(ka)`, `KX`.
    const [before, after] = [text[index - 1] ?? " ", text[index + name.length] ?? " "];
    const isMeant = /^[(`'"«“„]/u.test(before + after) && name.length > 1;
    if (isMeant || /^\p{Lu}{2}$/u.test(name)) yield [name.toLowerCase(), 1];
    const isName =
      /[\p{L}\p{N}][_$./:@-][\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|\d\d|^\p{Lu}{3,}$/u.test(
        name,
      );
    if (isName) yield [name.toLowerCase(), named];
    // `.init`, `--home-dir`
    const sign = /(?:^|[\s"'`(])([.-]{1,2})$/.exec(text.slice(Math.max(0, index - 3), index))?.[1];
    if (sign) yield [(sign + name).toLowerCase(), named];
    // Written as one word elsewhere: `hard-coded`.
    if (/^\p{L}+-\p{L}+$/u.test(name)) yield [stemmer(name.toLowerCase().replace("-", "")), plain];
    for (const word of partsOf(name))
      if (!stopWords.has(word) && (word.length > 2 || /\d\d|[^a-z\d]/.test(word) || isShort(word)))
        yield [isShort(word) ? word : stemmer(word), /\d/.test(word) ? 1 : plain];
  }
}

/** Two letters or a digit: looked for only where they stand alone. */
const isShort = (word: string): boolean => /^(?:[a-z]{2}|\d)$/.test(word);

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
    .map((line) => line.slice(0, longestLine).replaceAll("\n", " "))
    .join("\n")
    .replaceAll("İ", "I");
  const output = { text, small: text.toLowerCase() };
  const filled = lines.filter((line) => line.trim() !== "").length;
  const bits = lines.map(() => 0);
  const add = (found: readonly number[], weight: number): void => {
    const own = Math.log2(filled / found.length) * weight;
    for (const line of found) bits[line] = (bits[line] ?? 0) + own;
  };
  const most = filled / 2 ** leastBits;
  for (const [word, { weight, isShort }] of words) {
    const found = linesWith(word, output, most, isShort ? "alone" : "any");
    add(found.inAnyForm, weight);
    add(found.alone, isShort ? weight : weight * alone);
    if (found.isThere) continue;
    const latin = inLatin(word);
    if (latin.length >= leastAkin || latin !== word)
      add(linesWith(latin.slice(0, root), output, most, "root").inAnyForm, akin);
  }
  return bits;
}

interface Output {
  text: string;
  small: string;
}

interface Found {
  /** The lines that have the word in any form; none where too many have it. */
  inAnyForm: number[];
  /** Those in which it is no part of a longer name, likewise. */
  alone: number[];
  isThere: boolean;
}

/** Where a word is, as long as no more than `most` lines have it; of a root any word that begins so. */
function linesWith(
  word: string,
  output: Output,
  most: number,
  as: "any" | "alone" | "root",
): Found {
  const { text } = output;
  const isRoot = as === "root";
  // The end of a stem differs from that of its forms: `entri` of `entries` and `entry`.
  const stem = !isRoot && word.length > 4 && !/\d$/.test(word) ? word.slice(0, -1) : word;
  const [inAnyForm, own]: [number[], number[]] = [[], []];
  let isThere = false;
  let line = 0;
  let read = 0;
  for (
    let at = output.small.indexOf(stem);
    at >= 0 && own.length <= most;
    at = output.small.indexOf(stem, at + stem.length)
  ) {
    for (let end = text.indexOf("\n", read); end >= 0 && end < at; end = text.indexOf("\n", read)) {
      line++;
      read = end + 1;
    }
    if (own.at(-1) !== line && isAlone(at, word, output)) own.push(line);
    const isOpen = as !== "alone" && inAnyForm.length <= most && inAnyForm.at(-1) !== line;
    if (isOpen && (isRoot ? beginsAt(at, output) : isWordAt(at, word, output)))
      inAnyForm.push(line);
    isThere ||= own.length > 0 || inAnyForm.length > 0;
  }
  const few = (found: number[]): number[] => (found.length > most ? [] : found);
  return { inAnyForm: few(inAnyForm), alone: few(own), isThere };
}

/** Whether exactly the word stands here, and no longer name that has it. */
function isAlone(at: number, word: string, { small }: Output): boolean {
  // Most places are told by one sign.
  if (isPlain(small.charCodeAt(at - 1)) || isPlain(small.charCodeAt(at + word.length)))
    return false;
  return (
    small.startsWith(word, at) &&
    !/[\p{L}\p{N}_.@-]/u.test(small[at - 1] ?? "") &&
    !/^(?:[\p{L}\p{N}_@-]|\.[\p{L}\p{N}])/u.test(
      small.slice(at + word.length, at + word.length + 2),
    )
  );
}

/** A digit or a small Latin letter. */
const isPlain = (code: number): boolean => (code > 47 && code < 58) || (code > 96 && code < 123);

const letter = /[\p{L}\p{M}]/u;
const capital = /\p{Lu}/u;

/** Whether a word, or a part of a name, begins here. */
function beginsAt(at: number, { text }: Output): boolean {
  const [code, last] = [text.charCodeAt(at), text.charCodeAt(at - 1)];
  if (code > 96 && code < 123 && last > 96 && last < 123) return false;
  const before = text[at - 1] ?? "";
  const first = text[at] ?? "";
  if (/\d/.test(first)) return !/\d/.test(before);
  return !letter.test(before) || capital.test(first);
}

/** Whether a word, or a part of a name, begins here that is a form of `word`. */
function isWordAt(at: number, word: string, output: Output): boolean {
  const { text, small } = output;
  if (unspaced.test(word)) return true;
  if (!beginsAt(at, output)) return false;
  if (small.startsWith(word, at) && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ""))
    return true;
  let end = at;
  while (end - at < word.length + longestEnding && letter.test(text[end] ?? "")) {
    end++;
    if (capital.test(text[end] ?? "") && !capital.test(text[end - 1] ?? "")) break;
  }
  return stemmer(small.slice(at, end)) === word;
}

/** Letters of other alphabets, and how names in them are mostly written in Latin ones. */
const alphabets =
  "аa бb вv гg дd еe ёe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsch ъ ыy ь эe юyu яya іi їi єe " +
  "αa βb γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo ßss øo łl æae œoe đd";
const latin = new Map(
  alphabets.split(" ").map(([sign = "", ...letters]) => [sign, letters.join("")]),
);

/** Without accents, and in Latin letters where an alphabet has such. */
function inLatin(word: string): string {
  const bare = word.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return [...bare].map((sign) => latin.get(sign) ?? sign).join("");
}

// What was asked for: the words of the prompt and of the tool's own input, and which lines or items of an output have them. A word
// that much of the output has picks nothing out, so each counts by how rare it is there.

import { stemmer } from "stemmer";
import { stopWords } from "../../../src/text/index.ts";

/** What was asked for; looked up in lines of any output. */
export interface Asked {
  /** How much, in bits, each of the texts has of it, or each group of them, given by their places; 0 for what nobody asked for. */
  bitsOf(texts: readonly string[], groups?: readonly (readonly number[])[]): number[];
}

/** More of a prompt, words in all, and of a line are not looked at. */
const [mostText, mostWords, longestLine] = [4_000, 120, 2_000];
/** Pairs of words of the last prompt that are looked for. */
const mostPairs = 30;
/** A word that one in three has picks nothing out. */
const leastBits = 1.5;
/** Fewer letters of a word do not stand for it. */
const leastShortened = 3;
/** An inflected form is not longer than its stem by more. */
const longestEnding = 5;
/** A name or a number was meant; another word may be there by chance, one that is only akin more so, and most so one within another. */
const [named, plain, akin, within] = [1.5, 0.6, 0.5, 0.3];
/** A tool's input names what is in all of its output, too. */
const ofInput = 0.5;
/** How much more a word means that stands for itself and is no part of a longer name. */
const alone = 0.5;
/** Letters that words of one origin begin with in any language, and how long such words are. */
const [root, leastAkin] = [5, 7];

/** Letters of other alphabets, and their share of a text from which on a word in Latin ones is a name. */
const [foreign, leastForeign] = [/(?!\p{Script=Latin})\p{L}/gu, 0.15];

/** `2>&1` asks for no number. */
const redirection = /\d?>&?\d?/g;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/u;
const token = /\d+(?:[.:]\d+)*|\p{Lu}+(?!\p{Ll})\d*|\p{L}[\p{Ll}\p{Lo}\p{M}]*/gu;
const whole = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$./:@-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;

/** A word, and how much it means that it is there; too short a word is looked for only where it stands alone. */
type Words = Map<string, { weight: number; share: number; isShort: boolean }>;

/** What these texts ask for, the most important first, and less so a tool's input; undefined for nothing. */
export function askedIn(
  texts: readonly string[],
  input: readonly string[] = [],
): Asked | undefined {
  const words: Words = new Map();
  const add = (text: string, share: number): void => {
    const read = text.slice(0, mostText).replaceAll(redirection, " ");
    for (const [word, full, isShort = false] of wordsOf(read)) {
      if (words.size >= mostWords) break;
      const weight = full * share;
      if (weight > (words.get(word)?.weight ?? 0)) words.set(word, { weight, share, isShort });
    }
  };
  for (const text of texts) add(text, 1);
  const pairs = [...pairsIn((texts[0] ?? "").slice(0, mostText))].slice(0, mostPairs);
  for (const pair of pairs) words.set(pair, { weight: plain, share: 1, isShort: false });
  for (const text of input) add(text, ofInput);
  return words.size === 0 ? undefined : { bitsOf: (texts, groups) => bitsIn(texts, words, groups) };
}

/** Words, numbers and whole names; a name of several parts counts as itself and by its parts. */
function* wordsOf(
  text: string,
): Generator<readonly [word: string, weight: number, isShort?: boolean]> {
  const isForeign = (text.match(foreign)?.length ?? 0) > text.length * leastForeign;
  for (const { 0: name, index } of text.matchAll(whole)) {
    // A word in brackets, quotes or capitals was meant, however short: `(ka)`, `KX`.
    const [before, after] = [text[index - 1] ?? " ", text[index + name.length] ?? " "];
    const isMeant =
      /^[(`'"«“„]/u.test(before + after) || (isForeign && /^[\w$.:@/-]{2,}$/.test(name));
    // One capital letter in a sentence is a name too: what is bound to X.
    if (/^\p{Lu}$/u.test(name) && index > 0 && name !== "I")
      yield [name.toLowerCase(), plain, true];
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
      if (!stopWords.has(word) && /..|\d|[^a-z]/.test(word))
        yield isShort(word)
          ? [word, /\d/.test(word) ? 1 : plain, !/\d/.test(word)]
          : [stemmer(word), /\d/.test(word) ? 1 : plain];
  }
}

/** Words that stand beside each other: many lines may have either, few have both so. */
function* pairsIn(text: string): Generator<string> {
  for (const [, first = "", second = ""] of text.matchAll(
    /(?<![\p{L}\p{N}])(?=(\p{L}{2,})[ _-](\p{L}{3,}))/gu,
  )) {
    const [one, other] = [first.toLowerCase(), second.toLowerCase()];
    if (!stopWords.has(one) || !stopWords.has(other)) yield `${stemmer(one)} ${stemmer(other)}`;
  }
}

/** One letter or two, or a digit: looked for only where they stand alone. */
const isShort = (word: string): boolean => /^(?:[a-z]{1,2}|\d)$/.test(word);

function* partsOf(text: string): Generator<string> {
  for (const [part] of text.matchAll(token)) {
    const word = part.toLowerCase();
    if (!unspaced.test(word)) yield word;
    else for (let at = 0; at + 1 < word.length; at++) yield word.slice(at, at + 2);
  }
}

/** Reads each line once for all words. */
function bitsIn(lines: readonly string[], words: Words, groups: Groups): number[] {
  const output = outputOf(lines);
  const filled = lines.map((line) => line.trim() !== "");
  const wanted = [...words].map(([word, { weight, share, isShort }]) => ({
    share,
    weight: isShort ? { any: 0, alone: weight } : { any: weight, alone: weight * alone },
    sought: soughtFor(word, isShort ? "alone" : word.includes(" ") ? "pair" : "any"),
  }));
  const abbreviations = wanted.map(({ sought }) => abbreviationOf(sought));
  const roots = wanted.map(({ sought }) => rootOf(sought));
  const all = [...wanted.map(({ sought }) => sought), ...abbreviations, ...roots];
  const lineCount = filled.filter(Boolean).length;
  // Many lines may be of few groups.
  const most = lineCount / (groups ? 2 : 2 ** leastBits);
  find(all, output, most);
  const inside = wanted.map(({ sought }) => insideOf(sought, output, most));
  const count = groups?.filter((places) => places.some((at) => filled[at])).length ?? lineCount;
  const owners = groups && ownersOf(lines.length, groups);
  const bits = new Array<number>((groups ?? lines).length).fill(0);
  const add = (places: readonly number[], weight: number): void => {
    if (places.length === 0 || places.length > most) return;
    const having = owners?.having(places) ?? places;
    // Of few groups a word of many may yet be in few of the lines.
    const rarity = Math.max(count / having.length, lineCount / places.length);
    if (rarity < 2 ** leastBits) return;
    const own = Math.log2(rarity) * weight;
    for (const at of having) bits[at] = (bits[at] ?? 0) + own;
  };
  for (const [at, { sought, weight, share }] of wanted.entries()) {
    add(sought.inAnyForm, weight.any);
    add(sought.alone, weight.alone);
    if (sought.inAnyForm.length + sought.alone.length === 0)
      add(roots[at]?.inAnyForm ?? [], akin * share);
    add(abbreviations[at]?.inAnyForm ?? [], akin * share);
    add(inside[at] ?? [], within * share);
  }
  return bits;
}

type Groups = readonly (readonly number[])[] | undefined;

/** The groups that lines are in. */
function ownersOf(lines: number, groups: readonly (readonly number[])[]) {
  /** Where those of each line begin among all, and behind the last one where they end. */
  const starts = new Uint32Array(lines + 1);
  for (const places of groups) for (const at of places) starts[at + 1] = (starts[at + 1] ?? 0) + 1;
  for (let at = 0; at < lines; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const all = new Uint32Array(starts[lines] ?? 0);
  const free = starts.slice();
  for (let group = 0; group < groups.length; group++)
    for (const at of groups[group] ?? []) {
      const place = free[at] ?? 0;
      all[place] = group;
      free[at] = place + 1;
    }
  /** The last question in which each group was told. */
  const told = new Uint32Array(groups.length);
  let question = 0;
  return {
    /** Each once. */
    having(places: readonly number[]): number[] {
      question++;
      const found: number[] = [];
      for (const at of places)
        for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place++) {
          const group = all[place] ?? 0;
          if (told[group] === question) continue;
          told[group] = question;
          found.push(group);
        }
      return found;
    },
  };
}

/** All lines behind one another, and the same in small letters: what is looked for in them is in none but one. */
interface Output {
  text: string;
  small: string;
  /** Where each line begins, and where one behind the last would. */
  starts: readonly number[];
}

/** Stands between lines: no letter, no space, and in no word. */
const between = "\0";

function outputOf(lines: readonly string[]): Output {
  const cut = lines.map((line) => (line.length > longestLine ? line.slice(0, longestLine) : line));
  // A letter that has two in small would move all behind it.
  const text = cut.join(between).replaceAll("İ", "I");
  const small = text.toLowerCase();
  const starts = [0];
  let end = 0;
  for (const { length } of cut) {
    end += length + 1;
    starts.push(end);
  }
  return { text, small, starts };
}

/** A word, and who has it so far. */
interface Sought {
  word: string;
  /** All its forms begin so. */
  stem: string;
  as: "any" | "alone" | "root" | "abbreviation" | "pair";
  /** The lines that have it in any form; of a root any word that begins so. */
  inAnyForm: number[];
  /** Those where it is no part of a longer name. */
  alone: number[];
}

const firstOf = (pair: string): string => {
  const first = pair.slice(0, pair.indexOf(" "));
  return first.length > 4 ? first.slice(0, -1) : first;
};

function soughtFor(word: string, as: Sought["as"]): Sought {
  // The end of a stem differs from that of its forms: `entri` of `entries` and `entry`.
  const isInflected = as === "any" && word.length > 4 && !/\d$/.test(word);
  const stem = isInflected
    ? word.slice(0, -1)
    : as === "abbreviation"
      ? word.slice(0, leastShortened)
      : as === "pair"
        ? firstOf(word)
        : word;
  return { word, stem, as, inAnyForm: [], alone: [] };
}

/** How words of one origin begin, which counts where the word itself is not there. */
function rootOf({ word, as }: Sought): Sought | undefined {
  if (as === "pair") return undefined;
  const latin = inLatin(word);
  return latin.length >= leastAkin || latin !== word
    ? soughtFor(latin.slice(0, root), "root")
    : undefined;
}

/** Fewer letters are inside of other words by chance. */
const leastInside = 5;

/** The lines that have a word wherever in another: `useithreads`. */
function insideOf({ word, stem, as }: Sought, { small, starts }: Output, most: number): number[] {
  if (as !== "any" || word.length < leastInside) return [];
  const places: number[] = [];
  // Most words are nowhere.
  for (let at = small.indexOf(stem), line = 0; at >= 0; at = small.indexOf(stem, starts[line])) {
    while (at >= (starts[line + 1] ?? 0)) line++;
    if (places.push(line++) > most) return [];
  }
  return places;
}

/** How a word is cut short in names: `EXT_SUFFIX`, `max_conf`. */
function abbreviationOf({ word, as }: Sought): Sought | undefined {
  return as === "any" && /^[a-z]{6,}$/.test(word) ? soughtFor(word, "abbreviation") : undefined;
}

/** Notes the lines that have what is sought; what more than `most` have is looked for no further. */
function find(all: readonly (Sought | undefined)[], output: Output, most: number): void {
  const sought = all.filter((one) => one !== undefined);
  if (sought.length === 0) return;
  const { text, small, starts } = output;
  const byKey = Map.groupBy(sought, ({ stem }) => keyOf(stem.charCodeAt(0), stem.charCodeAt(1)));
  const isKey = new Uint8Array(mostKeys);
  for (const key of byKey.keys()) isKey[key] = 1;
  const noted = { most, stemOf: createStems() };
  let line = 0;
  const lookFor = (key: number, at: number): void => {
    while (at >= (starts[line + 1] ?? 0)) line++;
    for (const one of byKey.get(key) ?? [])
      if (one.alone.length <= most && small.startsWith(one.stem, at))
        note(one, line, at, output, noted);
  };
  for (let at = 0; at < small.length; at++) {
    const first = small.charCodeAt(at);
    const two = keyOf(first, at + 1 < small.length ? small.charCodeAt(at + 1) : 0);
    if (isKey[two] === 0 && isKey[first] === 0) continue;
    if (first < firstUnspaced && !beginsAt(at, text)) continue;
    if (isKey[two] !== 0) lookFor(two, at);
    if (isKey[first] !== 0 && two !== first) lookFor(first, at);
  }
}

const mostKeys = 65_536;

/** A word's first two letters as one number, which most places are told by; of a single letter the second is 0. */
const keyOf = (first: number, second: number): number => (first ^ (second << 7)) & (mostKeys - 1);

interface Noted {
  most: number;
  stemOf(this: void, word: string): string;
}

function note(sought: Sought, line: number, at: number, output: Output, { most, stemOf }: Noted) {
  const { word, as, inAnyForm, alone } = sought;
  if (as !== "pair" && alone.at(-1) !== line && isAlone(at, word, output)) alone.push(line);
  if (as === "alone" || inAnyForm.length > most || inAnyForm.at(-1) === line) return;
  const isFound =
    as === "root"
      ? true
      : as === "abbreviation"
        ? isShortenedAt(at, word, output)
        : as === "pair"
          ? isPairAt(at, word, output, stemOf)
          : isWordAt(at, word, output, stemOf);
  if (isFound) inAnyForm.push(line);
}

/** Stems, each worked out once. */
function createStems(): Noted["stemOf"] {
  const stems = new Map<string, string>();
  return (word) => {
    const stem = stems.get(word) ?? stemmer(word);
    stems.set(word, stem);
    return stem;
  };
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

/** A small Latin letter. */
const isSmall = (code: number): boolean => code > 96 && code < 123;

const isDigit = (code: number): boolean => code > 47 && code < 58;

const isPlain = (code: number): boolean => isDigit(code) || isSmall(code);

const letter = /[\p{L}\p{M}]/u;
const capital = /\p{Lu}/u;

/** Scripts without spaces stand behind it: their words begin anywhere. */
const firstUnspaced = 0x0e00;

/** Whether a word, or a part of a name, begins here. */
function beginsAt(at: number, text: string): boolean {
  // Most places are told by two signs.
  if (at === 0) return true;
  const [last, next] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  // Most signs need no form.
  if (last < 128 && next < 128) {
    if (isDigit(next)) return !isDigit(last);
    return !isSmall(last | 32) || (next > 64 && next < 91);
  }
  const before = text[at - 1] ?? "";
  const first = text[at] ?? "";
  if (/\d/.test(first)) return !/\d/.test(before);
  return !letter.test(before) || capital.test(first);
}

/** Whether a word, or a part of a name, begins here that is a form of `word`. */
function isWordAt(at: number, word: string, output: Output, stemOf: Noted["stemOf"]): boolean {
  const { text, small } = output;
  if (unspaced.test(word)) return true;
  if (small.startsWith(word, at) && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ""))
    return true;
  let end = at;
  while (end - at < word.length + longestEnding && letter.test(text[end] ?? "")) {
    end++;
    if (capital.test(text[end] ?? "") && !capital.test(text[end - 1] ?? "")) break;
  }
  return stemOf(small.slice(at, end)) === word;
}

/** Whether two words stand here, one behind the other. */
function isPairAt(at: number, pair: string, output: Output, stemOf: Noted["stemOf"]): boolean {
  const parted = pair.indexOf(" ");
  if (!isWordAt(at, pair.slice(0, parted), output, stemOf)) return false;
  let next = at;
  while (letter.test(output.text[next] ?? "")) {
    next++;
    if (capital.test(output.text[next] ?? "") && !capital.test(output.text[next - 1] ?? "")) break;
  }
  while (/[\s_.:-]/.test(output.text[next] ?? "") && next - at < 60) next++;
  return isWordAt(next, pair.slice(parted + 1), output, stemOf);
}

/** Whether a part of a name stands here that the word begins with. */
function isShortenedAt(at: number, word: string, output: Output): boolean {
  const { text, small } = output;
  let end = at;
  while (small[end] === word[end - at] && end - at < word.length) end++;
  const [last, next] = [text[end - 1] ?? "", text[end] ?? ""];
  return (
    end - at < word.length - 1 &&
    (!letter.test(next) || (capital.test(next) && !capital.test(last)))
  );
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

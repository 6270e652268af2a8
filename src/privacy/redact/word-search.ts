// Finds many words in one look at a text: a rule is only tried where a word stands without which it cannot match.

/** Tells where words stand: `found` is called with a word's number and place, in about the order of the places. */
export type WordSearch = (text: string, found: Found) => void;
type Found = (word: number, at: number) => void;

interface Needle {
  number: number;
  word: string;
  anyCase: boolean;
  /** Where in the word the last of the three characters stands by which it is looked for. */
  last: number;
}

const bits = 6;
const slotCount = 1 << (3 * bits);

/**
 * What a character counts as, by its code: both cases of a letter are alike; so are other characters here and there, which
 * is why a word is then compared. All beyond ASCII are as rare as a backtick.
 */
const classes = new Uint8Array(0x1_0000).fill(32);
for (let code = 0; code < 128; code++) classes[code] = ((code >> 1) & 32) | (code & 31);

const classOf = (code: number): number => classes[code] ?? 0;

/**
 * A search for words of two characters or more. Of a word without capitals the ASCII letters are found in any case, one
 * with capitals only as it is written.
 */
export function createWordSearch(words: readonly string[]): WordSearch {
  /** For any three characters in a row the number of a list of needles, 0 for none. */
  const lists = new Uint16Array(slotCount);
  const needles: Needle[][] = [[]];
  for (const [number, word] of words.entries()) {
    const needle = { number, word, anyCase: word === word.toLowerCase(), last: rarest(word) };
    for (const slot of slotsOf(word, needle.last)) {
      lists[slot] ||= needles.push([]) - 1;
      needles[lists[slot]]?.push(needle);
    }
  }
  const compare = (list: number, text: string, at: number, found: Found): void => {
    for (const needle of needles[list] ?? [])
      if (stands(needle, text, at - needle.last)) found(needle.number, at - needle.last);
  };
  return (text, found) => {
    let slot = 0;
    for (let at = 0; at < text.length; at++) {
      slot = ((slot << bits) | (classes[text.charCodeAt(at)] ?? 0)) & (slotCount - 1);
      const list = lists[slot];
      if (list) compare(list, text, at, found);
    }
  };
}

function stands({ word, anyCase }: Needle, text: string, at: number): boolean {
  if (at < 0 || at + word.length > text.length) return false;
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(at + i);
    if ((anyCase ? lower(code) : code) !== word.charCodeAt(i)) return false;
  }
  return true;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** From what is seldom in texts to what is common; signs and digits are rarer than any of them. */
const commonness = "zqxjkvbpygfwmucldrhsnioate ";

/** How common the character of a code is, by its place there. */
const scores = Int8Array.from({ length: 128 }, (_, code) =>
  commonness.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Threes of characters that many words have, or that recordings are full of. */
const common = new Set(
  'ing ool con com wor ork rin and scr rip cod rep nam log mod cre bas put typ ack app abl pan ock bra use pro ken ype ent ion cli ver fil eck pac gin par pat che ser rks int cur for git lin omm ont tok lex mit cmd mes ckp pen hub gem por cha man pla vic env pos seq get oke ent ile hec sag ons ter ":" e":'.split(
    " ",
  ),
);

/** Where the three characters end by which a word is told soonest from other texts; of a shorter word its end. */
function rarest(word: string): number {
  const score = (at: number): number => scores[word.charCodeAt(at)] ?? -1;
  let best = Math.min(2, word.length - 1);
  let least = Number.POSITIVE_INFINITY;
  for (let end = 2; end < word.length; end++) {
    let sum = score(end - 2) + score(end - 1) + score(end);
    if (sum < least && common.has(word.slice(end - 2, end + 1).toLowerCase())) sum += 60;
    if (sum >= least) continue;
    best = end;
    least = sum;
  }
  return best;
}

/** The slots of the three characters that end at `last`; of two, whatever stands before them. */
function slotsOf(word: string, last: number): number[] {
  if (word.length < 2) throw new Error(`The word ${word} is too short to look for.`);
  const pair = (classOf(word.charCodeAt(last - 1)) << bits) | classOf(word.charCodeAt(last));
  if (last >= 2) return [(classOf(word.charCodeAt(last - 2)) << (2 * bits)) | pair];
  return Array.from({ length: 1 << bits }, (_, before) => (before << (2 * bits)) | pair);
}

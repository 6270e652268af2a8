// Finds many words in one look at a text: a rule is only tried where a word stands without which it cannot match.

/** Tells where words stand: `found` is called with a word's number and place, in about the order of the places. */
type WordSearch = (text: string, found: Found) => void;
type Found = (word: number, at: number) => void;

const bits = 6;
const slotCount = 1 << (3 * bits);

/**
 * What a character counts as, by its code: both cases of a letter are alike; so are other characters here and there, which
 * is why a word is then compared. Those beyond ASCII are four kinds, as rare as a number sign: of one kind, all that is
 * written in Chinese or drawn with lines would be compared with every word in Greek.
 */
const kindOf = (code: number): number =>
  code < 128 ? ((code >> 1) & 32) | (code & 31) : 3 + (code & 3);

/**
 * A search for words of two characters or more. Of a word without capitals the ASCII letters are found in any case, one
 * with capitals only as it is written.
 */
export function createWordSearch(words: readonly string[]): WordSearch {
  /** For any three characters in a row the first of the entries for them, 0 for none. */
  const firstOf = new Uint16Array(slotCount);
  /** Of every entry the word and the next entry for the same characters, of which the word stands later in the list. */
  const wordOf: number[] = [0];
  const nextOf: number[] = [0];
  const anyCase = words.map((word) => word === word.toLowerCase());
  /** Where in the word the last of the three characters stands by which it is looked for. */
  const lasts = new Uint8Array(words.length);
  /** A further character of each word, told by how far it is from that one: most words that are none fail at it. */
  const offsets = new Int8Array(words.length);
  const codes = new Uint16Array(words.length);
  /** What makes a small letter of it: 32 for a letter in any case. */
  const folds = new Uint8Array(words.length);
  for (let number = words.length - 1; number >= 0; number--) {
    const word = words[number] ?? "";
    const last = rarest(word);
    lasts[number] = last;
    // Of a word of three characters all is known but the case.
    const checked = last >= 3 ? last - 3 : word.length > 3 ? last + 1 : 0;
    offsets[number] = checked - last;
    const code = word.charCodeAt(checked);
    codes[number] = code;
    folds[number] = anyCase[number] && code >= 97 && code <= 122 ? 32 : 0;
    // Of two characters, whatever stands before them.
    const step = last < 2 ? 1 << (2 * bits) : slotCount;
    for (let slot = slotOf(word, last); slot < slotCount; slot += step) {
      nextOf.push(firstOf[slot] ?? 0);
      firstOf[slot] = wordOf.push(number) - 1;
    }
  }
  const entries = { words: Uint16Array.from(wordOf), next: Uint16Array.from(nextOf) };
  const compare = (first: number, text: string, at: number, found: Found): void => {
    for (let entry = first; entry !== 0; entry = entries.next[entry] ?? 0) {
      const number = entries.words[entry] ?? 0;
      const code = text.charCodeAt(at + (offsets[number] ?? 0)) | (folds[number] ?? 0);
      if (code !== codes[number]) continue;
      const start = at - (lasts[number] ?? 0);
      if (stands(words[number] ?? "", anyCase[number] === true, text, start)) found(number, start);
    }
  };
  return (text, found) => {
    let slot = 0;
    for (let at = 0; at < text.length; at++) {
      slot = ((slot << bits) | kindOf(text.charCodeAt(at))) & (slotCount - 1);
      const first = firstOf[slot];
      if (first) compare(first, text, at, found);
    }
  };
}

function stands(word: string, anyCase: boolean, text: string, at: number): boolean {
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

const scoreOf = (code: number): number => scores[code] ?? -1;

/** Threes of characters that many words have, or that recordings are full of. */
const common = new Set(
  'ing ool con com wor ork rin and scr rip cod rep nam log mod cre bas put typ ack app abl pan ock bra use pro ken ype ent ion cli ver fil eck pac gin par pat che ser rks int cur for git lin omm ont tok lex mit cmd mes ckp pen hub gem por cha man pla vic env pos seq get oke ent ile hec sag ons ter ":" e":'
    .split(" ")
    .map((three) => slotOf(three, 2)),
);

/** Where the three characters end by which a word is told soonest from other texts; of a shorter word its end. */
function rarest(word: string): number {
  let best = Math.min(2, word.length - 1);
  let least = Number.POSITIVE_INFINITY;
  let before = scoreOf(word.charCodeAt(0));
  let last = scoreOf(word.charCodeAt(1));
  for (let end = 2; end < word.length; end++) {
    const score = scoreOf(word.charCodeAt(end));
    let sum = before + last + score;
    if (sum < least && common.has(slotOf(word, end))) sum += 60;
    before = last;
    last = score;
    if (sum >= least) continue;
    best = end;
    least = sum;
  }
  return best;
}

/** The slot of the three characters that end at `last`; of two, the first one. */
function slotOf(word: string, last: number): number {
  if (word.length < 2) throw new Error(`The word ${word} is too short to look for.`);
  const pair = (kindOf(word.charCodeAt(last - 1)) << bits) | kindOf(word.charCodeAt(last));
  return last < 2 ? pair : (kindOf(word.charCodeAt(last - 2)) << (2 * bits)) | pair;
}

/** A class of characters: those below 128 for whose code `member` says so. */
export function classOf(member: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    Number(member.test(String.fromCharCode(code))),
  );
}

function isIn(members: Uint8Array, text: string, at: number): boolean {
  return at >= 0 && at < text.length && members[text.charCodeAt(at)] === 1;
}

/** Calls `visit` for every run that is at least so long and that no character of the class stands before or behind. */
export function visitRuns(
  text: string,
  members: Uint8Array,
  shortest: number,
  visit: (start: number, end: number) => void,
): void {
  // Such a run covers one of these places, wherever it begins.
  for (let at = shortest - 1; at < text.length; at += shortest) {
    if (!isIn(members, text, at)) continue;
    let start = at;
    while (isIn(members, text, start - 1)) start--;
    while (isIn(members, text, at)) at++;
    if (at - start >= shortest) visit(start, at);
  }
}

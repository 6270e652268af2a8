// Looks through a text for many words at once and for runs of characters, within an allowance; and finds the tokens that such a run is
// by its shape alone.
import * as sticky from "../../text/text.ts";
import { isScattered } from "./values.ts";

/** Where something stands in a text. */
export interface Span {
  start: number;
  end: number;
}

/** A part of a text that is a secret. */
export interface Found extends Span {
  /** What the mark says was there. */
  kind: string;
  /** The `id` of the rule that found it. */
  rule: string;
}

/** What a rule is called, and what it finds as people read it. Its examples are `test/privacy/examples.json`. */
export interface Rule {
  id: string;
  finds: string;
  /**
   * One of them stands in every text in which the rule may find something; it is tried in no other. Two characters or
   * more; a word in small ASCII letters counts in any case, any other only as it is written. Left out: it is always tried.
   */
  words?: readonly string[];
  /** Of a rule of a table: what it says. Of one that is code, a number that goes up with what it finds: what is stored is gone over again. */
  source: string | number;
}

// Counts the work of reading, so that no text, whatever stands in it, is read for longer than its length allows.

/** Characters that were read in this process to judge what stands at some place; only differences say anything. */
let read = 0;

/** What a try costs however little it reads. */
const eachTry = 4;
/** Texts are charged by pieces of so many characters, of which each has an allowance of its own. */
export const pieceLength = 2_048;
/** So often may the characters of a piece be read, on average: three times what any text of people or programs was seen to need. */
export const mostReadings = 8;

/** Counts characters as read. */
export function countRead(characters: number): void {
  read += characters;
}

/** What was counted so far. */
export const readSoFar = (): number => read;

/** As `matchAt` of texts, and counted. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const match = sticky.matchAt(pattern, text, at);
  read += eachTry + (match?.[0].length ?? 0);
  return match;
}

/** As `matchEnd` of texts, and counted. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  const end = sticky.matchEnd(pattern, text, at);
  read += eachTry + (end === undefined ? 0 : end - at);
  return end;
}

/** By this a part of a text goes that holds too many beginnings of secrets to look behind each. */
export const uncheckedRule = {
  id: "unchecked",
  finds: "a part of the text that could not be looked through in the time that its length allows",
};

/** What was not looked through, and so may not stay. */
export const unchecked = (start: number, end: number): Found => ({
  ...{ start, end, kind: uncheckedRule.id, rule: uncheckedRule.id },
});

/** What the rules may read of a text. */
export interface Allowance {
  /** True where a rule may look at `at`; what is read until the next call is charged to the piece there. */
  begin(at: number): boolean;
  /** The pieces in which the rules had to stop: nothing is known of what stands there, so that none of it may stay. */
  unchecked(): Found[];
}

/** The allowance of a text of this length. */
export function allowanceFor(length: number): Allowance {
  const spent = new Uint32Array(Math.ceil(length / pieceLength));
  const stopped = new Set<number>();
  let current = 0;
  let from = read;
  const settle = (): void => {
    spent[current] = (spent[current] ?? 0) + read - from;
    from = read;
  };
  return {
    begin(at) {
      settle();
      current = Math.floor(at / pieceLength);
      read += eachTry;
      if ((spent[current] ?? 0) <= pieceLength * mostReadings) return true;
      stopped.add(current);
      return false;
    },
    unchecked() {
      settle();
      const found: Found[] = [];
      for (const number of [...stopped].sort((a, b) => a - b)) {
        const [start, end] = [number * pieceLength, Math.min(length, (number + 1) * pieceLength)];
        const last = found.at(-1);
        if (last?.end === start) last.end = end;
        else found.push(unchecked(start, end));
      }
      return found;
    },
  };
}

// Finds many words in one look at a text: a rule is only tried where a word stands without which it cannot match.

/** Tells where words stand: `found` is called with a word's number and place, in about the order of the places. */
type WordSearch = (text: string, found: FoundWord) => void;
type FoundWord = (word: number, at: number) => void;

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
  /** A further character of each word, as how far it is from that one: most words that are none fail at it. */
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
  const compare = (first: number, text: string, at: number, found: FoundWord): void => {
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

/** Where the three characters end by which a word differs soonest from other texts; of a shorter word its end. */
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

// Tokens of services that no rule knows by name: a short beginning, `_` or `-`, and a long run that nobody typed.

/** The rule by which they go. */
export const shapedRule: Rule = {
  id: "token-by-shape",
  finds: "a short beginning, then a long random run of letters of both cases and digits",
  source: 2,
};

/** Beginnings of what is published or only names something; of these none is a secret. */
const known =
  /^(?:pk|phc|sb_publishable|toolu|srvtoolu|mcptoolu|msg|req|call|cs|pi|seti|evt|file|container|msgbatch|resp|chatcmpl|user|org|sess|nonce|sha\d{1,3}|etag|id|ref|hash|digest|integrity|checksum|build|chunk|index)$/i;
/** What makers put between their name and the run. */
const telling =
  /(?:^|[_-])(?:live|prod|production|sandbox|test|api|api[_-]?key|pat|oat|sat|at|rt|sk|rk|secret|personal|access|token|auth|private)$|^(?:secret|token|api[_-]?key|pat)[_-]/i;
const shouted = /^[A-Z\d]+[_-]KEY$/;
/** Of these also what has the form of an id is a secret. */
const tellsOfSecret =
  /^((?:[a-z][a-z0-9]{1,11}[_-]){1,2}?(?:pat|oat|sk|rk|secret|token|apikey|api[_-]key)[_-])([\w-]{28,})$/i;
const isId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A second run behind the first, as keys of which the first part is the name of the second. */
const second = /\.([A-Za-z0-9]{20,100})(?![\w.+/=-])/y;
const shortest = 20;
/** How long a run is that no telling beginning has. */
const long = 28;
const longest = 400;
const members = classOf(/[A-Za-z0-9]/);
/** What may not stand behind the run: more of a name, or of base 64. */
const goesOn = /[\w-]|[+/=][A-Za-z0-9+/=]/y;
const beginning =
  /(?:(?:^|\n)[+-]?|[^\w+/.%-])([a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,12}){0,3}|[A-Z][A-Z0-9]{1,11}(?:[_-][A-Z0-9]{1,12}){1,3})$/;
const reach = 60;
/** Runs of base 64 as addresses have it, of which the parts are too short to tell. */
const linked = classOf(/[\w-]/);
const shortestLinked = 36;
const longestLinked = 240;
/** What goes on with 01 is an id that carries a version and a time. */
const linkedToken = /^[a-z][a-z0-9]{1,11}[_-](?!01[A-Z])([\w-]{36,})$/;

/** Every such token: a long run behind `_` or `-`. */
export function findShapedTokens(text: string): Found[] {
  const found: Found[] = [];
  visitRuns(text, linked, shortest, (from, to) => {
    if (isLinkedToken(text, from, to))
      found.push({ start: from, end: to, kind: "token", rule: shapedRule.id });
    for (let start = from; start < to; start++) {
      let end = start;
      while (end < to && members[text.charCodeAt(end)] === 1) end++;
      if (end - start >= shortest) found.push(...tokensAt(text, start, end));
      start = end;
    }
  });
  return found;
}

/** What a run of letters and digits is, or the end of. */
function tokensAt(text: string, start: number, end: number): Found[] {
  const found: Found[] = [];
  if (isWhole(text, start, end)) found.push({ start, end, kind: "token", rule: shapedRule.id });
  const joined = joinedAt(text, start, end);
  if (joined) found.push({ ...joined, kind: "token", rule: shapedRule.id });
  if (!/[_-]/.test(text.charAt(start - 1)) || end - start > longest) return found;
  if (sticky.matchEnd(goesOn, text, end) !== undefined) return found;
  const name = beginning.exec(text.slice(Math.max(0, start - 1 - reach), start - 1))?.[1];
  if (name === undefined) return found;
  const further = sticky.matchAt(second, text, end)?.[1] ?? "";
  const whole = text.slice(start, end) + (isScattered(further) ? further : "");
  if (!isToken(name, whole)) return found;
  const last = whole.length > end - start ? end + 1 + further.length : end;
  found.push({ start: start - 1 - name.length, end: last, kind: "token", rule: shapedRule.id });
  return found;
}

/** A beginning and a run of letters of both cases, digits, `_` and `-` in which no word is. */
function isLinkedToken(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < shortestLinked || length > longestLinked || /[+/.%@]/.test(text.charAt(start - 1)))
    return false;
  if (/^(?:[+/=@]|\.\w)/.test(text.slice(end, end + 2))) return false;
  const run = text.slice(start, end);
  const [, , named = ""] = tellsOfSecret.exec(run) ?? [];
  if (isId.test(named) || isMixed(named)) return true;
  const rest = linkedToken.exec(run)?.[1];
  if (rest === undefined || known.test(run.split(/[_-]/, 1)[0] ?? "")) return false;
  return isMixed(rest);
}

/** Of letters of both cases, and without words. */
function isMixed(value: string): boolean {
  const signs = value.replace(/[_-]/g, "");
  return /[a-z]/.test(signs) && /[A-Z]/.test(signs) && isScattered(signs);
}

/** Seeds of NATS; tokens of Sanity. They begin like a word, but no word goes on so. */
const whole = /^(?:S[UAONCX][A-Z2-7]{56}|sk(?:[A-Za-z0-9]{79}|[A-Za-z0-9]{150,200}))$/;

function isWhole(text: string, start: number, end: number): boolean {
  const begins = text.charCodeAt(start) | 32;
  return begins === 115 && end - start <= 202 && whole.test(text.slice(start, end));
}

/** A number before a run of both cases, as TrueNAS has it. */
const numbered = /(?:^|[^\w.+/-])(\d{1,3}-)$/;
/** The number of an integration before its secret, as Ghost joins them. */
const administered = /(?:^|[^\w.:/@-])(?=[a-f]{0,23}\d)[0-9a-f]{24}:$/;
const isHex = /^[0-9a-f]+$/;
/** Two short parts behind a run of hexadecimal digits, as Mailgun has them. */
const parted = /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/;

/** A run of one of two lengths that a hyphen joins to numbers: a token as a whole. */
function joinedAt(text: string, start: number, end: number): Span | undefined {
  if (end - start === 64 && text[start - 1] === "-") {
    const value = text.slice(start, end);
    const [, number = ""] = numbered.exec(text.slice(Math.max(0, start - 5), start)) ?? [];
    if (number !== "" && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value))
      return { start: start - number.length, end };
  }
  if (end - start === 64 && text[start - 1] === ":") {
    const whose = administered.test(text.slice(Math.max(0, start - 26), start));
    return whose && isHex.test(text.slice(start, end)) ? { start: start - 25, end } : undefined;
  }
  if (end - start !== 32 || text[end] !== "-" || /[\w.+/-]/.test(text.charAt(start - 1)))
    return undefined;
  return parted.test(text.slice(start, start + 52)) ? { start, end: start + 50 } : undefined;
}

function isToken(name: string, value: string): boolean {
  if (known.test(name) || known.test(name.split(/[_-]/, 1)[0] ?? "")) return false;
  // Ids that carry a version and a time begin so; what manuals show ends so.
  if (/^01[A-Z]|EXAMPLE/.test(value)) return false;
  const tells = telling.test(name) || shouted.test(name);
  if (/^[0-9a-f]+$/.test(value)) return value.length >= 32 && tells && !/test$/i.test(name);
  // Of one case letters stand in longer runs.
  if (tells && (value.match(/\d+/g)?.length ?? 0) >= 3 && /[A-Za-z]/.test(value)) return true;
  if (!isScattered(value)) return false;
  return tells || (value.length >= long && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

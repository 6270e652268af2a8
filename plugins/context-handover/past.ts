// Turns as the note reads them: what each was about, and what the later ones say and touch. Pure.
import type { Evidence, EvidenceKind, MemoryItem, Turn } from "../../src/sdk/index.ts";
import {
  type Clock,
  codeNames,
  stopWords,
  stripAnsi,
  unspacedRange,
} from "../../src/text/index.ts";
import { type Labels, typedWords } from "./line.ts";

/** What every part of the note is written with. */
export interface Writing {
  clock: Clock;
  labels: Labels;
  /** Turns oldest first: those that are shown, and what came after each. */
  turns: readonly PastTurn[];
}

/** `t12 · 2026-11-20 14:05`. */
export function placeOf({ turn }: PastTurn, { clock }: Writing): string {
  return `${turn.id} · ${clock.day(turn.startedAt)} ${clock.time(turn.startedAt)}`;
}

/** A command on one line, in code marks. */
export function code(line: string): string {
  const flat = line.replace(/\s+/g, " ").replaceAll("`", "'").trim();
  return `\`${flat.length > 200 ? `${flat.slice(0, 199)}…` : flat}\``;
}

/** What the user typed, with a mark in place of what was quoted or pasted. */
export function typed(text: string, { labels }: Writing): string {
  return typedWords(text, (lines) => labels.quoted.replace("{n}", String(lines)));
}

/** True for what was said or chosen once, and nothing came back to since. */
export function isOnce({ state }: MemoryItem): boolean {
  return state === "candidate";
}

const decay = 0.82;

/** How much of a rank is left after so many sessions. */
export function fresh({ sessionsAgo }: PastTurn): number {
  return decay ** sessionsAgo;
}

/** A turn, what it was about, and where it stands among the others. */
export interface PastTurn {
  turn: Turn;
  /** Sessions that went on later: 0 for the newest session. */
  sessionsAgo: number;
  /** True for the newest turn of its session. */
  isLast: boolean;
  /** Words of what was typed, done and said at the end. */
  terms: Terms;
  /** Words that no other of the turns has. */
  novel: number;
  /** Paths of changed files, commands, and names in what was typed, in lower case. */
  touched: string;
  /** What was stated in all later turns. */
  newer: Statements;
  /** The turns after it, oldest first. */
  later: readonly PastTurn[];
}

const done: ReadonlySet<EvidenceKind> = new Set(["passed", "ran", "repair", "failure"]);
const user: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "refusal", "choice"]);
const stated: ReadonlySet<EvidenceKind> = new Set([...user, "closing", "commit"]);
/** Of a text with more, the beginning is compared. */
const compared = 3_000;
const commandCompared = 240;

/** The turns oldest first. */
export function pastOf(turns: readonly Turn[]): PastTurn[] {
  const ordered = turns.toSorted((one, other) => one.startedAt - other.startedAt);
  const newestFirst = [...new Set(ordered.toReversed().map(({ session }) => session))];
  const statements = createStatements();
  const past: PastTurn[] = [];
  const seen = new Set<string>();
  // From the newest on: what is known then is what came later.
  for (let at = ordered.length - 1; at >= 0; at--) {
    const turn = ordered[at];
    if (!turn) continue;
    const newer = statements.upToNow();
    const terms = new Set(termsOf([...commandsOf(turn), ...changedBy(turn)].join("\n")));
    for (const text of textsOf(turn, stated))
      for (const term of statements.add(text)) terms.add(term);
    past.unshift({
      turn,
      sessionsAgo: newestFirst.indexOf(turn.session),
      isLast: !seen.has(turn.session),
      terms,
      novel: 0,
      touched: touchedBy(turn),
      newer,
      later: past.slice(),
    });
    seen.add(turn.session);
  }
  return withNovelty(past);
}

/** Counts for each turn the words that no other has. */
function withNovelty(past: PastTurn[]): PastTurn[] {
  const counts = new Map<Term, number>();
  for (const { terms } of past)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const one of past) for (const term of one.terms) if (counts.get(term) === 1) one.novel++;
  return past;
}

/** The pieces of these kinds, in order. */
export function piecesOf({ turn }: PastTurn, ...kinds: EvidenceKind[]): Evidence[] {
  return turn.pieces.filter(({ kind }) => kinds.includes(kind));
}

/** The text of the turn's only piece of a kind; empty when there is none. */
export function textOf(past: PastTurn, kind: "prompt" | "closing" | "todo"): string {
  return piecesOf(past, kind)[0]?.text ?? "";
}

function textsOf({ pieces }: Turn, kinds: ReadonlySet<EvidenceKind>): string[] {
  return pieces.flatMap(({ kind, text }) => (kinds.has(kind) ? text.slice(0, compared) : []));
}

function commandsOf({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, about }) =>
    done.has(kind) && about ? about.slice(0, commandCompared) : [],
  );
}

function changedBy({ files }: Turn): string[] {
  return files.flatMap(({ path, changed }) => (changed ? path : []));
}

function touchedBy(turn: Turn): string {
  const typed = textsOf(turn, user).flatMap(namesIn);
  return [...changedBy(turn), ...commandsOf(turn), ...typed].join("\n").toLowerCase();
}

// The telling line of a command's output.

const longestTelling = 240;

/** The line that says most, not the count of what failed; short lines before long ones of the same worth. */
export function tellingLine(output: string): string {
  let best = "";
  let most = 0;
  for (const line of stripAnsi(output).split("\n")) {
    const text = line.trim();
    if (text === "" || text.length > longestTelling) continue;
    const worth = Math.min(termsOf(text).size, 12);
    if (worth > most) [best, most] = [text, worth];
  }
  return best === "" ? stripAnsi(output).trim().slice(0, longestTelling) : best;
}

// Statements by their words: is there one that says what another says? Pure.

/** So much of a statement's words in one newer statement: the newer one says it. */
const superseding = 0.6;
/** Fewer words than this say too little to be compared. */
const fewest = 2;

/** Statements that were made by some moment. */
interface Statements {
  /** True when one of them has most of these words. */
  say(terms: Terms): boolean;
  /** The words of a sentence, which may be one of them. */
  wordsOf(sentence: string): Terms;
}

/** Statements as they are added. */
interface GrowingStatements {
  /** Adds every sentence of a text; gives all their words. */
  add(text: string): Terms;
  /** Those added so far; what is added later is not among them. */
  upToNow(): Statements;
}

/** An empty collection. */
export function createStatements(): GrowingStatements {
  const byTerm = new Map<Term, number[]>();
  const words = new Map<string, Terms>();
  let count = 0;

  function wordsOf(sentence: string): Terms {
    const known = words.get(sentence);
    if (known) return known;
    const made = termsOf(sentence);
    words.set(sentence, made);
    return made;
  }

  function say(terms: Terms, end: number): boolean {
    if (terms.size < fewest) return false;
    const least = Math.max(fewest, Math.ceil(terms.size * superseding));
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const at of byTerm.get(term) ?? []) {
        if (at >= end) break;
        const now = (shared.get(at) ?? 0) + 1;
        if (now >= least) return true;
        shared.set(at, now);
      }
    return false;
  }

  return {
    add(text) {
      const all = new Set<Term>();
      for (const sentence of sentencesOf(text)) {
        const isNew = !words.has(sentence);
        const terms = wordsOf(sentence);
        for (const term of terms) all.add(term);
        if (!isNew || terms.size < fewest) continue;
        for (const term of terms) {
          const places = byTerm.get(term);
          if (places) places.push(count);
          else byTerm.set(term, [count]);
        }
        count++;
      }
      return all;
    },
    upToNow() {
      const end = count;
      return { say: (terms) => say(terms, end), wordsOf };
    },
  };
}

/** The number of a list item ends no sentence. */
const sentenceEnd = /(?<=[.!?…؟]["'”’)\]*_`]*)(?<!^\s*\d{1,3}\.)\s+|(?<=[。！？])/u;

/** Sentences of a text, line by line. */
export function sentencesOf(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => line.split(sentenceEnd))
    .filter((sentence) => sentence.trim() !== "");
}

// Words as subjects are compared by: no stop words, endings cut off, scripts without spaces by pairs. Pure.

/** A word as it is compared: of ASCII its first letters packed into a number, for a note reads some ten thousand. */
type Term = number | string;
/** Words of a text that say what it is about. */
type Terms = ReadonlySet<Term>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ascii = /^[\u0000-\u007f]*$/;
const words = /[\p{L}\p{N}_]{3,}/gu;
const wide = new RegExp(`[${unspacedRange}]+`, "g");
/** Longer words are compared by their beginning: `exported` and `export` are about the same. */
const stem = 5;
const shortest = 3;

/** What a character is worth in a packed word, by its code; 0 for one that is in no word. */
const digits = new Uint8Array(128);
[..."abcdefghijklmnopqrstuvwxyz0123456789_"].forEach((character, at) => {
  digits[character.charCodeAt(0)] = at + 1;
  digits[character.toUpperCase().charCodeAt(0)] = at + 1;
});
const base = 38;
/** Beginnings that a common word has: only of those the whole word is looked up. */
const commonBeginnings = new Set(
  [...stopWords].filter((word) => ascii.test(word)).map((word) => packed(word)),
);

/** The words of a text that say what it is about. */
export function termsOf(text: string): Set<Term> {
  const found = new Set<Term>();
  if (ascii.test(text)) {
    addAscii(text, found);
    return found;
  }
  let read = text.normalize("NFKC").toLowerCase();
  for (const run of read.match(wide) ?? [])
    for (let at = 0; at + 1 < run.length; at++) found.add(run.slice(at, at + 2));
  read = read.replace(wide, " ");
  for (const word of read.match(words) ?? [])
    if (ascii.test(word)) addAscii(word, found);
    else if (!stopWords.has(word)) found.add(word.slice(0, stem));
  return found;
}

function addAscii(text: string, found: Set<Term>): void {
  let start = 0;
  let term = 0;
  for (let at = 0; at <= text.length; at++) {
    const digit = at < text.length ? (digits[text.charCodeAt(at)] ?? 0) : 0;
    if (digit > 0) {
      if (at - start < stem) term = term * base + digit;
      continue;
    }
    if (at - start >= shortest && !isCommon(term, text, start, at)) found.add(term);
    start = at + 1;
    term = 0;
  }
}

function isCommon(term: number, text: string, start: number, end: number): boolean {
  return commonBeginnings.has(term) && stopWords.has(text.slice(start, end).toLowerCase());
}

function packed(word: string): number {
  let term = 0;
  for (let at = 0; at < Math.min(stem, word.length); at++)
    term = term * base + (digits[word.charCodeAt(at)] ?? 0);
  return term;
}

/** The share of `terms` that `others` have as well. */
export function coverage(terms: Terms, others: Terms): number {
  return terms.size === 0 ? 0 : sharedBy(terms, others) / terms.size;
}

/** How many of `terms` `others` have as well. */
export function sharedBy(terms: Terms, others: Terms): number {
  let shared = 0;
  for (const term of terms) if (others.has(term)) shared++;
  return shared;
}

/** Names are looked for at the beginning of a longer text. */
const namesRead = 8_000;
const path = /(?<![\w@.~-])[\w@.~-]{0,80}\/(?:[\w@./~-]{0,200}[\w/])?/g;

/** A capital inside a word: `DuckDB`, `GitHub`. */
const inner = /\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;

/** Names in a text that only code has: paths, files, identifiers. In lower case. */
export function namesIn(text: string): string[] {
  const read = text.slice(0, namesRead);
  const found = [...(read.match(path) ?? []), ...(read.match(inner) ?? []), ...codeNames(read)];
  const names = found.map((name) => name.toLowerCase().replace(/^\.\/|\/$/g, ""));
  return [...new Set(names)].filter((name) => name.length > 2);
}

// What of an older message still holds: newer statements supersede older ones, later work settles what was left open. Pure.

/** So much of what was left open in the words of one later turn: that turn took it up. */
const takenUp = 0.5;
/** A last paragraph longer than this share of the message is not what it leaves open, but what it says. */
const tailShare = 0.4;
/** Of a message of which less is left, the rest has lost its context. */
const leftAtLeast = 0.35;
const question = /[?？؟]["'”’)\]*_`\s]*$/u;

/** What came after a message. */
interface After {
  session: string;
  newer: Statements;
  later: ReadonlyArray<Pick<PastTurn, "touched" | "terms" | "turn">>;
}

/** True for a text that ends in a question. */
export function asksAtEnd(text: string): boolean {
  return question.test(text.trimEnd());
}

/** What came after a turn. */
export function afterTurn({ turn, newer, later }: PastTurn): After {
  return { session: turn.session, newer, later };
}

/** What came after something that was said in the turn before its end. */
export function afterWords(past: PastTurn, closing: string): After {
  const own = createStatements();
  own.add(closing);
  const ownSay = own.upToNow();
  const { wordsOf } = past.newer;
  const newer: Statements = {
    wordsOf,
    say: (terms) => past.newer.say(terms) || ownSay.say(terms),
  };
  return { session: past.turn.session, newer, later: [past, ...past.later] };
}

/**
 * The message without what was superseded or settled later, "…" in its place; empty when little is left. What is open is
 * its end, or `all` of it.
 */
export function stillTrue(message: string, after: After, open: "end" | "all" = "end"): string {
  if (after.later.length === 0) return message;
  const tail = open === "all" ? 0 : tailOf(message);
  const names = open === "all" ? [] : namesIn(message);
  let fenced = false;
  let at = 0;
  let code = 0;
  const lines = message.split("\n").map((line) => {
    let from = at;
    at += line.length + 1;
    const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
    if (isFence) fenced = !fenced;
    // What still holds is said in prose; code is in the files, and it is them that count.
    if (fenced || isFence) {
      code += line.length + 1;
      return "…";
    }
    return sentencesOf(line)
      .map((sentence) => {
        const isTail = from >= tail;
        from += sentence.length + 1;
        const terms = after.newer.wordsOf(sentence);
        const isGone =
          after.newer.say(terms) || (isTail && isSettled(sentence, terms, names, after));
        return isGone ? "…" : sentence;
      })
      .join(" ");
  });
  const text = joined(lines);
  return text.length < (message.length - code) * leftAtLeast ? "" : text;
}

/** Lines of which nothing is left become one "…". */
function joined(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of lines) {
    const short = line.replace(/…(?:\s+…)+/g, "…");
    const isGap = short.includes("…") && !/[\p{L}]/u.test(short);
    if (!isGap) kept.push(short);
    else if (kept.at(-1) !== "…") kept.push("…");
  }
  const text = kept.join("\n").trim();
  return /\p{L}/u.test(text) ? text : "";
}

/** Where the last paragraph begins, or the last sentence where that paragraph is most of the message. */
function tailOf(message: string): number {
  const text = message.trimEnd();
  const paragraph = text.lastIndexOf("\n\n");
  if (paragraph > 0 && text.length - paragraph <= text.length * tailShare) return paragraph + 1;
  return Math.max(0, text.lastIndexOf(sentencesOf(text).at(-1) ?? ""));
}

function isSettled(
  sentence: string,
  terms: Terms,
  names: readonly string[],
  { session, later }: After,
): boolean {
  if (asksAtEnd(sentence) && later.some(({ turn }) => turn.session === session)) return true;
  const own = namesIn(sentence);
  const sought = own.length > 0 ? own : names;
  return later.some(
    ({ touched, terms: others }) =>
      sought.some((name) => touched.includes(name)) ||
      (sharedBy(terms, others) >= fewest && coverage(terms, others) >= takenUp),
  );
}

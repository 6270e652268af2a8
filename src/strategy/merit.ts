// What a statement of a closing is worth as the result of its turn: what it is, what backs it, what stands against it. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import {
  allWordsOf,
  askedOf,
  codeNames,
  commandKey,
  headingOf,
  meaningOf,
  startsDangling,
  stopWords,
  tellingWords,
  withoutGreeting,
} from "../text/prose/plain.ts";
import {
  conditional,
  connecting,
  isAnnouncement,
  isDense,
  isDoing,
  isForetelling,
  isOffer,
  isProposal,
  label,
  leastWords,
  longClause,
  presented,
  type Statement,
  saysDoing,
  speaking,
  supposing,
  turning,
} from "../text/prose/telling.ts";
import { baseName } from "../text/text.ts";

/** A statement of the closing, or its heading, in one of the ways in which it can be a title. */
export interface Candidate extends Statement {
  title: string;
  at: number;
  /** Where what it introduces ends. */
  to: number;
  /** A line that introduces a list, and what the list begins with: it says half of it alone. */
  whole: string;
  /** What was wrong before, of work. */
  isCause: boolean;
  /** The side of a comparison that no longer holds. */
  isFormer: boolean;
  /** Taken back further on. */
  isConceded: boolean;
  /** The sentence behind it, or behind its list, that takes it back or says what still fails; "" where none does. */
  reserve: string;
  /** The first heading says what the text is about. */
  isTopic: boolean;
  /** Nothing else is said. */
  isAlone: boolean;
}

/** What a closing is measured against. */
export interface Measure {
  /** Words of what was asked. */
  asked: readonly string[];
  /** Files and symbols that the turn changed. */
  names: readonly string[];
  /** Something was changed. */
  worked: boolean;
  /** Something was changed that is no test. */
  builds: boolean;
  /** Command lines that ran. */
  ran: readonly string[];
}

/** A file of tests, by its name or a folder's; `spec-loader/` is none. */
export const checking: RegExp =
  /(?:^|[\s/._-])(?:tests?|specs?)(?:__)?(?:\/|\.\w)|(?:^|[\s/])(?:tests?|specs?)[._-][\w.-]*\.\w/i;

/** What the closings of a turn are measured against; `plan` is the title of the one that it carried out. */
export function measureOf({ pieces, files }: NewTurn, plan: string): Measure {
  const changed = files.filter((file) => file.changed);
  return {
    asked: tellingWords(`${askedOf(textOf(pieces, "prompt"))}\n${plan}`),
    names: changed.flatMap(({ path, symbols = [] }) => [baseName(path), ...symbols]),
    worked: changed.length > 0,
    builds: changed.some(({ path }) => !checking.test(path)),
    ran: pieces.flatMap(({ about = "" }) => (about === "" ? [] : [commandKey(about)])),
  };
}

/** What a line is worth for what it is; entries of a list are details, and a heading says what a section is about. */
const worthOfKind = { sentence: 1, heading: -0.5, lead: 0.25, item: -0.25, row: -2.5 };
/** "Added …" before anything else that is said of work. */
const ofDoing = { sentence: 2.5, heading: 4, lead: 2.75, item: 1.5, row: 0 };
/** Entries of a list are seldom the answer. */
const ofAnswer = { sentence: 0, heading: -0.75, lead: 0, item: -1, row: -1 };
const mostBacking = 1.75;
/** A line in bold alone, or a label with a heading's weight, is what an answer comes to. */
const ofStress = 2.25;

/** What a line is worth wherever it stands; undefined where it says nothing of the work. */
export function meritOf(one: Candidate, measure: Measure): number | undefined {
  const { text, title } = one;
  // A line that leads on below another one is an entry of its list.
  const kind = one.kind === "lead" && one.lead !== "" ? "item" : one.kind;
  const plain = plainWords(one);
  const isCheer = /!$/.test(text) && !hasCode(one);
  if (saysNothing(one, plain) || (isCheer && !measure.worked)) return undefined;
  // What may be done is nothing done; of an answer it may be the answer.
  const isDoubted = measure.worked && (isOffer(text) || (isGuess(title) && !saysDoing(title)));
  if (!one.isAlone && (isForetelling(text) || isDoubted)) return undefined;
  const { worked } = measure;
  const does = worked && saysDoing(title) && (hasCode(one) || plain.length >= leastWords);
  const backing = backingOf(one, measure);
  const stressed =
    one.isStressed === true || (kind === "heading" && !one.isTopic && isLabelled(text));
  const isLoose = backing === 0 && !does && !stressed && !one.isAlone;
  if (
    isLoose &&
    meaningOf(title).size < (kind === "sentence" && !worked ? leastWords - 1 : leastWords)
  )
    return undefined;
  // What answers, and a whole sentence, need not name what was asked.
  const loose = worked && title.split(" ").length < longClause ? 1.5 : 0.5;
  const isWhole =
    kind === "sentence"
      ? ends.test(text) && !placed.test(text)
      : kind === "lead" && !title.endsWith("…") && saysIt(title) && !conditional.test(text);
  return (
    worthOfKind[kind] +
    (does ? ofDoing[kind] : worked ? 0 : ofAnswer[kind]) +
    (stressed && !worked ? ofStress : 0) +
    (isLoose ? -loose : Math.min(backing, mostBacking)) +
    (isWhole && !worked && presented(text) === text ? 0.5 : 0) -
    costOf(one, measure)
  );
}

/** "The issue might be that …": what may be so, and nothing that was done. */
function isGuess(title: string): boolean {
  return supposing.test(title.split(" ", mostLed).join(" "));
}

/** True for a line that leads on where it says so much, or what it leads to. */
function saysIt(title: string): boolean {
  return title.includes(": ") || title.split(" ").length >= longClause;
}

/** What stands against a line. */
function costOf(one: Candidate, measure: Measure): number {
  const { text, title, code } = one;
  const isShown = presented(text) !== text;
  const [, entry = ""] = title.split(/: (.*)/, 2);
  const says = saysDoing(entry);
  const costs: ReadonlyArray<readonly [cost: number, isSo: boolean]> = [
    // What the user may run is no result.
    [4, code.some((span) => measure.ran.some((line) => line.startsWith(span)))],
    [3, one.isFormer || one.isConceded],
    [2, one.isCause],
    [2, isCheck(title)],
    // Tests of work tell less than the work.
    [1.5, measure.builds && checking.test(`${text} ${one.lead}`)],
    // "All of it is now complete."
    [
      2,
      measure.worked &&
        !hasCode(one) &&
        checkWords.has(/\p{L}+$/u.exec(title)?.[0].toLowerCase() ?? ""),
    ],
    [2, turning.test(afterCut(text, title))],
    // "Here are the changes: a.ts, b.ts" says less than any entry that says what was done.
    [0.5, isShown],
    [2, isShown && !says && (entry === "" || (measure.worked && entry.includes(", ")))],
    [0.5, measure.worked && startsDangling(title.split(" ", 1)[0] ?? "")],
    [1.5, connecting.test(title) || (one.at > 0 && startsDangling(title.replace(/: .*/, "")))],
    // "Yes, that is mended."
    [1.5, measure.worked && withoutGreeting(text) !== text && !saysDoing(title) && !hasCode(one)],
    [1.5, proposes(text)],
    [3, numbered.test(text)],
    [1, one.isTopic && !saysDoing(title)],
    [1.5, !hasCode(one) && !saysDoing(title) && speaking.test(text)],
    [0.75, title.endsWith("…")],
    [0.75, conditional.test(text)],
    [1, isGuess(title)],
  ];
  return costs.reduce((sum, [cost, isSo]) => sum + (isSo ? cost : 0), 0);
}

const begun = /^(?:[\p{L}\p{N}"'.@/$#-]|~\/)/u;
/** `cart.ts:12 - …`: what is said of a place. */
export const placed: RegExp = /^\S+ [-–—] /;
const ends = /[.。!！][)"'”’»\]]*$/u;
/** An entry of a list of commits. */
const hash = /^(?=[a-f]*\d)[\da-f]{7,40}\b/;
/** `Status: open | Owner: none | Due: today`: a row without its table. */
const fields = / \| .* \| /;
const leastPlain = 2;
/** A clause has its verb among so many words. */
const mostLed = 10;

/** True for a line that could be said of any work, or is a fragment. */
function saysNothing(one: Candidate, plain: readonly string[]): boolean {
  const { text, title, kind } = one;
  if (!begun.test(title) || isPlace(title) || hash.test(text) || fields.test(text)) return true;
  if (isAnnouncement(presented(text)) || isAnnouncement(title)) return true;
  if (kind === "lead" && isGround(title)) return true;
  const isNamed = hasCode(one);
  const naming = isNamed && (kind === "sentence" || (kind === "heading" && isDoing(title)));
  const count = title.split(" ").length;
  const isShort = count < leastWords - (naming ? 2 : 1);
  const isCut = title.endsWith("…") && count < longClause;
  if ((isShort || isCut) && !isDense(title)) return true;
  return (
    (plain.length < leastPlain && !naming) || (plain.every(isRun) && (!isNamed || plain.length > 0))
  );
}

/** "Looking at `totalOf`", "Now when a cart is empty": what something rests on, without what it is. */
function isGround(title: string): boolean {
  const [first = "", ...rest] = title.split(" ");
  const isBound =
    conditional.test(title) ||
    (stopWords.has(first.toLowerCase()) && conditional.test(rest.join(" ")));
  return !/[,:]/.test(title) && (isBound || /^(?:\p{L}+ing|Based)\b/u.test(title));
}

/** Words of the title that no name is. */
function plainWords({ title, code }: Candidate): string[] {
  const bare = code.reduce((left, span) => left.replace(span, " "), title);
  return [...meaningOf(bare)].filter(
    (word) => !/[\d./_]/.test(word) && codeNames(word).length === 0,
  );
}

/** True where names of code stand in the title. */
function hasCode({ title, code }: Candidate): boolean {
  return codeNames(title).length > 0 || code.some((span) => title.includes(span));
}

/** What a line shares with what was asked and done; a clause is backed by its whole sentence. */
function backingOf(one: Candidate, measure: Measure): number {
  const backed = `${one.text} ${one.title}`;
  const isAsked = (word: string) => measure.asked.some((other) => isAlike(other, word));
  const shared = [...meaningOf(backed)].filter(isAsked).length;
  return (
    Math.min(shared, 3) * 0.5 +
    (namesOf(measure, backed) ? 1 : 0) +
    (hasCode(one) ? 0.5 : 0) +
    (/\d/.test(one.title) ? 0.5 : 0)
  );
}

/** A line of these alone says that it passed, not what came of it. */
const checkWords: ReadonlySet<string> = new Set(allWordsOf("checks"));
const isRun = (word: string) => checkWords.has(word) || stopWords.has(word);
/** True for a text, or a first clause, that only says how checks went. */
export function isCheck(text: string): boolean {
  const words = [...meaningOf(text.split(/[,;:.] |[-–—] /, 1)[0] ?? "")];
  const others = words.filter((word) => !isRun(word)).length;
  const isPlain = words.length > 2 && codeNames(text).length === 0 && !/\d/.test(text);
  return words.length > 1 && others <= (isPlain ? 1 : 0);
}

/** "Option A - …", "Section 2: …": one of several. */
const numbered = /^\p{Lu}\p{L}+ (?:\d{1,2}|[A-Z])(?=$|[:.)]| [-–—(])/u;

/** "Summary: totals are rounded once", "Added a cache": a heading that says it itself. */
export function isNews(heading: string): boolean {
  return isDoing(unnumbered(heading)) || isLabelled(heading);
}

/** `cart.ts - ` in front of what was done there. */
const placing = /^\S+\.[a-z]\w{0,4}(?::| [-–—]) (?=\p{L})/u;

function unnumbered(heading: string): string {
  return headingOf(`# ${heading}`)
    .replace(/^\d{1,2}[.)] /, "")
    .replace(placing, "");
}

/** "Verdict: approved": a heading with a label. */
function isLabelled(heading: string): boolean {
  const bare = unnumbered(heading);
  return label.test(bare) && !numbered.test(bare);
}

/** "However, nothing tests that …": takes back what was said before it. */
export function isTurn({ kind, text, code }: Statement): boolean {
  return (
    (kind === "lead" || (kind === "sentence" && code.length > 0)) &&
    connecting.test(text) &&
    turns(text)
  );
}

function turns(text: string): boolean {
  const rest = text.replace(turning, "").replace(/^,?\s+/, "");
  const isWhole = /^\p{L}/u.test(rest) && ![conditional, connecting].some((one) => one.test(rest));
  return rest !== text && isWhole;
}

/** "However, my fix breaks the tests of the checkout": without it what was said before it would be told as all there is. */
export function isReserve({ kind, text, state }: Statement): boolean {
  return (kind === "sentence" || kind === "lead") && (state === "failed" || turns(text));
}

/** The clause that follows where the title ends one; "" where it ends in "…", or what follows stands in parentheses. */
export function afterCut(text: string, title: string): string {
  const at = title.endsWith("…") ? -1 : text.indexOf(title);
  const rest = at < 0 ? "" : text.slice(at + title.length).replace(/^ \([^()]*\)/, "");
  return /^\s*[-,;:，、；：]/.test(rest) ? rest.replace(/^\W+/u, "") : "";
}

/** `File: src/a.ts`, `New type - cart.ts:6`: a label with a name says where, and never what. */
function isPlace(title: string): boolean {
  const isNamed = /^\p{L}+(?: \p{L}+)?[:：]\s?\S+$/u.test(title);
  return (
    (isNamed || /^[\p{L}-]+(?: [\p{L}-]+){0,2} [-–—] \S*[./]\S*$/u.test(title)) && !isDense(title)
  );
}

/** "You could …", and the same behind a label: "The fix: Drop the …". */
function proposes(text: string): boolean {
  return isProposal(text) || (label.test(text) && isProposal(text.replace(/^[^:：]+[:：]\s?/, "")));
}

/** True where a text names what the turn changed. */
export function namesOf({ names }: Measure, text: string): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => name.length > 3 && lower.includes(name.toLowerCase()));
}

/** Inflections of one word: what the longer one adds is short. */
export function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.length > 4 ? short.slice(0, -1) : short;
  return short.length > 2 && long.startsWith(stem) && long.length - short.length < 4;
}

export function textOf(pieces: readonly Evidence[], kind: Evidence["kind"]): string {
  return pieces.find((piece) => piece.kind === kind)?.text ?? "";
}

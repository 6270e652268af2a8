// What a statement of a closing is worth as the result of its turn: what it is, what backs it, where it stands. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import {
  askedOf,
  codeNames,
  commandKey,
  headingOf,
  linesOf,
  meaningOf,
  startsDangling,
  stopWords,
  tellingWords,
  withoutGreeting,
  wordsOf,
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
  turning,
} from "../text/prose/telling.ts";
import { baseName } from "../text/text.ts";

const leastPlain = 2;
const begun = /^(?:[\p{L}\p{N}"'.@/$#-]|~\/)/u;
const mostBacking = 1.75;
/** An entry of a list of commits. */
const hash = /^(?=[a-f]*\d)[\da-f]{7,40}\b/;
/** A line in bold alone, of an answer, is what it comes to. */
const stress = 2;
/** "Added …" before anything else that is said of work. */
const ofDoing = { sentence: 2.25, heading: 2.25, lead: 2.25, item: 1, row: 0 };

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
  /** In a section of its own, before the one that says what was done. */
  isBefore: boolean;
  /** The side of a comparison that no longer holds. */
  isFormer: boolean;
  /** Taken back further on. */
  isConceded: boolean;
  /** One of several that are told apart by number: what is said of it is no result. */
  isOption: boolean;
  /** Nothing but what leads on stands before it. */
  isHead: boolean;
  /** Nothing else is said, or nothing after it. */
  isAlone: boolean;
  isLast: boolean;
}

/** What a closing is measured against. */
export interface Measure {
  /** Words of what was asked. */
  asked: readonly string[];
  /** Files and symbols that the turn changed. */
  names: readonly string[];
  /** Something was changed. */
  worked: boolean;
  /** Command lines that ran. */
  ran: readonly string[];
}

/** A line of these alone says that it passed, not what came of it. */
const checkWords: ReadonlySet<string> = new Set(
  linesOf("checks").flatMap(([, lines]) => wordsOf(lines)),
);
const isRun = (word: string) => checkWords.has(word) || stopWords.has(word);
/** True for a text, or a first clause, that only says how checks went. */
export function isCheck(text: string): boolean {
  const words = [...meaningOf(text.split(/[,;:.] |[-–—] /, 1)[0] ?? "")];
  const others = words.filter((word) => !isRun(word)).length;
  const isPlain = words.length > 2 && codeNames(text).length === 0 && !/\d/.test(text);
  return words.length > 1 && others <= (isPlain ? 1 : 0);
}
/** What a line is worth for what it is, beside where it stands. */
const worthOfKind = { sentence: 1, heading: 1, lead: 0.25, item: -0.25, row: -2.5 };
/** `Status: open | Owner: none | Due: today`: a row without its table. */
const fields = / \| .* \| /;
/** Entries of a list are details of work; of an answer they are seldom the answer. */
const entryOfAnswer = -0.75;
/** What an answer is headed says what it is about, unless it has a label: "Verdict: …". */
const headingOfAnswer = -2.25;
/** So of work one that says nothing done. */
const headingOfWork = -0.75;
/** An answer is what is said first, in a sentence that ends as one. */
const ofAnswer = { mostBacking: 1.25, whole: 0.75, points: 0.75, connects: 1.25, label: 1 };
/** A title that breaks off. */
const cutOff = 0.75;
const whole = /[.。!！][)"'”’»\]]*$/u;
/** "Option A - …", "Section 2: …": one of several. */
export const numbered = /^\p{Lu}\p{L}+ (?:\d{1,2}|[A-Z])(?=$|[:.)]| [-–—(])/u;

/** What the closings of a turn are measured against; `plan` is the title of the one that it carried out. */
export function measureOf({ pieces, files }: NewTurn, plan: string): Measure {
  const changed = files.filter((file) => file.changed);
  return {
    asked: tellingWords(`${askedOf(textOf(pieces, "prompt"))}\n${plan}`),
    names: changed.flatMap(({ path, symbols = [] }) => [baseName(path), ...symbols]),
    worked: changed.length > 0,
    ran: pieces.flatMap(({ about = "" }) => (about === "" ? [] : [commandKey(about)])),
  };
}

/** "Summary: totals are rounded once", "Added a cache": a heading that says it itself. */
export function isNews(heading: string): boolean {
  return isDoing(unnumbered(heading)) || isLabelled(heading);
}

function unnumbered(heading: string): string {
  return headingOf(`# ${heading}`).replace(/^\d{1,2}[.)] /, "");
}

/** "Verdict: approved": a heading with a label. */
function isLabelled(heading: string): boolean {
  const bare = unnumbered(heading);
  return label.test(bare) && !numbered.test(bare);
}

/** "However, nothing tests that …": takes back what was said before it. */
export function isTurn({ kind, text, code }: Statement): boolean {
  const isSaid = kind === "lead" || (kind === "sentence" && code.length > 0);
  const rest = text.replace(turning, "").replace(/^,?\s+/, "");
  const isWhole = /^\p{L}/u.test(rest) && ![conditional, connecting].some((one) => one.test(rest));
  return isSaid && rest !== text && connecting.test(text) && isWhole;
}

/** The clause that follows where the title ends one; "" where it ends in "…", or what follows stands in parentheses. */
export function afterCut(text: string, title: string): string {
  const at = title.endsWith("…") ? -1 : text.indexOf(title);
  const rest = at < 0 ? "" : text.slice(at + title.length).replace(/^ \([^()]*\)/, "");
  return /^\s*[-,;:，、；：]/.test(rest) ? rest.replace(/^\W+/u, "") : "";
}

/** What a line has that its worth is made of. */
interface Reading {
  /** Names of code stand in the title. */
  hasCode: boolean;
  /** Words of the title that no name is. */
  plain: string[];
  /** Words that carry meaning. */
  words: number;
  /** What it shares with what was asked and done. */
  backing: number;
  isNamed: boolean;
  /** Says that something was done. */
  does: boolean;
  /** A line that introduces a list, with nothing of the list in it. */
  isLead: boolean;
  /** Begins with a word that answers: "Yes, …". */
  answers: boolean;
  /** Goes on with another statement. */
  goesOn: boolean;
  isCheer: boolean;
}

/** What a line is worth wherever it stands; undefined where it says nothing of the work. */
export function meritOf(one: Candidate, measure: Measure): number | undefined {
  const reading = readingOf(one, measure);
  const own = reading && (measure.worked ? workWorth(one, reading) : answerWorth(one, reading));
  if (reading === undefined || own === undefined) return undefined;
  const { text, title, code } = one;
  const { isLead } = reading;
  // "If it is there already, you can force it:" says nothing without what it leads to.
  const clause = text.slice(text.lastIndexOf(", ") + 1).trim();
  const isHalf = isLead && conditional.test(text) && clause.split(" ").length <= leastWords;
  const isCommand = code.some((span) => measure.ran.some((line) => line.startsWith(span)));
  return (
    own -
    presentedCost(one, measure) -
    (turning.test(afterCut(text, title)) ? 2 : 0) -
    (isCommand ? 4 : 0) -
    (isCheck(title) ? 2 : 0) -
    (title.endsWith("…") ? (conditional.test(text) ? 2 * cutOff : cutOff) : 0) -
    (isHalf ? 1.5 : 0) -
    (one.isFormer ? 4 : one.isCause ? 2 : 0)
  );
}

/** "Here are the changes: a.ts, b.ts" says less than any entry that says what was done; "Here is what was removed: a.ts" more. */
function presentedCost({ text, title }: Candidate, { worked }: Measure): number {
  if (presented(text) === text) return 0;
  const [, entry = ""] = title.split(/: (.*)/, 2);
  if (entry === "") return worked ? 2 : 2.75;
  return worked && (entry.includes(", ") || saysDoing(entry)) ? 2 : 0.5;
}

/** Undefined for a line that could be said of any work, is a fragment, or repeats what was asked. */
function readingOf(one: Candidate, measure: Measure): Reading | undefined {
  const { text, title, kind, code } = one;
  if (!begun.test(title) || isPlace(title)) return undefined;
  if (isAnnouncement(presented(text)) || isAnnouncement(title)) return undefined;
  if (hash.test(text)) return undefined;
  const words = [...meaningOf(title)];
  const bare = code.reduce((left, span) => left.replace(span, " "), title);
  const plain = [...meaningOf(bare)].filter(
    (word) => !/[\d./_]/.test(word) && codeNames(word).length === 0,
  );
  const hasCode = codeNames(title).length > 0 || code.some((span) => title.includes(span));
  const naming = hasCode && (kind === "sentence" || (kind === "heading" && isDoing(title)));
  const count = title.split(" ").length;
  if (count < leastWords - (naming ? 2 : 1) && !isDense(title)) return undefined;
  if (plain.length < leastPlain && !naming) return undefined;
  if (title.endsWith("…") && count < longClause && !isDense(title)) return undefined;
  if (plain.every(isRun) && (!hasCode || plain.length > 0)) return undefined;
  // A clause is backed by its whole sentence.
  const backed = `${text} ${title}`;
  const isAsked = (word: string) => measure.asked.some((other) => isAlike(other, word));
  const isNamed = namesOf(measure, backed);
  const does = measure.worked && saysDoing(title) && (hasCode || plain.length >= leastWords);
  if (kind === "heading") {
    // A heading may only repeat what was asked.
    if (words.every(isAsked)) return undefined;
    const most = isNamed || (measure.worked && hasCode) ? leastPlain : leastWords - 1;
    if (!does && plain.length < most) return undefined;
  }
  const shared = [...meaningOf(backed)].filter(isAsked).length;
  return {
    hasCode,
    plain,
    words: words.length,
    backing:
      Math.min(shared, 3) * 0.5 +
      (isNamed ? 1 : 0) +
      (hasCode ? 0.5 : 0) +
      (/\d/.test(backed) ? 0.5 : 0),
    isNamed,
    does,
    isLead: kind === "lead" && !title.includes(": "),
    answers: withoutGreeting(text) !== text,
    goesOn: connecting.test(title) || startsDangling(title.replace(/: .*/, "")),
    isCheer: /!$/.test(text) && !hasCode,
  };
}

/** `File: src/a.ts`, `New type - cart.ts:6`: a label with a name says where, and never what. */
function isPlace(title: string): boolean {
  const isNamed = /^\p{L}+(?: \p{L}+)?[:：]\s?\S+$/u.test(title);
  return (
    (isNamed || /^[\p{L}-]+(?: [\p{L}-]+){0,2} [-–—] \S*[./]\S*$/u.test(title)) && !isDense(title)
  );
}

/** What tells of work: what was done before what was found, whatever stands first. */
function workWorth(one: Candidate, reading: Reading): number | undefined {
  const { text, title, kind } = one;
  const { plain, words, backing, does, isLead, isNamed } = reading;
  if (!one.isAlone && (isForetelling(text) || isOffer(text))) return undefined;
  const isLoose =
    !does && kind !== "heading" && !one.isAlone && (isLead ? backing < 1 : backing === 0);
  if (isLoose && (isLead ? one.at >= 2 : words < leastWords)) return undefined;
  // A whole sentence needs no names.
  const count = title.split(" ").length;
  const isSaid = kind === "sentence" || (isLead && one.at === 0);
  const saysWhole = isSaid && count >= longClause && words > leastWords;
  const isVerdict = plain.filter((word) => !isRun(word)).length <= leastPlain;
  const points = startsDangling(title.split(/[\s:]/, 1)[0] ?? "");
  return (
    worthOfKind[rankOf(one)] +
    (does ? ofDoing[kind] : kind === "heading" ? headingOfWork : 0) +
    (isLoose ? (saysWhole ? -0.5 : isVerdict ? -3 : -1.5) : Math.min(backing, mostBacking)) -
    (reading.answers && !reading.isCheer && !does && !isNamed ? 1.5 : 0) -
    (reading.goesOn ? 1.5 : points ? 1 : 0)
  );
}

/** What answers: a whole sentence before a fragment, and what stands first, whether or not it repeats words of the question. */
function answerWorth(one: Candidate, reading: Reading): number | undefined {
  const { text, title, kind } = one;
  const { hasCode, words, backing, isLead } = reading;
  if (reading.isCheer || (kind !== "heading" && numbered.test(text))) return undefined;
  const isHeaded = kind === "heading" && one.at > 0 && !one.isAlone;
  if (isHeaded && !isLabelled(text)) return undefined;
  const turns = isTurn(one);
  const isStressed = one.isStressed === true;
  const isLoose =
    !turns &&
    !isStressed &&
    kind !== "heading" &&
    !one.isAlone &&
    (isLead ? backing < 1 : backing === 0);
  const [said = ""] = title.replace(/ \([^()]*\)/g, "").split(": ", 1);
  const isClause =
    kind === "lead" &&
    presented(text) === text &&
    (said.split(" ").length >= longClause || (isLead && one.at === 0 && backing >= 1)) &&
    !conditional.test(title);
  const isPlaced = /^\S+ [-–—] /.test(text);
  const isWhole = kind === "sentence" && whole.test(text) && presented(text) === text && !isPlaced;
  // Two short sentences say no more than one.
  const isOne = isWhole && !/\. /.test(title);
  if (isLoose && words < (isOne ? leastWords - 1 : leastWords)) return undefined;
  if (isLoose && isLead && title.split(" ").length < longClause) return undefined;
  const isShort = !hasCode && !/\d/.test(text) && !one.isLast && words < leastWords;
  // What is said first may point to what was asked.
  const isFirst = one.at === 0 && startsDangling(title);
  const goesOn = connecting.test(title) ? ofAnswer.connects : reading.goesOn ? ofAnswer.points : 0;
  return (
    worthOfKind[rankOf(one)] +
    (kind === "item" ? entryOfAnswer - (whole.test(text) ? 0 : 0.5) : 0) +
    (kind === "lead" && !isClause && presented(text) === text ? (isLead ? -1 : -0.5) : 0) +
    (kind === "heading" ? (isHeaded && !one.isHead ? ofAnswer.label : headingOfAnswer) : 0) +
    (kind !== "heading" && (one.isOption || proposes(text)) ? -1.5 : 0) +
    (isStressed ? stress : 0) +
    (isWhole || isClause ? ofAnswer.whole : 0) +
    (isLoose ? -0.5 : Math.min(backing, ofAnswer.mostBacking)) -
    (isShort ? 1 : 0) -
    (one.isConceded ? 3 : turns ? 1 : 0) +
    (reading.answers ? 0.75 : 0) -
    (conditional.test(text) ? 0.75 : 0) -
    (isFirst ? 0 : goesOn)
  );
}

/** "You could …", and the same behind a label: "The fix: Drop the …". */
function proposes(text: string): boolean {
  return isProposal(text) || (label.test(text) && isProposal(text.replace(/^[^:：]+[:：]\s?/, "")));
}

/** `Status: open | Owner: none | Due: today` is a row without its table. */
function rankOf({ text, kind }: Candidate): Candidate["kind"] {
  return fields.test(text) ? "row" : kind;
}

/** True where a text names what the turn changed. */
export function namesOf({ names }: Measure, text: string): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => name.length > 3 && lower.includes(name.toLowerCase()));
}

/** Inflections of one word: what the longer one adds is short. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.length > 4 ? short.slice(0, -1) : short;
  return short.length > 2 && long.startsWith(stem) && long.length - short.length < 4;
}

export function textOf(pieces: readonly Evidence[], kind: Evidence["kind"]): string {
  return pieces.find((piece) => piece.kind === kind)?.text ?? "";
}

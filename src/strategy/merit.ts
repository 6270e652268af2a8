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
  isProposal,
  leastWords,
  longClause,
  presented,
  type Statement,
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
const ofDoing = { sentence: 1.5, heading: 1.5, lead: 1.5, item: 0.5, row: 0 };

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
  return words.length > 1 && words.every(isRun);
}
/** What a line is worth for what it is, beside where it stands. */
const worthOfKind = { sentence: 1, heading: 1, lead: 0.25, item: -0.25, row: -2 };
/** `Status: open | Owner: none | Due: today`: a row without its table. */
const fields = / \| .* \| /;
/** Entries of a list are details of work; of an answer they are seldom the answer. */
const entryOfAnswer = -0.75;
/** What an answer is headed says what it is about, and never the answer. */
const headingOfAnswer = -1.5;
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

export const label = /^\p{L}[\p{L}' ]{1,30}[:：]\s?\S/u;

/** "Summary: totals are rounded once", "Added a cache": a heading that says it itself. */
export function isNews(heading: string): boolean {
  const bare = headingOf(`# ${heading}`).replace(/^\d{1,2}[.)] /, "");
  return isDoing(bare) || (label.test(bare) && !numbered.test(bare));
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

/** What a line is worth wherever it stands; undefined where it says nothing of the work. Long because each signal is weighed once. */
export function meritOf(one: Candidate, measure: Measure): number | undefined {
  const { text, title, kind, code } = one;
  if (!begun.test(title)) return undefined;
  if (isAnnouncement(presented(text)) || hash.test(text)) return undefined;
  if (measure.worked && !one.isAlone && isForetelling(text)) return undefined;
  if (!measure.worked && kind !== "heading" && numbered.test(text)) return undefined;
  // Of an answer only what it is headed from its first word on.
  if (!measure.worked && kind === "heading" && one.at > 0 && !one.isAlone && !isNews(text))
    return undefined;
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
  const shared = [...meaningOf(backed)].filter((word) =>
    measure.asked.some((one) => isAlike(one, word)),
  ).length;
  const isNamed = namesOf(measure, backed);
  // A heading may only repeat what was asked.
  if (kind === "heading" && words.every((word) => measure.asked.some((one) => isAlike(one, word))))
    return undefined;
  const does = measure.worked && isDoing(title) && (hasCode || plain.length >= leastWords);
  const leastOfHeading = isNamed || (measure.worked && hasCode) ? leastPlain : leastWords - 1;
  if (kind === "heading" && !does && plain.length < leastOfHeading) return undefined;
  const isStressed = one.isStressed === true && !measure.worked;
  const backing =
    Math.min(shared, 3) * 0.5 +
    (isNamed ? 1 : 0) +
    (hasCode ? 0.5 : 0) +
    (/\d/.test(backed) ? 0.5 : 0);
  const rank = fields.test(text) ? "row" : kind;
  const isLead = kind === "lead" && !title.includes(": ");
  // "If it is there already, you can force it:" says nothing without what it leads to.
  const clause = text.slice(text.lastIndexOf(", ") + 1).trim();
  const isHalf = isLead && conditional.test(text) && clause.split(" ").length <= leastWords;
  const turns = !measure.worked && isTurn(one);
  const isLoose =
    !turns &&
    !does &&
    !isStressed &&
    kind !== "heading" &&
    !one.isAlone &&
    (isLead ? backing < 1 : backing === 0);
  if (isLoose && (isLead ? !(measure.worked && one.at < 2) : words.length < leastWords))
    return undefined;
  // Of work a whole sentence needs no names.
  const saysWhole =
    measure.worked && kind === "sentence" && count >= longClause && words.length > leastWords;
  const isBare = !measure.worked && !hasCode && !/\d/.test(text);
  const isShort = isBare && !one.isLast && words.length < leastWords;
  const isVerdict = plain.filter((word) => !isRun(word)).length <= leastPlain;
  const isCommand = code.some((span) => measure.ran.some((line) => line.startsWith(span)));
  const goesOn = connecting.test(title) || startsDangling(title.replace(/: .*/, ""));
  const points = measure.worked && startsDangling(title.split(/[\s:]/, 1)[0] ?? "");
  const isCheer = /!$/.test(text) && !hasCode;
  if (isCheer && !measure.worked) return undefined;
  const answers = withoutGreeting(text) !== text;
  return (
    worthOfKind[rank] +
    (!measure.worked && kind === "item" ? entryOfAnswer : 0) +
    (!measure.worked && kind === "heading" ? headingOfAnswer : 0) +
    (!measure.worked && kind !== "heading" && (one.isOption || isProposal(text)) ? -1.5 : 0) +
    (does ? ofDoing[kind] : 0) +
    (isStressed ? stress : 0) +
    (isLoose ? (saysWhole ? -0.5 : isVerdict ? -3 : -1.5) : Math.min(backing, mostBacking)) -
    (presented(text) === text ? 0 : title.includes(": ") ? 0.5 : 2) -
    (turning.test(afterCut(text, title)) ? 2 : 0) -
    (isCommand ? 4 : 0) -
    (isCheck(title) ? 2 : 0) -
    (isShort ? 1 : 0) -
    (isHalf ? 1.5 : 0) -
    (one.isFormer ? 4 : one.isCause ? 2 : 0) -
    (measure.worked ? 0 : one.isConceded ? 2 : turns ? -1.5 : 0) +
    (!answers || isCheer ? 0 : measure.worked ? (does || isNamed ? 0 : -1.5) : 0.75) -
    (goesOn ? 1.5 : points ? 1 : 0)
  );
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

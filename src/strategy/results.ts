// The statements of a closing that may be the result of a turn, each as a title, the most telling first. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { isNextHeading, isNextLine } from "../text/prose/phrases.ts";
import {
  askedOf,
  codeNames,
  commandKey,
  headingOf,
  isFiller,
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
  fits,
  isAnnouncement,
  isDense,
  isDoing,
  isForetelling,
  isProposal,
  isQuestion,
  leastWords,
  longClause,
  outlineOf,
  presented,
  type Statement,
  titleIn,
  turning,
} from "../text/prose/telling.ts";
import { baseName, capitalize } from "../text/text.ts";
import { nextStep } from "./open-ends.ts";

const leastPlain = 2;
const begun = /^(?:[\p{L}\p{N}"'.@/$#-]|~\/)/u;
/** A sentence must be worth so much to be the result. */
const least = 1.5;
const mostBacking = 1.75;
const mostRead = 60;
/** Characters of a list that is told whole. */
const mostListed = 240;
const mostNamed = 6;
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
  /** Taken back further on. */
  isConceded: boolean;
  /** One of several that are told apart by number: what is said of it is no result. */
  isOption: boolean;
  /** Nothing else is said, or nothing after it. */
  isAlone: boolean;
  isLast: boolean;
}

/** What a closing is measured against. */
interface Measure {
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
function isCheck(text: string): boolean {
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
const numbered = /^\p{Lu}\p{L}+ (?:\d{1,2}|[A-Z])(?=$|[:.)]| [-–—(])/u;

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

/** The closing's statements that may be the result, the most telling first. */
export function resultsOf(
  turn: NewTurn,
  measure: Measure,
  inText: (text: string) => string,
): Candidate[] {
  const closing = inText(textOf(turn.pieces, "closing"));
  const left = inText(nextStep(turn));
  const found = candidatesOf(outlineOf(closing, mostRead))
    .filter(({ text }) => !left.includes(text))
    .flatMap((one) => {
      const isCause =
        measure.worked && (one.isBefore || (one.isCause && !namesOf(measure, one.text)));
      const merit = meritOf({ ...one, isCause }, measure);
      return merit === undefined ? [] : { ...one, isCause, merit };
    });
  const places = [...new Set(found.map(({ at }) => at))];
  const ranked = found
    .map((one) => ({ ...one, worth: 4 / (1 + places.indexOf(one.at) * 0.3) + one.merit }))
    .sort((left, right) => right.worth - left.worth);
  const isEnough = ranked.filter(({ worth }) => worth >= least);
  // "4" asks for nothing that could be shown instead.
  return isEnough.length > 0 || measure.asked.length > 0 ? isEnough : ranked.slice(0, 1);
}

function candidatesOf(statements: readonly Statement[]): Candidate[] {
  return statements.flatMap((statement, at): Candidate[] => {
    const { text, kind } = statement;
    const isHead = at === 0 || statements.length === 1;
    // A heading says what a section is about; only a document's own says what the document is.
    if (saysNothing(statement) || (kind === "heading" && !isHead && !isNews(text))) return [];
    // Of a list in parts, one for each file, those of the first.
    const part = statements[at + 1];
    const isParted = part?.kind === "lead" && namesOnly(part.text);
    const below =
      kind === "lead"
        ? belowOf(statements, at + Number(isParted))
        : statements.slice(at + 1, at + 2);
    const whole = kind === "lead" ? wholeOf(text, below) : text;
    const title = titleFrom(statement, below);
    if (title === "") return [];
    const isCause = isFirstLabelled(statements, at);
    const isConceded = statements
      .slice(at + 1)
      .some((one) => one.section === statement.section && isTurn(one));
    const isBefore = isBeforeDone(statements, at);
    const isLast = at === statements.length - 1;
    const to = Math.max(
      at,
      statements.findLastIndex(({ under }) => under?.includes(text)),
    );
    // Before a question it leads on to that.
    const isStressed = statement.isStressed === true && !isQuestion(part?.text ?? "");
    const over = isEntry(statement)
      ? statements.slice(0, at).findLast((one) => !isEntry(one))
      : undefined;
    const isOption = [statement.lead, statement.section, over?.text ?? ""].some((one) =>
      numbered.test(one),
    );
    return [
      {
        ...statement,
        isStressed,
        isOption,
        isLast,
        title,
        at,
        to,
        whole,
        isCause,
        isBefore,
        isConceded,
        isAlone: isLast && at === 0,
      },
    ];
  });
}

const label = /^\p{L}[\p{L}' ]{1,30}[:：]\s?\S/u;
/** True between the first two labels of a section: what was wrong stands before what was done about it. */
function isFirstLabelled(statements: readonly Statement[], at: number): boolean {
  const own = statements[at];
  const isSaid = ({ kind }: Statement) => kind === "sentence" || kind === "lead";
  if (!own || !isSaid(own) || (label.test(own.text) && own.text.split(" ").length <= longClause))
    return false;
  const [first = statements.length, second = -1] = statements.flatMap((one, of) => {
    const isLabelled = isSaid(one) && label.test(one.kind === "lead" ? `${one.text}: …` : one.text);
    return isLabelled && one.section === own.section ? [of] : [];
  });
  return first <= at && at < second;
}

/** "Summary: totals are rounded once", "Added a cache": a heading that says it itself. */
function isNews(heading: string): boolean {
  const bare = headingOf(`# ${heading}`).replace(/^\d{1,2}[.)] /, "");
  return isDoing(bare) || (label.test(bare) && !numbered.test(bare));
}

/** A line that introduces a list with its entries, as many as there is room for; where not all find room, with their names. */
function wholeOf(lead: string, below: readonly Statement[]): string {
  const [first] = below;
  if (!first || first.kind === "sentence") return lead;
  const entries = below.filter(({ isMore }) => !isMore);
  const names = entries.map(nameOf);
  const all = entries.map(({ text }) => text.replace(/(?<!\.)[.;]$/, ""));
  const isWhole =
    all.join("; ").length <= mostListed && entries.every(({ kind }) => kind !== "lead");
  const isNamed = entries.length > 1 && names.every((name) => name !== "");
  const begun = entries.length > 1 ? `${all[0]}, …` : first.text;
  const listed = isWhole ? all.join("; ") : isNamed ? listOf(names, mostNamed) : begun;
  return `${lead}: ${listed}`;
}

const isEntry = ({ kind }: Statement) => kind === "item" || kind === "row";

/** True in a section that tells of nothing done, where a later one does: "The bug" before "The fix". */
function isBeforeDone(statements: readonly Statement[], at: number): boolean {
  const own = statements[at]?.kind === "sentence" ? (statements[at]?.section ?? "") : "";
  const doing = statements.filter(({ text, kind }) => kind !== "heading" && isDoing(text));
  const isLater = ({ section }: Statement) =>
    section !== own &&
    statements.findLastIndex((one) => one.section === own) <
      statements.findIndex((one) => one.section === section);
  return own !== "" && doing.every(({ section }) => section !== own) && doing.some(isLater);
}

/** What is open or failed, asks, or is left to do. */
function saysNothing({ text, state, section, lead, isOption = false }: Statement): boolean {
  const isLeft = [section, lead, text].some(isNextHeading) || isNextLine(text);
  return isOption || state !== undefined || isFiller(text) || isQuestion(text) || isLeft;
}

/** "However, nothing tests that …": takes back what was said before it. */
function isTurn({ kind, text, code }: Statement): boolean {
  const isSaid = kind === "lead" || (kind === "sentence" && code.length > 0);
  const rest = text.replace(turning, "").replace(/^,?\s+/, "");
  const isWhole = /^\p{L}/u.test(rest) && ![conditional, connecting].some((one) => one.test(rest));
  return isSaid && rest !== text && connecting.test(text) && isWhole;
}

/** "In `setup_test.go`": nothing but names of code. */
function namesOnly(text: string): boolean {
  const names = codeNames(text);
  return (
    names.length > 0 &&
    meaningOf(names.reduce((left, one) => left.replace(one, " "), text)).size === 0
  );
}

/** The entries that a line leads to, without those that they lead to themselves. */
function belowOf(statements: readonly Statement[], at: number): Statement[] {
  const lead = statements[at]?.text ?? "";
  const leads = new Set([lead]);
  const rest = statements.slice(at + 1);
  const end = rest.findIndex((one) => {
    if (one.kind === "lead" && one.lead === lead) leads.add(one.text);
    return !leads.has(one.lead);
  });
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter((one) => one.lead === lead && !saysNothing(one));
}

/** An entry of a list of commits. */
const hash = /^(?=[a-f]*\d)[\da-f]{7,40}\b/;
/** `Line 988: `, `a.ts:12: `: a place, which says nothing of what stands there. */
const place = /^(?:\p{L}+ \d{2,}(?:-\d+)?(?::| [-–—])|\S+:\d[\d-]*:) (?=\S)/u;
/** A single word in front of a whole sentence, which only greets it. */
const opener = /^\p{Lu}\p{Ll}+ [-–—] (?=\p{L}\S*(?: \S+){3})/u;

/** A statement without its place, what it greets with, or the word with which it takes back. */
function withoutFront(statement: Statement): string {
  const { text, kind, code } = statement;
  const opens = kind === "sentence" && withoutGreeting(text) === text;
  const fronts = [place, ...(opens ? [opener] : []), ...(isTurn(statement) ? [turning] : [])];
  const bare = fronts.reduce((left, front) => left.replace(front, ""), text).replace(/^,?\s+/, "");
  return bare === text || code.some((span) => bare.startsWith(span)) ? bare : capitalize(bare);
}

/** A statement as a title: whole or its first clause, with what it leads to, or what explains it. */
function titleFrom(statement: Statement, below: readonly Statement[]): string {
  const { kind, code } = statement;
  if (kind === "heading") {
    const bare = headingOf(`# ${statement.text}`);
    const news = bare.replace(/^\p{L}+: /u, "");
    return titleIn(isDoing(news) ? news : bare, code);
  }
  const text = withoutFront(statement);
  const title = titleIn(presented(text), code);
  const then = afterCut(text, title).replace(connecting, "").trimStart();
  if (!isDoing(title) && isDoing(then)) return titleIn(capitalize(then), code);
  if (kind === "lead") return ledBy(title, below, presented(text) !== text);
  const isShort =
    kind === "sentence" && /^[^\s:]+(?: [^\s:]+){1,2}\.$/.test(text) && !isCheck(text);
  const [next] = below.filter((one) => isShort && one.kind === kind && !saysNothing(one));
  const both = `${title}. ${titleIn(next?.text ?? "")}`;
  if (next && codeNames(next.text).length + next.code.length === 0 && fits(both)) return both;
  return title;
}

/** A line that introduces a list with the names of its entries, or with the one that it begins with. */
function ledBy(title: string, entries: readonly Statement[], presents: boolean): string {
  const lead = withoutLast(title);
  const words = lead.split(" ").length;
  if (words < leastWords - Number(presents)) return "";
  const [first] = entries;
  // "I added the following tests" says nothing that its entries do not.
  const says = codeNames(lead).length > 0 || /\d/.test(lead) || words >= longClause;
  const names = entries.map(nameOf);
  const unnamed = names.indexOf("");
  const named = entries.slice(0, unnamed < 0 ? entries.length : unnamed);
  const lists = named.map((_, at) => `${lead}: ${listOf(names, at + 1)}`);
  const listed = lists.slice(1).findLast(fits);
  if (listed && (says || named.some(({ code }) => code.length > 0))) return listed;
  const begun = titleIn(first?.text ?? "", first?.code);
  const both = `${title}: ${begun}`;
  const isWhole = first && first.kind !== "sentence" && !/:\s/.test(first.text);
  if (isWhole && fits(both) && !begun.endsWith("…")) return both;
  return !first || says ? lead : "";
}

/** What an entry of a list is about, where it begins with that or says no more: `totalOf()` of "`totalOf()` - counts once". */
function nameOf({ text, code: [span = ""] }: Statement): string {
  const label = /^(.{2,40}?)(?:\s[-–—]\s|:\s)/u.exec(text)?.[1];
  const name = label ?? (span !== "" && text.startsWith(span) ? span : text);
  return name.split(" ").length < leastWords ? name : "";
}

/** The clause that follows where the title ends one; "" where it ends in "…", or what follows stands in parentheses. */
function afterCut(text: string, title: string): string {
  const at = title.endsWith("…") ? -1 : text.indexOf(title);
  const rest = at < 0 ? "" : text.slice(at + title.length).replace(/^ \([^()]*\)/, "");
  return /^\s*[-,;:，、；：]/.test(rest) ? rest.replace(/^\W+/u, "") : "";
}

/** A lead without the words that only lead on: "it works since:". */
function withoutLast(title: string): string {
  const words = title.split(" ");
  const last = words.findLastIndex((word) => !connecting.test(word) && !stopWords.has(word));
  return words.slice(0, last + 1).join(" ");
}

/** What a line is worth wherever it stands; undefined where it says nothing of the work. */
function meritOf(one: Candidate, measure: Measure): number | undefined {
  const { text, title, kind, code } = one;
  if (!begun.test(title)) return undefined;
  if (isAnnouncement(presented(text)) || hash.test(text)) return undefined;
  if (measure.worked && !one.isAlone && isForetelling(text)) return undefined;
  if (!measure.worked && kind !== "heading" && numbered.test(text)) return undefined;
  const words = [...meaningOf(title)];
  const bare = code.reduce((left, span) => left.replace(span, " "), title);
  const plain = [...meaningOf(bare)].filter(
    (word) => !/[\d./_]/.test(word) && codeNames(word).length === 0,
  );
  const hasCode = codeNames(title).length > 0 || code.some((span) => title.includes(span));
  const naming = hasCode && kind === "sentence";
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
  if (kind === "heading" && plain.length < (isNamed && one.at === 0 ? leastPlain : leastWords - 1))
    return undefined;
  const does = measure.worked && isDoing(title) && (hasCode || plain.length >= leastWords);
  const isStressed = one.isStressed === true && !measure.worked;
  const backing =
    Math.min(shared, 3) * 0.5 +
    (isNamed ? 1 : 0) +
    (hasCode ? 0.5 : 0) +
    (/\d/.test(backed) ? 0.5 : 0);
  const rank = fields.test(text) ? "row" : kind;
  const isLead = kind === "lead" && !title.includes(": ");
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
    (one.isCause ? 2 : 0) -
    (measure.worked ? 0 : one.isConceded ? 2 : turns ? -1.5 : 0) +
    (!answers || isCheer ? 0 : measure.worked ? (does || isNamed ? 0 : -1.5) : 0.75) -
    (goesOn ? 1.5 : points ? 1 : 0)
  );
}

/** True where a text names what the turn changed. */
function namesOf({ names }: Measure, text: string): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => name.length > 3 && lower.includes(name.toLowerCase()));
}

/** Inflections of one word: what the longer one adds is short. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.length > 4 ? short.slice(0, -1) : short;
  return short.length > 2 && long.startsWith(stem) && long.length - short.length < 4;
}

export function listOf(names: readonly string[], most: number): string {
  return [...names.slice(0, most), ...(names.length > most ? ["…"] : [])].join(", ");
}

export function textOf(pieces: readonly Evidence[], kind: Evidence["kind"]): string {
  return pieces.find((piece) => piece.kind === kind)?.text ?? "";
}

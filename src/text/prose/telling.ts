// Which sentences of a text are worth telling first: signals that need no language. Nothing is cut, nothing is invented.

import { baseName, capitalize, cut, hasUnspaced } from "../text.ts";
import { phrases } from "./phrases.ts";
import {
  allWordsOf,
  cleanText,
  codeNames,
  isFiller,
  linesOf,
  meaningOf,
  overlap,
  plainLine,
  sentencesOf,
  stopWords,
  tellingWords,
  withoutClientMarkup,
  withoutGreeting,
} from "./plain.ts";

/** What a text is measured against. */
interface Backing {
  /** Names that the work is known by: files, symbols, commands. */
  names: readonly string[];
  /** What was asked: a sentence that only repeats it tells nothing. */
  asked: string;
}

/** A sentence with what it is worth. */
export interface Telling {
  text: string;
  /** 0: nothing backs it. */
  worth: number;
  statement: Statement;
}

/** Told whole up to here; a longer one is shortened with "…". */
const longest = 400;
/** A sentence of which more than this share stands in the request only repeats it. */
const repeated = 0.65;
/** An entry of fewer plain words says little without what introduces its list. */
const shortEntry = 5;
/** Two sentences that share more than this say the same. */
const same = 0.75;

/** The text's statements in their order, each with its worth. Questions and lead-ins have none. */
export function tellings(markdown: string, { names, asked }: Backing): Telling[] {
  const known = [...new Set(names.map((name) => name.toLowerCase()))].filter(
    (name) => name.length > 3,
  );
  const askedWords = meaningOf(asked);
  const statements = statementsOf(markdown);
  return statements.map((statement, at) => {
    const { code, kind } = statement;
    const text = standing(statement);
    const lower = text.toLowerCase();
    const shared = known.filter((name) => lower.includes(name)).length;
    const hasCode = code.length > 0 || codeNames(text).length > 0;
    const signals =
      Math.min(shared, 2) * 2 +
      (hasCode ? 1.5 : 0) +
      (/\d/.test(text) ? 1 : 0) +
      (at === 0 ? 1.5 : 0) +
      (at === statements.length - 1 && kind === "sentence" ? 0.5 : 0) +
      (meaningOf(text).size >= 8 ? 1 : 0);
    const worth = signals - (isAnnouncement(text) ? 3 : 0);
    const repeats = sharedWith(text, askedWords) > repeated;
    return {
      text,
      statement,
      worth: isBare(statement.text, kind) || repeats || statement.isOption ? 0 : Math.max(0, worth),
    };
  });
}

function sharedWith(text: string, asked: ReadonlySet<string>): number {
  const words = [...meaningOf(text)];
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length);
}

/** The `most` best with at least `least` worth, none said twice, in the order of the text. */
export function bestOf(all: readonly Telling[], most: number, least = 2): Telling[] {
  const chosen: Telling[] = [];
  const ranked = [...all].sort((left, right) => right.worth - left.worth);
  for (const one of ranked) {
    if (chosen.length >= most || one.worth < least) break;
    if (!chosen.some((other) => overlap(other.text, one.text) > same)) chosen.push(one);
  }
  return all.filter((one) => chosen.includes(one));
}

/** A list's item with what its list is about in front, where it names nothing itself or says little alone. */
function standing({ text, kind, lead, section }: Statement): string {
  const titles = [lead, section].map((one) => one.replace(/^\d+[.)]\s*/, ""));
  const subject = titles.find((one) => one !== "" && one.length < 70 && codeNames(one).length > 0);
  const introduces = lead.length < 120 && meaningOf(lead).size > 1;
  const introduced = (isShort(text) && introduces) || introducesWork(lead, text) ? titles[0] : "";
  const front = (codeNames(text).length === 0 ? subject : "") || introduced;
  return cut((kind === "sentence" || !front ? text : `${front}: ${text}`).toWellFormed(), longest);
}

const fewWords = 3;
/** "Removed: `a.test.ts`", "The test now: Reads each price": of a few words that what stands below goes on with. */
export function introducesWork(lead: string, text: string): boolean {
  const isFew = lead.split(" ").length <= fewWords;
  return (
    isFew &&
    !saysDoing(text) &&
    (isDoing(lead) || (isSubject(lead) && !isSubject(text) && !label.test(text)))
  );
}

/** "The test now": begins with a word of every text, and not with one that binds clauses. */
function isSubject(lead: string): boolean {
  const [first = ""] = lead.toLowerCase().split(" ", 1);
  return stopWords.has(first) && ![connecting, conditional].some((one) => one.test(lead));
}

/** Names of code and places do not count. */
function isShort(text: string): boolean {
  return plainWords(text) < shortEntry;
}

function plainWords(text: string): number {
  return [...meaningOf(text)].filter(
    (word) => !/[\d./_]/.test(word) && !codeNames(word).includes(word),
  ).length;
}

/** Fragments, labels, places, quotations, questions and lead-ins: nothing to tell alone. */
function isBare(text: string, kind: Statement["kind"]): boolean {
  if (/[?？؟]["')\]]*$|[:：](?: …)?$|^\([^()]*\)$/.test(text) || isFiller(text)) return true;
  const own = text.replace(/["“„«「][^"“”„«»「」]*["”“»」]/g, "");
  const isBegun = /^["“„«「]/.test(own);
  if (isBegun || (own !== text && !/\p{L}{3}/u.test(own))) return true;
  const words = meaningOf(text).size;
  const isLabelled = /^[^:：]{1,30}[:：]\s/u.test(text);
  return (
    words < (kind === "sentence" ? 3 : 4) ||
    ((kind !== "sentence" || isLabelled) && plainWords(text) < 2)
  );
}

/** Sentences that say what the speaker is about to do come last: what came of it is said elsewhere. */
const begins = (kind: string) =>
  linesOf(kind).flatMap(([, lines]) => lines.map((line) => new RegExp(`^${line}`, "iu")));
const announcements = begins("announces");
const presentations = begins("presents");

/** True for "Let me look at …", "Here is …" and their like. */
export function isAnnouncement(text: string): boolean {
  const all = [...announcements, ...presentations];
  return text.split(/\s[-–—]\s/).some((part) => all.some((pattern) => pattern.test(part)));
}

const proposals = begins("proposes");
const orders = begins("orders");
/** True for "You could …", "I can …": what is offered, and is not done. */
export function isOffer(text: string): boolean {
  return proposals.some((pattern) => pattern.test(text));
}

/** True for what is offered, and for "Replace the …": what may be done, and is not. */
export function isProposal(text: string): boolean {
  const isOrder = !beginsPlainly(text) && !isDoing(text);
  return isOffer(text) || (isOrder && orders.some((pattern) => pattern.test(text)));
}

/** True for a sentence that begins with a word of every text: it tells, where one that begins with a verb may ask for it. */
export function beginsPlainly(text: string): boolean {
  const [first = ""] = text.toLowerCase().split(" ", 1);
  return stopWords.has(first) || connecting.test(text) || conditional.test(text);
}

/** True for "I see it now": what the speaker says of themselves. */
export const speaking = { test: (text: string) => speeches.some((one) => one.test(text)) };
const speeches = begins("speaks");
const foretellings = begins("foretells");
/** True for what another run will show, or the user may do: it is not what was done. */
export function isForetelling(text: string): boolean {
  return foretellings.some((pattern) => pattern.test(text));
}

/** True for what is so only under a condition, may be done, or is looked for later: a text, or what its list is led by. */
export function isSupposed({ text, lead }: Pick<Statement, "text" | "lead">): boolean {
  const [bare = "", before = ""] = [text, lead].map((one) =>
    one.replace(/^[^:：]{1,30}[:：]\s/u, ""),
  );
  // "If it fails, we can look at the log."
  const main = conditional.test(text) ? text.slice(text.indexOf(", ") + 1).trim() : text;
  return (
    [text, bare, main].some((one) => isProposal(one) || isForetelling(one)) ||
    [lead, before].some((one) => conditional.test(one) || isForetelling(one))
  );
}

const doings = begins("did");
/** True for "Added …", "I've moved …": what was done, whatever was wrong before. */
export function isDoing(text: string): boolean {
  return doings.some((pattern) => pattern.test(text));
}

/** A few words and a colon before what is said. */
export const label: RegExp = /^\p{L}[\p{L}' ]{1,30}[:：]\s?\S/u;

/** "Added …", and the same behind a label: "Fix: Added …". */
export function saysDoing(title: string): boolean {
  return isDoing(title) || (label.test(title) && isDoing(title.replace(/^[^:：]+[:：]\s?/, "")));
}

/** What "Here are the PRs in their order:" shows: "The PRs in their order:"; any other text as it is. */
export function presented(text: string): string {
  const found = presentations.find((pattern) => pattern.test(text));
  return found ? capitalize(text.replace(found, "").trimStart()) : text;
}

// What an assistant or user wrote in Markdown, taken apart into sentences, list items and table rows that keep their heading.

export const isQuestion = (text: string): boolean => /[?？؟]["'”’)\]*_\s]*$/u.test(text);

/** A longer "sentence" is a wall of something else. */
const longestSentence = 1_500;

/** One sentence, list item or table row; in an outline also a heading, or a line that introduces a list. */
export interface Statement {
  /** Plain text on one line. */
  text: string;
  kind: "sentence" | "item" | "row" | "lead" | "heading";
  /** The nearest heading, or "". */
  section: string;
  /** The line that introduces the list this stands in (`resume.go changes`), or "". */
  lead: string;
  /** In an outline: the headings and leads that it stands below, the outermost first. */
  under?: string[];
  /** Contents of its code spans. */
  code: string[];
  /** Marked as such: with a cross, or with an empty box. */
  state?: "failed" | "open";
  /** How far an item is indented. */
  indent?: number;
  /** A further sentence of an entry. */
  isMore?: boolean;
  /** A paragraph of its own, in bold from end to end. */
  isStressed?: boolean;
  /** In a block quote: the words of something else. */
  isQuoted?: boolean;
  /** An answer to the question before its list, one with a letter in front, or what is said of it: offered, and not yet so. */
  isOption?: boolean;
}

const itemMark =
  /^(\s*)((?:[-*+•●▪]|\p{Extended_Pictographic}\ufe0f?|\d{1,3}[.)]|\*{0,2}[A-Z]\)\*{0,2})\s+(?:\[[ xX]\]\s+)?)(.+)$/u;
const cross = /^(?:[*_\s]|\d{1,3}[.)])*[❌✗✘]/u;
const emptyBox = /\[ \]\s+$/;
/** A line in bold, or one that breaks off on purpose: what follows is another statement. */
const ownLine = /^\s*\*\*\S/;
const hardBreak = / {2,}$/;

/** The line that introduces a list, and how far it is indented; a paragraph's is further out than any list. */
interface Lead {
  text: string;
  indent: number;
  /** Something was said under it, or it names nothing. */
  used: boolean;
}

/** A lead that introduces nothing but code is a statement when it says so much, and names something. */
const leadSays = 4;

/** What is read so far. */
interface Reading {
  statements: Statement[];
  /** At most so many statements. */
  limit: number;
  section: string;
  /** The headings that hold what is read, with their levels. */
  headings: Array<{ text: string; level: number }>;
  leads: Lead[];
  /** Cells of the table's head. */
  header: string[];
  paragraph: string[];
  /** Of the last line. */
  isQuoted: boolean;
  item?: { body: string; indent: number; isOpen: boolean; isOption: boolean } | undefined;
  /** Lines of the block of code that is being read. */
  fence?: string[] | undefined;
  /** Headings and lines that introduce a list are statements too. */
  isOutline: boolean;
}

/** Headings, lines that introduce a list and statements, in the order of the text. */
export function outlineOf(markdown: string, limit = 400): Statement[] {
  return statementsOf(markdown, limit, true);
}

/** Splits Markdown into statements. Fenced code, rules and block quotes' marks are left out; never throws, linear in the text. */
export function statementsOf(markdown: string, limit = 400, isOutline = false): Statement[] {
  const reading: Reading = {
    statements: [],
    limit,
    section: "",
    headings: [],
    leads: [],
    header: [],
    paragraph: [],
    isQuoted: false,
    isOutline,
  };
  for (const line of cleanText(withoutClientMarkup(markdown.slice(0, 60_000))).split("\n"))
    takeLine(reading, line.slice(0, longestSentence * 2));
  flush(reading);
  endLeads(reading, outermost);
  return reading.statements;
}

function takeLine(reading: Reading, marked: string): void {
  const line = marked.replace(/^\s*>\s?/, "");
  // What is quoted is no part of the paragraph before it.
  const isQuoted = line !== marked;
  if (isQuoted !== reading.isQuoted) flush(reading);
  reading.isQuoted = isQuoted;
  if (/^\s*(?:```|~~~)/.test(line)) {
    flush(reading);
    endFence(reading);
    return;
  }
  if (reading.fence) {
    if (line.trim() !== "") reading.fence.push(line.trim());
    return;
  }
  const heading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/.exec(line);
  const mark = itemMark.exec(line);
  if (heading) {
    flush(reading);
    endLeads(reading, outermost);
    const [, marks = "", title = ""] = heading;
    reading.section = plainLine(title).replace(/:$/, "");
    const outer = reading.headings.filter(({ level }) => level < marks.length);
    reading.headings = [...outer, { text: reading.section, level: marks.length }];
    reading.header = [];
    if (reading.isOutline) add(reading, title, "heading");
  } else if (/^\s*\|.*\|\s*$/.test(line)) takeRow(reading, cellsOf(line));
  else if (/^\s*(?:[-*_]\s*){3,}$/.test(line) || line.trim() === "") {
    flush(reading);
    if (line.trim() === "") reading.header = [];
    else [reading.section, reading.headings] = ["", []];
  } else if (mark) takeItem(reading, mark);
  else if (reading.item && /^\s/.test(line)) reading.item.body += ` ${line.trim()}`;
  else {
    if (reading.item || ownLine.test(line)) flush(reading);
    const { paragraph, statements } = reading;
    // Flush text after a list is not the list's.
    if (paragraph.length === 0 && statements.at(-1)?.kind === "item" && /^\S/.test(line))
      endLeads(reading, outermost);
    reading.paragraph.push(line.trim().replace(/^\*\*\d{1,3}[.)]\s+/, "**"));
    if (hardBreak.test(line)) flush(reading);
  }
}

/** Opens a block of code, or closes it: one line that a lead introduces is what it leads to. */
function endFence(reading: Reading): void {
  const [line, ...more] = reading.fence ?? [];
  const isLed = reading.isOutline && reading.statements.at(-1)?.kind === "lead";
  if (line !== undefined && more.length === 0 && isLed) add(reading, `\`${line}\``, "row");
  reading.fence = reading.fence ? undefined : [];
}

function takeRow(reading: Reading, cells: string[]): void {
  flush(reading);
  if (cells.every((cell) => /^:?-*:?$/.test(cell))) return;
  if (reading.header.length === 0) reading.header = cells;
  else add(reading, rowText(cells), "row");
}

/** `A) `: one of several to choose from. */
const lettered = /^\*{0,2}[A-Z]\)/;
function takeItem(reading: Reading, mark: RegExpExecArray): void {
  flush(reading);
  const [, indentation = "", sign = "", body = ""] = mark;
  const indent = indentation.length;
  endLeads(reading, indent);
  const crossed = cross.test(sign) ? sign.trim() : "";
  const isOption = [sign, body].some((one) => lettered.test(one)) || offers(reading);
  reading.item = { body: crossed + body.trim(), indent, isOpen: emptyBox.test(sign), isOption };
}

/** True after a question, and after what stands below one. */
function offers({ statements, leads, section }: Reading): boolean {
  const before = leads.at(-1) ?? statements.findLast(({ kind }) => kind === "sentence");
  const isHere = before !== undefined && (!("section" in before) || before.section === section);
  return isHere && isQuestion(before.text);
}

function add(
  reading: Reading,
  raw: string,
  kind: Statement["kind"],
  {
    isOpen,
    isOption,
    ...place
  }: Pick<Statement, "indent" | "isStressed" | "isOption" | "isMore"> & { isOpen?: boolean } = {},
): void {
  const { statements, limit, section, leads } = reading;
  const code = [...raw.matchAll(/`([^`\n]{1,120})`/g)].map((match) => match[1] ?? "");
  const isCrossed = cross.test(raw);
  // Without its cross it would say the opposite.
  const text = (isCrossed ? "❌ " : "") + plainLine(raw);
  const lead = leads.at(-1);
  if (lead) lead.used = true;
  if (text === "" || text.length > longestSentence || statements.length >= limit) return;
  const statement: Statement = { text, kind, section, lead: lead?.text ?? "", code, ...place };
  if (reading.isOutline)
    statement.under = [...reading.headings, ...leads].map(({ text: part }) => part);
  if (isCrossed) statement.state = "failed";
  else if (isOpen) statement.state = "open";
  if (isOption) statement.isOption = true;
  if (reading.isQuoted) statement.isQuoted = true;
  statements.push(statement);
}

/** Leads from this indentation on introduce nothing any more. */
function endLeads(reading: Reading, indent: number): void {
  const { leads } = reading;
  for (let last = leads.at(-1); last && last.indent >= indent; last = leads.at(-1)) {
    leads.pop();
    const says = !last.used && last.indent === outermost;
    if (says && meaningOf(last.text).size >= leadSays) add(reading, `${last.text}: …`, "sentence");
  }
}

function leadIn(
  reading: Reading,
  text: string,
  indent: number,
  kind: Statement["kind"] = "lead",
): void {
  endLeads(reading, indent);
  const lead = plainLine(text).replace(/\s*[:：]$/, "");
  const names = /[\d`]/.test(text) || codeNames(lead).length > 0;
  if (reading.isOutline) add(reading, text.replace(/\s*[:：]$/, ""), kind);
  reading.leads.push({ text: lead, indent, used: !names || reading.isOutline });
}

/** Ends the list item or paragraph that is being read. */
function flush(reading: Reading): void {
  const { item, paragraph } = reading;
  reading.item = undefined;
  reading.paragraph = [];
  if (item) {
    const { body, indent, isOpen, isOption } = item;
    const bare = /^\*\*([^*]{2,120})\*\*:?\s*$/.exec(body) ?? /^(.{2,300})[:：]\s*$/.exec(body);
    if (bare && /[:：]\s*$|[:：]\*\*$/.test(body)) leadIn(reading, bare[1] ?? "", indent);
    else
      for (const [at, piece] of maskedSentences(body).entries())
        add(reading, piece, "item", {
          ...{ isOpen, indent, isOption },
          ...(at > 0 && { isMore: true }),
        });
  }
  if (paragraph.length === 0) return;
  const text = paragraph.join(" ").slice(0, longestSentence * 6);
  const bold = /^\*\*([^*]{2,90})\*\*[:.]?\s*$/.exec(text.trim());
  if (bold && !/[.!?]$|^\p{L}+: \S+ \S/u.test(bold[1] ?? "")) {
    // Bold alone on a line is a heading; a colon makes it lead to what follows.
    leadIn(
      reading,
      bold[1] ?? "",
      outermost,
      /[:：](?:\*\*)?$/.test(text.trim()) ? "lead" : "heading",
    );
    return;
  }
  const pieces = maskedSentences(text);
  const isStressed = bold !== null && pieces.length === 1;
  for (const [index, piece] of pieces.entries()) {
    if (index === pieces.length - 1 && /[:：]\s*(?:\*\*)?$/.test(piece))
      leadIn(reading, piece, outermost);
    else add(reading, piece, "sentence", isStressed ? { isStressed } : {});
  }
}

/** Of paragraphs: further out than any entry of a list. */
const outermost = -1;

/** A table row as one line; the first cells are what the row is about, a number in front is left out. */
function rowText(cells: readonly string[]): string {
  const filled = cells.filter(
    (cell, index) =>
      !/^[-–—]?$/.test(cell) && !(index === 0 && /^(?:#?\d+|`?[0-9a-f]{7,12}`?)$/.test(cell)),
  );
  const [first = "", second, ...rest] = filled;
  if (second === undefined) return first;
  if (rest.length === 0 || second.length > 40) return `${first}: ${[second, ...rest].join("; ")}`;
  return `${first} ${second}: ${rest.join("; ")}`;
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** Sentences of Markdown whose code spans may hold dots and question marks. */
function maskedSentences(text: string): string[] {
  const spans: string[] = [];
  const masked = text.replace(/`[^`]*`/g, (span) => `\ufdd0${spans.push(span) - 1}\ufdd0`);
  return sentencesOf(masked).map((sentence) =>
    sentence.replace(/\ufdd0(\d+)\ufdd0/g, (_, index: string) => spans[Number(index)] ?? ""),
  );
}

// A line cut at a clause or a phrase, to a title's length.

/** Finds one of the words that the languages have of a kind at a text's start. */
function beginning(kind: string): RegExp {
  const words = allWordsOf(kind);
  return phrases(words.join("|"), "start");
}

/** A sentence that begins so goes on with another one's matter. */
export const connecting: RegExp = beginning("connects");
/** A clause that begins so takes back what the one before it says. */
export const turning: RegExp = beginning("turns");
/** A clause that begins so says when or why, and never what. */
export const conditional: RegExp = beginning("depends");

/** With such a word among its first a clause says what may be so. */
export const supposing: RegExp = phrases(allWordsOf("supposes").join("|"));

const most = { words: 24, characters: 140, denseCharacters: 56 };
/** A clause of so many words says it without the rest of its sentence. */
export const longClause = 7;
/** A clause of fewer words is no title. */
export const leastWords = 4;

/** The longest beginning that ends before such a mark and has a title's length. */
function clauseOf(
  line: string,
  mark: RegExp,
  isWhole: (end: number) => boolean,
): string | undefined {
  return [...line.matchAll(mark)]
    .filter(
      ({ index }, at, all) =>
        isWhole(index) && !isListed(line, [all[at - 1]?.index, index, all[at + 1]?.index]),
    )
    .map(({ index }) => line.slice(0, index))
    .findLast((clause) => {
      // "…, so when it is empty" says nothing yet.
      const begun = clause
        .slice(clause.lastIndexOf(", ") + 2)
        .replace(connecting, "")
        .trimStart();
      if (clause.includes(", ") && conditional.test(begun)) return false;
      const words = clause.split(/\s+/).length;
      const isOpen = clause.lastIndexOf("(") > clause.lastIndexOf(")");
      return fits(clause) && !isOpen && (words >= leastWords || isDense(clause));
    });
}

/** True for a comma of "one, two, and three": a few words part it from the one before or behind it. */
function isListed(line: string, [before, at = 0, behind]: Array<number | undefined>): boolean {
  if (!/[,،]/.test(line[at] ?? "")) return false;
  const isNear = (from?: number, to?: number) =>
    from !== undefined &&
    to !== undefined &&
    line.slice(from, to).trim().split(" ").length <= leastWords;
  return isNear(before, at) || isNear(at, behind);
}

/** As many words as a title holds, to the end of a phrase: no word that leads on is the last, one that does comes next. */
function beginningOf(line: string, isWhole: (end: number) => boolean): string {
  // What lies further on fits nowhere, and a line may be long.
  const near = line.slice(0, Math.max(most.characters, most.denseCharacters));
  const ends = [...near.matchAll(/(?<=\S)(?=\s|$)/g)].map(({ index }) => index);
  const isLeading = (word = "") =>
    stopWords.has(word.toLowerCase()) || [connecting, conditional].some((one) => one.test(word));
  const could = ends.filter(
    (at) =>
      isWhole(at) &&
      !isLeading(/\S+$/.exec(line.slice(0, at))?.[0]) &&
      fits(`${line.slice(0, at)}…`),
  );
  const next = (at: number) => line.slice(at).trimStart();
  const long = could.filter((at) => line.slice(0, at).split(" ").length > longClause);
  const end =
    long.findLast((at) => conditional.test(next(at))) ??
    long.findLast((at) => isLeading(/^\S+/.exec(next(at))?.[0])) ??
    could.at(-1);
  const kept = line.slice(0, end ?? most.denseCharacters - 1);
  return `${kept.replace(/[\s,;:([{–—-]+$/u, "")}…`;
}

/** True for a line of a title's length. */
export function fits(text: string): boolean {
  const words = text.split(/\s+/).length;
  return (
    words <= most.words && text.length <= (isDense(text) ? most.denseCharacters : most.characters)
  );
}

/** Written without blanks between words. */
export function isDense(text: string): boolean {
  return hasUnspaced(text) && text.length > text.split(/\s+/).length * 8;
}

// A sentence as a title: 3 to 24 words on one line, cut at a clause, never inside a span of code. Pure.

/** A path of a file three folders deep says enough by its name. */
const deepPath = /(?<![\w:/.~-])[~./]*(?:[\w.-]+\/){3,}[\w-]+\.\w+(?::[\d-]+)?/g;

/** A file at the front says where; what was done comes first: `src/a.ts - Two tests added` is `Two tests added (a.ts)`. */
const fileFirst = /^(\S+\.[a-z]\w{0,4}(?::[\d-]+)?)\s+[-–—]\s+(\p{L}\S*(?:\s+\S+){2,})$/u;

/** `Good news: …`: words before a colon or a dash that only announce; one word alone ("Fixed: …") may be the news itself. */
const labelled = /^([\p{L}']+(?: [\p{L}']+){1,3})(?::| -) (\S+(?= \S+(?: \S+){2}))/u;

/** The text in a title's length: to the end of a clause, or with "…" behind its last whole word. */
export function titleIn(text: string, code: readonly string[] = []): string {
  const plain = plainLine(text);
  const bare = /^\p{L}/u.test(plain) ? withoutGreeting(plain) : plain;
  const [first = ""] = bare.split(" ", 1);
  const whole = (bare === plain ? bare : bare.replace(first, asBegun(first, code)))
    .replace(/^#?\d{1,3}[.):]\s+/, "")
    .replace(deepPath, (path) => baseName(path))
    .replace(labelled, (all, label: string, next: string) =>
      isTelling(label) ||
      code.some((span) => span.includes(": ") && all.includes(span.split(" ")[0] ?? span))
        ? all
        : asBegun(next, code),
    )
    .replace(/[\s:：,;。.…]+$/u, "")
    .replace(fileFirst, (_, path: string, rest: string) => `${rest} (${baseName(path)})`);
  // What stands in parentheses can be left out.
  const line = fits(whole) ? whole : whole.replace(/ \([^()]*\)(?=[\s,;:.]|$)/g, "");
  if (fits(line)) return line;
  const spans = code
    .map((one) => one.replace(deepPath, (path) => baseName(path)))
    .map((span) => [line.indexOf(span), span.length] as const);
  const isWhole = (end: number) => !spans.some(([from, size]) => from < end && end < from + size);
  const isBound = conditional.test(line.replace(/^\p{L}+: /u, ""));
  const before = isBound
    ? undefined
    : clauseOf(whole, /\s\((?=[^()]*\)(?:[-\s]*[,;:.–—]|$))/g, isWhole);
  const cuts = [
    clauseOf(line, /(?<=\p{L}{2})[.!](?= \p{Lu})/gu, isWhole),
    before !== undefined && before.split(" ").length > leastWords ? before : undefined,
    clauseOf(line, /[;；：]\s?|[:]\s|\s[-–—]\s|。/gu, isWhole),
    isBound ? undefined : clauseOf(line, /[,،]\s|[，、]/gu, isWhole),
    beginningOf(line, isWhole),
  ].filter((cut) => cut !== undefined);
  const isLong = (cut: string, at: number) =>
    cut.split(/\s+/).length >= (at === 0 ? leastWords + 1 : longClause) || isDense(cut);
  const names = (cut: string) =>
    codeNames(cut).length > 0 || code.some((span) => cut.includes(span));
  return cuts.find((cut, at) => isLong(cut, at) || names(cut)) ?? cuts[0] ?? line;
}

/** True for a label that names code, or says more than one thing. */
function isTelling(label: string): boolean {
  const words = tellingWords(label).filter((word) => !stopWords.has(word));
  return words.length > 1 || codeNames(label).length > 0;
}

/** A word at a title's beginning; a name of code keeps its case. */
function asBegun(word: string, code: readonly string[]): string {
  const isCode = codeNames(word).length > 0 || code.some((span) => span.startsWith(word));
  return isCode ? word : capitalize(word);
}

// What of a prompt its user wrote in their own words: not fenced, quoted, tagged, pasted, printed, cited or of another speaker. Pure.

import { denseRange } from "../text.ts";
import {
  attributionOf,
  hasDocumentMark,
  masked,
  namesWhatIsBefore,
  outputLine,
  type Reach,
  unmasked,
  unseen,
  withNamedObjects,
  withUnseenMarked,
} from "./attributed.ts";
import { askedOf, cleanText, failureLine, plainLine, sentencesOf, typedOf } from "./plain.ts";

/** A sentence of the user's own. */
export interface OwnSentence {
  /** As typed, on one line; a long quotation in it is "…" in its marks. */
  text: string;
  /** The same with "…" for every quotation: what is said by the user alone. */
  bare: string;
  /** False where it may as well have been pasted: beside or behind a paste, behind a colon, under a heading. */
  isSure: boolean;
  /** The number of the list's point that it begins: what it answers may be told by it. */
  point?: string | undefined;
}

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/** Sentences in their order. What is certainly somebody else's is left out; what is in doubt says so. */
export function ownSentences(prompt: string): OwnSentence[] {
  const { lines, marks, quotations } = readPrompt(prompt);
  let found: OwnSentence[] = [];
  let lead = "";
  let reach: Reach | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") reach = undefined;
    if (line.trim() === "" || reach === "paragraph") continue;
    const isItem = listMark.test(line);
    if (!isItem) lead = /[:：]\s*$/.test(line) ? plainLine(line) : "";
    if (marks[at] === "foreign") continue;
    const body = line.replace(listMark, "");
    const front =
      isItem && lead !== "" ? `${plainLine(unmasked(lead, quotations, shortQuotation))} ` : "";
    reach = undefined;
    let point = isItem ? /\d+/.exec(line.slice(0, -body.length))?.[0] : undefined;
    for (const sentence of sentencesOf(plainLine(body))) {
      const bare = unmasked(sentence, quotations, 0);
      const told = unmasked(withNamedObjects(sentence, quotations), quotations, 0);
      const by = attributionOf(front + told);
      if (reach === undefined && by !== "sentence") reach = by;
      const isOfBefore = namesWhatIsBefore(bare);
      if (isOfBefore) found = [];
      if (reach !== undefined || by !== undefined || isOfBefore) continue;
      found.push({
        text: front + plainLine(unmasked(sentence, quotations, shortQuotation)),
        bare,
        isSure: marks[at] === "own" && front === "",
        ...(point !== undefined && { point }),
      });
      point = undefined;
    }
    if (isItem && reach === "paragraph") reach = undefined;
  }
  return found;
}

/** Characters of a prompt that are looked at. */
const longestRead = 20_000;
/** A quotation of at most so much stays in its sentence: it is a name, not a statement. */
const shortQuotation = 40;

function readPrompt(prompt: string) {
  const typed = typedOf(withUnseenMarked(prompt.slice(0, longestRead)));
  const { text: flat, quotations } = masked(withoutBlocks(typed));
  const lines = flat.split("\n");
  const isForeign = (line: string) =>
    hasDocumentMark(line.replace(listMark, "")) ||
    unmasked(line, quotations, longestRead).includes(unseen);
  const marks = lineMarks(lines).map((mark, at) => (isForeign(lines[at] ?? "") ? "foreign" : mark));
  return { lines: lines.map((line) => line.replace(clientMarks, " ")), marks, quotations };
}

/**
 * All that a prompt asks; of more than `most` characters what was typed beside a paste, or the line of it that says what
 * went wrong. Block quotes are nobody's request.
 */
export function wholeRequestOf(prompt: string, most: number): string {
  const asked = askedOf(prompt).replace(/^\s*>.*$/gm, "");
  if (asked.length <= most) return asked;
  const own = ownSentences(prompt);
  const sure = own.filter(({ isSure }) => isSure);
  const lines = asked.split("\n").filter((line) => line.trim() !== "");
  const isOutput = lines.filter((line) => outputLine.test(line)).length * 3 >= lines.length;
  return (
    (sure.length > 0 ? sure : own).map(({ text }) => text).join(" ") ||
    (isOutput ? failureLine(asked) : asked)
  );
}

/** True where a prompt holds this line, and not in its user's own words. */
export function isCited(line: string, prompt: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const sought = plain(line);
  if (sought === "" || !plain(cleanText(prompt)).includes(sought)) return false;
  const own = ownSentences(prompt).flatMap(({ text, isSure }) => (isSure ? text : []));
  return !plain(own.join(" ")).includes(sought);
}

// Whose a line is by its shape and place, where nothing is set apart by marks: a paste, a document, output.

/** `own`: the user's prose; `unsure`: theirs or pasted; `foreign`: output, a document, a paste. */
type Mark = "own" | "unsure" | "foreign";

/** What the client writes in the place of an image or a paste. */
const clientMarks = /\[(?:Image|Pasted text)[^\]]*\]/g;
const listItem = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;
const tableRow = /^\s*\|.*\|\s*$/;
const heading = /^\s*#{1,6}\s/;
/** `Subject: …`, `name: …`, `User: …`: two such lines in a row are the head of something, or a talk. */
const labelled = /^\s*\p{L}[\p{L}\p{N}._-]*(?: [\p{L}\p{N}._-]+){0,2}[:：](?:\s|$)/u;
/** `Bob Miller  10:32 AM`, `[10:32] bob: …`: what somebody said at a time. */
const saidAt =
  /^\s*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s|^(?=.{3,60}$).*\s\d{1,2}:\d{2}(?:\s?[AP]M)?\s*$/i;
const announces = /[:：]\s*$/;
const sentenceEnd = /[.!?。！？؟…:：,，;]["'”’»」)\]*_`]*\s*$/;
const pastedMark = /\[Pasted text[^\]]*?(?:\+(\d+) lines?)?\]/;
/** So many lines of no sentence in a row are no prose. */
const fragments = 3;
/** A paragraph of more was pasted: nobody types that. */
const paragraph = { lines: 6, size: 1_200 };
/** In a prompt of more, paragraphs of some size and what stands between them were pasted. */
const longPrompt = { lines: 12, size: 1_200 };
const some = { lines: 3, size: 500 };

/** One mark a line, blank lines included. */
export function lineMarks(lines: readonly string[]): Mark[] {
  const marks: Mark[] = lines.map((line) => (line === apart ? "foreign" : "own"));
  markPastedAfterMark(lines, marks);
  for (const block of blocksOf(lines)) markOutput(lines, block, marks);
  for (const { from, to, isSure } of setOff(lines))
    weaken(marks, from, isSure ? "foreign" : "unsure", to);
  markDocument(lines, marks);
  markBulk(lines, marks);
  return marks;
}

/** The client says how many lines it put in. */
function markPastedAfterMark(lines: readonly string[], marks: Mark[]): void {
  for (const [at, line] of lines.entries()) {
    const count = Number(pastedMark.exec(line)?.[1] ?? 0);
    for (let next = at + 1; next <= at + count && next < lines.length; next++)
      marks[next] = "foreign";
  }
}

/** From the first line of output to the paragraph's end. */
function markOutput(lines: readonly string[], { from, to }: Block, marks: Mark[]): void {
  const first = lines
    .slice(from, to)
    .map((line) => line.replace(clientMarks, ""))
    .findIndex((line) => outputLine.test(line) || tableRow.test(line));
  if (first >= 0) marks.fill("foreign", from + first, to);
}

/**
 * What is the head of a document, a message or a list that is announced makes all behind it foreign, or unsure where
 * nothing of the user's stands before it.
 */
function markDocument(lines: readonly string[], marks: Mark[]): void {
  for (const [at, line] of lines.entries()) {
    if (marks[at] !== "own" || line.trim() === "") continue;
    const hasOwn = lines
      .slice(0, at)
      .some((before, i) => marks[i] === "own" && before.trim() !== "");
    if (beginsDocument(lines, at)) {
      const isHeading = heading.test(line) || isFragments(lines, at);
      weaken(marks, at, isHeading && !hasOwn ? "unsure" : "foreign");
      if (heading.test(line)) marks[at] = "foreign";
      return;
    }
    const next = lines.findIndex((one, i) => i > at && one.trim() !== "");
    if (!announces.test(line) || listItem.test(line) || next < 0 || lines[next] === apart) continue;
    if (listItem.test(lines[next] ?? "")) weaken(marks, at + 1, "unsure");
    else markAnnounced(lines, at + 1, marks);
    return;
  }
}

/** What was announced is foreign; its last paragraph may be the user's again, where it is of one line and not the only one. */
function markAnnounced(lines: readonly string[], from: number, marks: Mark[]): void {
  const blocks = blocksOf(lines).filter(({ to }) => to > from);
  const last = blocks.at(-1);
  const isOwn = last && blocks.length > 1 && last.to - last.from === 1 && last.from > from;
  weaken(marks, from, "foreign", isOwn ? last.from : marks.length);
  if (isOwn) weaken(marks, last.from, "unsure");
}

function beginsDocument(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (heading.test(line)) return true;
  if (saidAt.test(line) && !sentenceEnd.test(line.slice(0, 60))) return true;
  if (labelled.test(line) && labelled.test(lines[at + 1] ?? "")) return true;
  return isFragments(lines, at);
}

function isFragments(lines: readonly string[], at: number): boolean {
  if (at > 0 && lines[at - 1]?.trim() !== "" && lines[at - 1] !== apart) return false;
  const run = lines.slice(at, at + fragments);
  return (
    run.length === fragments &&
    run.every((line) => line.trim() !== "" && !sentenceEnd.test(line) && !listItem.test(line))
  );
}

/** Long paragraphs, and in a long prompt what stands between them. */
function markBulk(lines: readonly string[], marks: Mark[]): void {
  const own = (block: Block) =>
    marks[block.from] !== "foreign" || marks[block.to - 1] !== "foreign";
  const blocks = blocksOf(lines).filter(own);
  const isOver = (block: Block, limit: typeof some) => {
    const text = lines.slice(block.from, block.to);
    const prose = text.filter((line) => !listItem.test(line)).length;
    return prose > limit.lines || sizeOf(text.join("\n")) > limit.size;
  };
  const whole = blocks.flatMap(({ from, to }) => lines.slice(from, to));
  const isLong = whole.length > longPrompt.lines || sizeOf(whole.join("\n")) > longPrompt.size;
  const pasted = blocks.map((block) => isOver(block, isLong ? some : paragraph));
  const [first, last] = [pasted.indexOf(true), pasted.lastIndexOf(true)];
  for (const [place, { from, to }] of blocks.entries()) {
    const isBetween = place >= first && place <= last;
    if (isBetween) weaken(marks, from, "foreign", to);
    else if (isLong || first >= 0) weaken(marks, from, "unsure", to);
  }
}

const dense = new RegExp(`[${denseRange}]`, "g");

/** A character of a dense script says more. */
function sizeOf(text: string): number {
  return text.length + 2 * (text.match(dense)?.length ?? 0);
}

/** Lines that are marked as less sure already stay so. */
function weaken(marks: Mark[], from: number, mark: Mark, to = marks.length): void {
  for (let at = from; at < to; at++)
    if (mark === "foreign" || marks[at] === "own") marks[at] = mark;
}

// What is set off as a whole: between rules, a letter, prose below lines that are no sentences. By its form, in any language.

/** From a line to before another. */
interface Block {
  from: number;
  to: number;
}

/** A stretch of lines, and whether it is certainly not the user's. */
interface SetOff extends Block {
  isSure: boolean;
}

/** `-----`, `=====`. */
const rule = /^\s*([-=_*~#+])\1{2,}\s*$/;
/** `----- Forwarded message -----`: what a program writes above what it brings along. */
const namedRule = /^\s*([-=_*~#+])\1{2,}\s?\S.*?\1{3,}\s*$/;
/** Few words and a comma: how a letter begins, and how it ends. */
const greeting = /^\s*\p{L}[^,，.!?。:：;]{0,40}[,，]\s*$/u;
const wholeSentence = /[.!?。！？…]["'”’»」)\]*_`]*\s*$/;
/** Characters of a name, a title. */
const short = 80;
/** So much prose below a line that is no sentence was not typed along with it. */
const muchProse = 400;

/** All of them; stretches may overlap. */
function setOff(lines: readonly string[]): SetOff[] {
  return [...betweenRules(lines), ...letters(lines), ...belowTitles(lines)];
}

/** Below a rule with words in it goes on what it names; else what stands between two that are the same. */
function betweenRules(lines: readonly string[]): SetOff[] {
  const named = lines.findIndex((line) => line.length <= short && namedRule.test(line));
  if (named >= 0) return [{ from: named, to: lines.length, isSure: true }];
  const from = lines.findIndex((line) => rule.test(line));
  const to = lines.findLastIndex((line) => line.trim() === lines[from]?.trim());
  return from >= 0 && to > from ? [{ from, to: to + 1, isSure: true }] : [];
}

/** From its greeting to the names below its last line. Without anything before it the prompt may itself be one. */
function letters(lines: readonly string[]): SetOff[] {
  const from = lines.findIndex((line, at) => greeting.test(line) && beginsAnew(nextOf(lines, at)));
  if (from < 0) return [];
  const end = lines.findLastIndex((line, at) => at > from && greeting.test(line));
  if (end < 0) return [];
  const signed = nextOf(lines, end);
  if (signed === "" || signed.length > short || wholeSentence.test(signed)) return [];
  const isSure = lines.slice(0, from).some((line) => line.trim() !== "");
  return [{ from, to: lines.length, isSure }];
}

function nextOf(lines: readonly string[], at: number): string {
  return lines.find((line, i) => i > at && line.trim() !== "") ?? "";
}

function beginsAnew(line: string): boolean {
  return /^\s*(?!\p{Ll})\p{L}/u.test(line);
}

/** Titles, or what shall be done with a text, and the text: many sentences below lines that are none. */
function belowTitles(lines: readonly string[]): SetOff[] {
  const blocks = blocksOf(lines);
  const text = ({ from, to }: Block) => lines.slice(from, to);
  const isTitle = (block: Block) => {
    const [line = "", ...more] = text(block);
    return more.length === 0 && line.length <= short && !/[.!?。！？…:：,，;]\s*$/.test(line);
  };
  const first = blocks.findIndex((block) => !isTitle(block));
  const body = blocks.slice(first).filter((block) => !isTitle(block));
  const [next] = body;
  if (first < 1 || !next) return [];
  const prose = body.map(text).filter((some) => some.every((line) => wholeSentence.test(line)));
  const size = prose.flat().join("\n").length;
  const isText = prose.length > 1 && size > muchProse;
  const own = text(next);
  const isDocument =
    first > 1 &&
    own.length > 1 &&
    own.every((line) => wholeSentence.test(line) && !listItem.test(line));
  return isText || isDocument ? [{ from: next.from, to: lines.length, isSure: false }] : [];
}

/** Paragraphs: what stands between blank lines and what was taken out. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (let at = 0; at <= lines.length; at++) {
    const line = lines[at];
    if (line !== undefined && line.trim() !== "" && line !== apart) continue;
    if (at > from) blocks.push({ from, to: at });
    from = at + 1;
  }
  return blocks;
}

// Blocks that are set apart by marks: fenced, in tags, behind ">", indented. Each leaves a line that says that it was there.

/** Stands for a block that was taken out. */
export const apart = "\ufdd2";

const fence = /^\s*(`{3,}|~{3,})/;
const tag = /<(\/?)([a-zA-Z][\w-]*)\b[^<>]*>/g;

/** The text without them. A fence that is not closed goes to the end, and so does a tag that begins a line. */
export function withoutBlocks(text: string): string {
  return withoutMarkedLines(withoutTags(withoutFences(text.replaceAll(apart, ""))));
}

function withoutFences(text: string): string {
  const kept: string[] = [];
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (open === undefined && mark !== undefined && !isInLine(line, mark)) {
      open = mark;
      kept.push(apart);
    } else if (open === undefined) kept.push(line);
    else if (mark?.startsWith(open) && line.trim() === mark) open = undefined;
  }
  return kept.join("\n");
}

/** A span of code on one line. */
function isInLine(line: string, mark: string): boolean {
  return line.trim().slice(mark.length).includes(mark);
}

function withoutTags(text: string): string {
  const tags = [...text.matchAll(tag)];
  let out = "";
  let from = 0;
  for (const [place, found] of tags.entries()) {
    if (found.index < from || found[1] === "/") continue;
    const end = endOfTag(tags, place) ?? (startsBlock(text, found) ? text.length : undefined);
    if (end === undefined) continue;
    const isBlock = text.slice(found.index, end).includes("\n");
    out += text.slice(from, found.index) + (isBlock ? `\n${apart}\n` : " … ");
    from = end;
  }
  return out + text.slice(from);
}

/** Where the tag's own closing one ends; undefined without any. */
function endOfTag(tags: readonly RegExpExecArray[], place: number): number | undefined {
  const name = tags[place]?.[2];
  let depth = 0;
  for (const found of tags.slice(place)) {
    if (found[2] !== name || found[0].endsWith("/>")) continue;
    depth += found[1] === "/" ? -1 : 1;
    if (depth === 0) return found.index + found[0].length;
  }
  return undefined;
}

/** Nothing else on its line: no `Map<string>`. */
function startsBlock(text: string, { index, 0: found }: RegExpExecArray): boolean {
  const line = text.slice(text.lastIndexOf("\n", index) + 1).split("\n", 1)[0] ?? "";
  return line.trim() === found;
}

/** Block quotes, with the lines that go on without their mark, and indented code. */
function withoutMarkedLines(text: string): string {
  const kept: string[] = [];
  let inQuote = false;
  for (const line of text.split("\n")) {
    const last = kept.at(-1) ?? "";
    inQuote = /^\s*>/.test(line) || (inQuote && line.trim() !== "");
    const goesOn = listItem.test(last) || /^\s+\S/.test(last);
    const isCode = /^(?: {4,}|\t)\s*\S/.test(line) && !goesOn;
    if (!inQuote && !isCode) kept.push(line);
    else if (last !== apart) kept.push(apart);
  }
  return kept.join("\n");
}

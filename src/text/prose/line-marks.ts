// Whose a line of a prompt is, by its shape and place, where nothing is set apart by marks: a paste, a document, output. Pure.
import { denseRange } from "../unspaced.ts";
import { apart } from "./set-apart.ts";
import { type Block, blocksOf, setOff } from "./set-off.ts";

/** `own`: the user's prose; `unsure`: theirs or pasted; `foreign`: output, a document, a paste. */
type Mark = "own" | "unsure" | "foreign";

/** Begins or goes on like output: a level, a time, a prompt, a diff, a stack, markup. */
export const outputLine =
  /^\s*(?:[+-]{1,3}\s{2,}|\+\s|=>\s|@@|diff --git|\$\s|❯|>{1,3}\s|[{}[\]<]|at\s\S+\s?\(|File "|\[?\d{2,4}[-:/]\d\d[-:/T ]|\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|FAIL|ERR!?)[\]\s:[]|npm (?:ERR|warn)|\S+\.\w{1,4}[:(]\d+|\d+\s*[|│]|\/\/|\/\*|#!)/i;
/** What the client writes in the place of an image or a paste. */
export const clientMarks = /\[(?:Image|Pasted text)[^\]]*\]/g;
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
const prompt = { lines: 12, size: 1_200 };
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
  const isLong = whole.length > prompt.lines || sizeOf(whole.join("\n")) > prompt.size;
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

// What of a prompt is set off as a whole: between rules, a letter, prose below lines that are no sentences. By its form, in any language. Pure.

import { apart } from "./set-apart.ts";

/** From a line to before another. */
export interface Block {
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
const sentenceEnd = /[.!?。！？…]["'”’»」)\]*_`]*\s*$/;
const listItem = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;
/** Characters of a name, a title. */
const short = 80;
/** So much prose below a line that is no sentence was not typed along with it. */
const muchProse = 400;

/** All of them; stretches may overlap. */
export function setOff(lines: readonly string[]): SetOff[] {
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
  if (signed === "" || signed.length > short || sentenceEnd.test(signed)) return [];
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
  const prose = body.map(text).filter((some) => some.every((line) => sentenceEnd.test(line)));
  const size = prose.flat().join("\n").length;
  const isText = prose.length > 1 && size > muchProse;
  const own = text(next);
  const isDocument =
    first > 1 &&
    own.length > 1 &&
    own.every((line) => sentenceEnd.test(line) && !listItem.test(line));
  return isText || isDocument ? [{ from: next.from, to: lines.length, isSure: false }] : [];
}

/** Paragraphs: what stands between blank lines and what was taken out. */
export function blocksOf(lines: readonly string[]): Block[] {
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

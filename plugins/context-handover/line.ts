// One line of the note: what it says can be written long or short, and is never cut inside a sentence where one ends near.

import type { MemoryItem } from "../../src/sdk/index.ts";
import {
  asData,
  asQuoted,
  type Language,
  languages,
  oneLine,
  shorten,
  toBmp,
} from "../../src/text/index.ts";
import labelTable from "./labels.txt" with { type: "text" };

/** Parts of the note, in the order they are read. */
export const sectionNames = [
  "pinned",
  "own",
  "now",
  "open",
  "decided",
  "refused",
  "build",
  "repairs",
  "files",
  "earlier",
  "notes",
] as const;
/** A part of the note. */
export type SectionName = (typeof sectionNames)[number];

// The note's own words. Everything else in it is quoted as it was said.

/** `{name}` is the project, `{command}` how memoir is called, `{n}` how many lines the user quoted or pasted. */
const labelNames = [
  "intro",
  "more",
  "asked",
  "stopped",
  "chosen",
  "plan",
  "once",
  "typed",
  "concluded",
  "failed",
  "question",
  "todo",
  "uncommitted",
  "unended",
  "committed",
  "mended",
  "summary",
  "report",
  "before",
  "quoted",
] as const;

/** What the note says by itself in one language. */
export type Labels = Readonly<
  Record<(typeof labelNames)[number], string> & { sections: Record<SectionName, string> }
>;

/** By label: a line for each language, in their order. */
const table = new Map(
  labelTable
    .trim()
    .split("\n\n")
    .map((block) => {
      const [name = "", ...words] = block.split("\n");
      return [name, words] as const;
    }),
);

/** The labels of a language. */
export function labelsOf(language: Language): Labels {
  const column = languages.indexOf(language);
  const pick = <Name extends string>(names: readonly Name[], kind = "") =>
    Object.fromEntries(
      names.map((name) => [name, table.get(kind + name)?.[column] ?? ""]),
    ) as Record<Name, string>;
  return { ...pick(labelNames), sections: pick(sectionNames, "section ") };
}

/** The user's are their edits. What nobody judged is what an agent or a model concluded; what stands without a quotation the user wrote into its file. */
export function whoSaid({ content, quote, state, edited }: MemoryItem, labels: Labels): string {
  // Who says only that it stands chose it; the words are not theirs.
  if (edited) return Object.keys(edited.was).join() === "state" ? labels.chosen : labels.typed;
  if (state === undefined) return labels.concluded;
  if (state === "candidate") return labels.once;
  return quote === undefined || quote === content ? labels.typed : labels.chosen;
}

// Lines, and how they are written.

/** Something said, and how it is shown. */
export interface Saying {
  text: string;
  /** Before it, on the same line. */
  label?: string;
  /** `user`: in quotation marks; `quote`: as a block quotation where it has several lines; `plain`: as it is. */
  as: "user" | "quote" | "plain";
}

/** One line; of several sayings the first ones give way to the last. */
export interface Line {
  section: SectionName;
  /** From 0 to 1; what is above all else gets room first. */
  rank: number;
  /** Ids of what it was made of. */
  ids: readonly string[];
  /** Of a line that sums up many turns: theirs, for who asks where it comes from. */
  from?: readonly string[];
  /** Epoch ms: lines of one part that have it stand newest first. */
  time?: number;
  /** Where it comes from, and what it is. */
  head: string;
  /** Asked for only where there is room; none: the line stands by its head, or is left out if `needsSaying`. */
  sayings: () => readonly Saying[];
  needsSaying?: true;
  /** Characters it should get, and the least it makes sense with. */
  wanted: number;
  least: number;
}

/** What a saying before the last may take of the room at most, and what it always may. */
const leadingShare = 0.4;
const leadingLeast = 120;
const tries = 5;
const step = 20;

/** The line in at most `most` characters, its bullet included; undefined where that is too little. */
export function writeLine(
  head: string,
  sayings: readonly Saying[],
  most: number,
): string | undefined {
  let room = most;
  for (let i = 0; i < tries; i++) {
    const text = written(head, sayings, room);
    if (text.length <= most) return text;
    // Texts are cut at sentences: a little less room may change nothing.
    room -= text.length - most + i * step;
    if (room < 20) return undefined;
  }
  return undefined;
}

/** What it says, for telling whether it stands elsewhere already. */
export function saidBy(sayings: readonly Saying[]): string[] {
  return sayings.map(({ text }) => plain(text)).filter((text) => text !== "");
}

/** Whole words alone: marks, and what is cut off at the end, say nothing. */
export function plain(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? "" : ` ${words.join(" ")} `;
}

function written(head: string, sayings: readonly Saying[], most: number): string {
  const named = oneLine(toBmp(asData(head)));
  const labels = sayings.reduce((sum, { label = "" }) => sum + label.length + 6, 0);
  let room = Math.max(0, most - named.length - labels - 2);
  let text = `- ${named}`;
  for (const [at, saying] of sayings.entries()) {
    const isLast = at === sayings.length - 1;
    const share = isLast ? room : Math.max(leadingLeast, Math.floor(room * leadingShare));
    const clean = saying.as === "user" ? asQuoted(saying.text) : asData(saying.text);
    const said = linesOf(fitted(clean, Math.min(room, share))).join("\n");
    room = Math.max(0, room - said.length);
    if (said === "") continue;
    const label = saying.label ? `${oneLine(asData(saying.label))} ` : "";
    if (saying.as === "quote" && said.includes("\n"))
      text += `${label && `\n  ${label.trimEnd()}`}${block(said)}`;
    else {
      const shown = saying.as === "plain" ? oneLine(said) : `“${oneLine(asQuoted(said))}”`;
      text += `${at === 0 && !/[:)]$/.test(named) ? " · " : at === 0 ? " " : "\n  "}${label}${shown}`;
    }
  }
  return text;
}

function block(text: string): string {
  return text
    .split("\n")
    .map((line) => `\n  > ${line}`)
    .join("");
}

// A quotation as it is read: shortened at sentences, one gap where something is missing, nothing announced that is not there. Pure.

const gap = "…";
/** Pictures outside the characters that clients show; letters there are shown as missing. */
const pictures =
  /(?:(?=[\u{10000}-\u{10ffff}])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}][\ufe0f\u200d]*)+[ \t]?/gu;
const decoration = /^[-*_=\s]*$/;
const onlyGap = /^[\s>*_`#\d.)-]*…[\s*_`]*$/;
const fence = /^\s*(`{3,}|~{3,})/;
/** A heading, or a line whose end says that something follows. */
const announcing = /^\s*#{1,6}\s|[:：]["'”’)\]*_`]*\s*$/;
const sentenceEnd = /[.!?。！？…:;]["'”’)\]*_`]*\s*$|\n\s*$/;

/** What of a text fits: the beginning, and the end where that begins with a sentence or line. */
function fitted(whole: string, most: number): string {
  const text = toBmp(whole.replace(pictures, ""));
  const short = shorten(text, most).text;
  const at = short.length < text.trim().length ? short.lastIndexOf(`\n${gap}\n`) : -1;
  if (at < 0) return short;
  const tail = short.slice(at + gap.length + 2);
  const before = text.slice(0, text.lastIndexOf(tail));
  if (sentenceEnd.test(before)) return short;
  const line = tail.indexOf("\n");
  return `${short.slice(0, at)}\n${gap}${line < 0 ? "" : tail.slice(line)}`;
}

/** The lines of a quotation that say something. */
function linesOf(text: string): string[] {
  const kept: string[] = [];
  const lines = text.split("\n").map((line) => line.trimEnd());
  // From the end: what is announced stands behind it.
  for (const line of withoutEmptyFences(
    lines.filter((one) => !decoration.test(one)),
  ).toReversed()) {
    const next = kept.at(-1);
    const isMissing = next === undefined || next === gap;
    if (onlyGap.test(line) || (isMissing && announcing.test(line) && lines.length > 1)) {
      if (next !== gap) kept.push(gap);
    } else kept.push(line);
  }
  return kept.some((line) => line !== gap) ? kept.toReversed() : [];
}

/** A fence around nothing but a gap is a gap. */
function withoutEmptyFences(lines: readonly string[]): string[] {
  return lines.filter((line, at) => {
    if (!fence.test(line)) return true;
    const opens = fence.test(lines[at + 2] ?? "") && onlyGap.test(lines[at + 1] ?? "");
    const closes = fence.test(lines[at - 2] ?? "") && onlyGap.test(lines[at - 1] ?? "");
    return !opens && !closes;
  });
}

// What of a prompt its user typed, and what is quoted in it: fenced, marked with ">", in tags, indented, or pasted. Pure.

/** A stretch of a prompt. */
interface Stretch {
  text: string;
  quoted: boolean;
}

/** A paragraph of so many lines was pasted: nobody types that. */
const pastedLines = 8;
/** So much is typed at most; what is behind it was pasted. */
const typedAtMost = 6_000;
/** A line that a program drew: `main ········ 09:24`. */
const drawn = /([^\p{L}\p{N}\s])\1{7,}/u;
const opening = /^\s*<([a-zA-Z][\w-]*)(?:\s[^>]*)?>/;

/** The prompt in stretches, in order. A text in quotation marks inside a sentence stays in its sentence. */
function stretchesOf(prompt: string): Stretch[] {
  const lines = prompt.split(/\r\n|\n|\r/);
  const quoted = lines.map(() => false);
  let at = 0;
  while (at < lines.length) {
    const end = quotedUntil(lines, at);
    for (let i = at; i < end; i++) quoted[i] = true;
    at = Math.max(at + 1, end);
  }
  markPasted(lines, quoted);
  const stretches: Stretch[] = [];
  for (const [i, line] of lines.entries()) {
    const isQuoted = quoted[i] === true;
    const last = stretches.at(-1);
    if (last && (last.quoted === isQuoted || line.trim() === "")) last.text += `\n${line}`;
    else stretches.push({ text: line, quoted: isQuoted });
  }
  return stretches.filter(({ text }) => text.trim() !== "");
}

/** Only what was typed; `mark` stands for each quotation of so many lines. */
export function typedWords(prompt: string, mark: (lines: number) => string): string {
  return stretchesOf(prompt)
    .map(({ text, quoted }) => (quoted ? mark(text.trim().split("\n").length) : text.trim()))
    .join("\n");
}

/** Where the quotation that begins at this line ends; the line itself where none begins. */
function quotedUntil(lines: readonly string[], at: number): number {
  const line = lines[at] ?? "";
  const fenced = fence.exec(line)?.[1];
  if (fenced) {
    const close = lines.findIndex((one, i) => i > at && one.trim().startsWith(fenced));
    return close < 0 ? lines.length : close + 1;
  }
  if (/^\s*>/.test(line) || drawn.test(line)) return at + 1;
  const tag = opening.exec(line)?.[1];
  if (tag) {
    const close = lines.findIndex((one, i) => i >= at && one.includes(`</${tag}>`));
    if (close >= 0) return close + 1;
  }
  let end = at;
  while (/^(?: {4,}|\t)\s*\S/.test(lines[end] ?? "")) end++;
  return end - at >= 3 ? end : at;
}

function markPasted(lines: readonly string[], quoted: boolean[]): void {
  let start = 0;
  let read = 0;
  for (let at = 0; at <= lines.length; at++) {
    const line = lines[at];
    if (line !== undefined && line.trim() !== "") continue;
    const isLong = at - start >= pastedLines;
    for (let i = start; i < at; i++) {
      read += lines[i]?.length ?? 0;
      if (isLong || read > typedAtMost) quoted[i] = true;
    }
    start = at + 1;
  }
}

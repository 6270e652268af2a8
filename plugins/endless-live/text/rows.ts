// Lines of an output with their numbers: cleaned of the terminal's tricks, and rendered with what is missing marked.
import { cut, plural, stripAnsi } from "../../../src/text/index.ts";
import type { Asked } from "../look/asked.ts";
import { shapeOf } from "../look/codes.ts";
import type { Policy } from "../policy.ts";
import { fitListing } from "./listing.ts";

/** A line of the original. */
export interface Row {
  /** Counts from 1. */
  line: number;
  text: string;
  /** How far it is indented, what it looks like, and whether it tells of trouble: each worked out once it was asked for. */
  depth?: number;
  shape?: number;
  isTrouble?: boolean;
}

export function depthOf(row: Row): number {
  row.depth ??= row.text.length - row.text.trimStart().length;
  return row.depth;
}

export function shapeOfRow(row: Row): number {
  row.shape ??= shapeOf(row.text);
  return row.shape;
}

/** Gaps smaller than this many characters are not worth their mark. */
const leastGap = 40;

/** The lines of a text: without colours, of an overwritten line its last state, trailing space off. */
export function rowsOf(text: string, firstLine = 1): Row[] {
  return text.split("\n").map((raw, at) => ({ line: firstLine + at, text: cleanLine(raw) }));
}

/** The line as a terminal would show it in the end. */
export function cleanLine(raw: string): string {
  const plain = stripAnsi(raw).trimEnd();
  const back = plain.lastIndexOf("\r");
  return back < 0 ? plain : plain.slice(back + 1);
}

/** A line cut to `max` characters, with the number of those missing. */
export function cutLine(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = cut(text, max, "");
  return `${kept}… (+${text.length - kept.length} characters)`;
}

/** What stands where lines are missing; both ends included. */
export function linesMark(from: number | undefined, to: number | undefined): string {
  return from === to ? `… line ${from}` : `… lines ${from}–${to}`;
}

/** The numbers in such a mark; undefined for any other line. */
export function gapOf(line: string): { from: number; to: number } | undefined {
  // Most lines are told by their first sign.
  if (line[0] !== "…") return undefined;
  const [, from, to] = /^… lines? (\d+)(?:–(\d+))?$/.exec(line) ?? [];
  if (from === undefined) return undefined;
  return { from: Number(from), to: Number(to ?? from) };
}

/**
 * The chosen rows in order, each gap marked by its line numbers: `… lines 31–150`. Gaps that are shorter than their
 * mark are filled again; empty lines between two gaps join them.
 */
export function render(
  rows: readonly Row[],
  isKept: (row: Row) => boolean,
  shorten: (line: string) => string,
  mark: (gap: readonly Row[]) => string = (gap) => linesMark(gap[0]?.line, gap.at(-1)?.line),
  least = leastGap,
): { text: string; missing: Row[] } {
  const out: string[] = [];
  const missing: Row[] = [];
  let gap: Row[] = [];
  /** Empty lines behind a gap. */
  let empty: Row[] = [];
  const close = (): void => {
    const size = gap.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (size < least) {
      for (const { text } of gap) out.push(text);
    } else {
      out.push(mark(gap));
      for (const row of gap) missing.push(row);
    }
    for (const { text } of empty) out.push(text);
    gap = [];
    empty = [];
  };
  for (const row of rows) {
    if (!isKept(row)) {
      if (empty.length > 0) gap.push(...empty.splice(0));
      gap.push(row);
      continue;
    }
    if (gap.length > 0 && row.text === "") {
      empty.push(row);
      continue;
    }
    if (gap.length > 0) close();
    out.push(shorten(row.text));
  }
  if (gap.length > 0) close();
  return { text: out.join("\n"), missing };
}

// What the shorteners of texts share: their form, and the choice of the first that fits.

/** A shorter text, without the line that says how to get the whole back. */
export interface Shortened {
  text: string;
  /** `212 of 300 lines`, for that line. */
  leftOut: string;
  how: string;
  /** The text's rows, where it was taken apart. */
  rows?: readonly Row[];
  /** Nothing is to be put back any more: what departs from the rest is in it. */
  isWhole?: boolean;
  /** A text, whose gaps are told by the names in them: of prose what was asked for is in it already, and in a diff nothing is unlike the rest. Without, a log. */
  of?: "prose" | "diff";
}

/** What a text came from. */
export interface Origin {
  /** The shell command; empty where there is none. */
  command: string;
  /** The number that its first line has in the whole that is recalled; default 1. */
  firstLine?: number;
  asked?: Asked | undefined;
}

/** Gives a shorter text, or undefined where the text is not of its kind or would not get shorter. */
export type Shorten = (text: string, policy: Policy, origin: Origin) => Shortened | undefined;

/** The answer for a text that is to stay, so that no other shortener takes it. */
export function asItIs(text: string): Shortened {
  return { text, leftOut: "nothing", how: "stays", isWhole: true };
}

/** The answer of the first shortener that has one. */
export function firstOf(...shorteners: readonly Shorten[]): Shorten {
  return (text, policy, origin) => {
    for (const shorten of shorteners) {
      const shortened = shorten(text, policy, origin);
      if (shortened) return shortened;
    }
    return undefined;
  };
}

/** Lines that are missing; where none is, the characters of those that were cut. */
export function leftOfLines(lines: number, of: number, characters: number, all: number): string {
  return lines > 0 ? `${lines} of ${plural(of, "line")}` : `${characters} of ${all} characters`;
}

// Lines that tell of trouble: errors, warnings, failures; they stay whatever else goes.

const words =
  /\b(?:errors?|err!|error\[\w+\]|fail(?:s|ed|ing|ures?)?|fatal|panic(?:ked)?|exceptions?|traceback|segfault|abort(?:ed)?|denied|refused|cannot|can't|could not|unable|unresolved|undefined reference|not found|no such|missing|unexpected|invalid|conflicts?|deprecated|vulnerabilit(?:y|ies)|timed? ?out|killed|rejected|problems?)\b|^\s*not ok\b|\bwarn(?:ings?)?\b|(?:error|exception):|[✗✘✖❌⚠]/i;
/** `0 errors`, `errors: 0`, `no warnings`: the opposite. */
const none =
  /\b(?:0|no)\s+(?:errors?|fail(?:ed|ures?)|warnings?|problems?|vulnerabilities)\b|\b(?:errors?|fail(?:ed|ures?)?|warnings?)\s*[:=]\s*0\b/gi;
/** `PlatformError.ts`, `error_test.go`: only a name. */
const named =
  /(?<!\S)\S*(?:error|fail|warn|exception|missing|invalid|timeout)\S*\.\w{1,5}\b(?!:\d)/gi;

/** More of a line is not looked at. */
const mostOfLine = 2_000;

/** One form for several, so that a line is looked at once. */
export function anyOf(forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => `(?:${source})`).join("|"));
}

/** Whether a line tells of trouble. */
export function isTrouble(line: string): boolean {
  if (!words.test(line)) return false;
  return words.test(line.replace(none, "").replace(named, ""));
}

/** The same of a row, by its beginning. */
export function tellsTrouble(row: Row): boolean {
  row.isTrouble ??= isTrouble(row.text.slice(0, mostOfLine));
  return row.isTrouble;
}

// Paths in text: found, and listed where the lines that held them were left out.

const path =
  /(?<![\w./~@-])(?:~|\.{1,2})?(?:\/?[\w.@+-]+\/)+[\w.@+-]*[\w+-]|(?<![\w./@-])\/(?:[\w.@+-]+\/)*[\w.@+-]*[\w+-]/g;

/** Most characters that a list of paths takes. */
const mostListed = 400;

/** The distinct paths in a text, in order of their first place; addresses (`https://…`) are none. */
export function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(path)) {
    const before = text.slice(Math.max(0, match.index - 3), match.index);
    if (before.endsWith(":/") || before.endsWith("://") || match[0].length > 300) continue;
    if (/[A-Za-z]/.test(match[0])) found.add(match[0]);
  }
  return [...found];
}

/** The paths that stand in `missing` but not in `kept`, by folder where they are many; undefined when there are none. */
export function lostPaths(missing: readonly string[], kept: string): string | undefined {
  // Most lines have none, and no path goes on in the next.
  const having = missing.filter((line) => line.includes("/")).join("\n");
  const lost = pathsIn(having).filter((found) => !kept.includes(found));
  if (lost.length === 0) return undefined;
  const flat = lost.join(" ");
  const opening = "… paths in the lines left out:";
  if (flat.length <= mostListed) return `${opening} ${flat}`;
  return [opening, ...fitListing(lost, mostListed, 1).lines].join("\n");
}

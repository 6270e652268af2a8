// Reads the lines below a name without what they all begin with, whatever it is: a log's, a comment's, a patch's. What grep
// and quotations put before a line that stands alone `lineLeads` knows by its form.
import { viewOfPieces } from "../view.ts";
import type { Found } from "./rule.ts";
import { classOf } from "./word-search.ts";

/** No longer line is read. */
export const longestLine = 400;
/** More rows of a table are not read. */
const mostLines = 40;
/** What may end the part that lines have in common: no letter, digit, quote or opening bracket. */
const edges = classOf(/[\s:|>#/*;%!\-+\])}=]/);
const arrow = 0x2192;
const [tab, newline, comma, hyphen, dot, semicolon, angle, bar] = [9, 10, 44, 45, 46, 59, 60, 124];
const names = classOf(/[\w$.-]/);
/** As many signs may stand between a name and the end of its line. */
const mostSigns = 16;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isNamed = (code: number): boolean => names[code] === 1 || code > 0xbf;
const isEdge = (code: number): boolean => edges[code] === 1 || code === arrow;

/** The first place from `at` on where no character of these stands. */
function past(text: string, at: number, is: (code: number) => boolean): number {
  let end = at;
  while (is(text.charCodeAt(end))) end++;
  return end;
}

const isBlank = (code: number): boolean => code === 32;

/**
 * True when what a name promises that ends at `place` may stand on a line below: behind it come signs alone, a tag that
 * closes, or a further cell.
 */
export function opensBelow(text: string, place: number): boolean {
  const last = Math.min(text.length, place + mostSigns);
  let at = place;
  for (; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === newline || code === bar || code === tab) return true;
    if ((code === comma || code === semicolon) && isNamed(text.charCodeAt(at + 1))) return true;
    if (code === angle && text.charAt(at + 1) === "/") return true;
    if (isNamed(code) && code !== hyphen && code !== dot)
      return /^(?:is|are)\b[^\w\n]{0,8}(?:\n|$)/.test(text.slice(at, at + 12));
  }
  return at === text.length;
}

/** How far two lines begin alike, digits of whatever number being alike, as the ends in both. */
function alike(text: string, one: Line, other: Line): readonly [number, number] {
  let [endA, endB] = [one.start, other.start];
  // Numbers that stand in a column have blanks before them.
  let [a, b] = [past(text, endA, isBlank), past(text, endB, isBlank)];
  if (!isDigit(text.charCodeAt(a)) || !isDigit(text.charCodeAt(b))) [a, b] = [endA, endB];
  const last = Math.min(one.end, one.start + 200);
  while (a < last && b < other.end) {
    const code = text.charCodeAt(a);
    const codeB = text.charCodeAt(b);
    if (isDigit(code) && isDigit(codeB)) {
      a = past(text, a, isDigit);
      b = past(text, b, isDigit);
      continue;
    }
    if (code !== codeB) break;
    a++;
    b++;
    if (isEdge(code)) [endA, endB] = [a, b];
  }
  return [endA, endB];
}

/** Blanks, the number of a listing, the sign of an added line: the rules read on over these. */
const known = /^\s*(?:\d{1,6}[→\t|:])?\s*\+?\s*$/;

/** The beginning of a text that stands in quotes in a line: `{"stdout": "`. */
const opened = /^.{0,200}[[:,(] ?["']/;

interface Line {
  start: number;
  end: number;
}

/** The line that begins at `start`, behind the seam of a list; undefined for a long one, of which no more is looked at. */
function lineAt(text: string, start: number): Line | undefined {
  const from = text.charCodeAt(start) === 0xf8ff ? start + 1 : start;
  const last = Math.min(text.length, from + longestLine);
  let end = from;
  while (end < last && text.charCodeAt(end) !== newline) end++;
  return end === last && last < text.length ? undefined : { start: from, end };
}

/** The line in which something stands at `place`, the same way. */
function lineAround(text: string, place: number): Line | undefined {
  const first = Math.max(0, place - longestLine);
  let start = place;
  while (start > first && text.charCodeAt(start - 1) !== newline) start--;
  return start === first && first > 0 ? undefined : lineAt(text, start);
}

/** The lines from one on that begin as it does, each without that; fewer than two where that is nothing. */
function linesBehind(text: string, place: number): Line[] {
  if (!opensBelow(text, place)) return [];
  const first = lineAround(text, place);
  if (!first) return [];
  const second = first.end < text.length && lineAt(text, first.end + 1);
  if (!second) return [];
  let [from, fromSecond] = alike(text, first, second);
  if (from === first.start) {
    first.start += opened.exec(text.slice(first.start, place))?.[0].length ?? 0;
    [from, fromSecond] = alike(text, first, second);
  }
  if (from > place || known.test(text.slice(first.start, from))) return [];
  const lines = [
    { start: from, end: first.end },
    { start: fromSecond, end: second.end },
  ];
  for (let at = second.end + 1; at < text.length && lines.length < mostLines; ) {
    const line = lineAt(text, at);
    const [reached, start] = line ? alike(text, { start: first.start, end: from }, line) : [];
    if (!line || start === undefined || reached !== from) break;
    lines.push({ start, end: line.end });
    at = line.end + 1;
  }
  return lines;
}

/** What `find` finds in the lines below names that end at these places, read without what stands before each of them. */
export function findBehindPrefixes(
  text: string,
  places: readonly number[],
  find: (text: string) => Found[],
): Found[] {
  const found: Found[] = [];
  let readTo = 0;
  for (const place of places) {
    const lines = place < readTo ? [] : linesBehind(text, place);
    const [first] = lines;
    if (!first) continue;
    // What stands in the later half of many lines may have its value behind them.
    readTo = lines[lines.length < mostLines ? lines.length - 1 : mostLines >> 1]?.end ?? place;
    const view = viewOfPieces(
      lines.map(({ start, end }) => ({ from: start, text: `${text.slice(start, end)}\n` })),
    );
    for (const one of find(view.text))
      found.push({ ...one, start: view.source(one.start), end: view.source(one.end - 1) + 1 });
  }
  return found;
}

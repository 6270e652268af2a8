// The columns of lines: what stands at the same place from the left or the right, or behind the same key.
import { space } from "./classes.ts";
import type { Codes, Numbering } from "./codes.ts";
import { addTo, type Column, createColumns } from "./columns.ts";

const separators = ["│", "|", "\t", ";", ","];
const blank = 32;

/** Lines that show how a table is parted. */
const sampled = 100;

/** What parts the lines of a table: what most of them have equally often; else it is spaces. */
function separatorOf(lines: readonly string[], { codes, starts }: Codes): number {
  const some = lines.slice(0, sampled);
  const found = separators.find((separator) => {
    if (!some.some((line) => line.includes(separator))) return false;
    const code = separator.charCodeAt(0);
    const rows = new Map<number, number>();
    for (let line = 0; line < some.length; line++) {
      let count = 0;
      for (let at = starts[line] ?? 0; at < (starts[line + 1] ?? 0); at++)
        if (codes[at] === code) count++;
      rows.set(count, (rows.get(count) ?? 0) + 1);
    }
    return [...rows].some(([count, of]) => count >= 2 && of >= some.length * 0.7);
  });
  return found?.charCodeAt(0) ?? blank;
}

const pair = /(?<![\p{L}\d_.-])([\p{L}_][\p{L}\d_.-]*)["']?\s?[=:]\s?("[^"]*"|[^\s,;}\]]+)/gu;
/** Columns counted from the left and from the right, where spaces part the lines. */
const [left, right] = [8, 5];
/** What the names of columns begin with: places from the left are their own names. */
const [fromRight, fromKeys] = [1_000, 2_000];

/** The columns of the lines; their values are numbered by `cells`. */
export function columnsOfLines(
  lines: readonly string[],
  all: Codes,
  cells: Numbering,
): readonly Column[] {
  const { starts } = all;
  const separator = separatorOf(lines, all);
  const columns = createColumns();
  const [fromLeft, fromEnd]: [(Column | undefined)[], (Column | undefined)[]] = [[], []];
  /** Of each part of a line where it begins and ends, and its number. */
  const bounds: number[] = [];
  const parts: number[] = [];
  for (const [row, line] of lines.entries()) {
    const [from, to] = [starts[row] ?? 0, starts[row + 1] ?? 0];
    bounds.length = 0;
    readParts(all, from, to, separator, bounds);
    const count = bounds.length / 2;
    const shown = separator === blank ? Math.min(left, count) : count;
    for (let at = 0; at < shown; at++) {
      const part = cells.of(bounds[2 * at] ?? 0, bounds[2 * at + 1] ?? 0);
      parts[at] = part;
      fromLeft[at] ??= columns.of(at);
      addTo(fromLeft[at], row, part);
    }
    if (separator === blank)
      for (let back = 1; back <= right && back <= count; back++) {
        const at = count - back;
        const part =
          at < shown ? parts[at] : cells.of(bounds[2 * at] ?? 0, bounds[2 * at + 1] ?? 0);
        fromEnd[back] ??= columns.of(fromRight + back);
        addTo(fromEnd[back], row, part ?? 0);
      }
    if (!line.includes("=") && !line.includes(":")) continue;
    for (const found of line.slice(0, to - from).matchAll(pair)) {
      const { 0: whole, 1: key = "", 2: value = "" } = found;
      const at = from + found.index;
      const end = at + whole.length;
      const name = fromKeys + cells.of(at, at + key.length);
      addTo(columns.of(name, true), row, cells.of(end - value.length, end));
    }
  }
  return columns.all();
}

/** Where the parts of a line begin and end: those of a table without the space around them, and empty ones only there. */
function readParts(
  { codes, kinds }: Codes,
  begin: number,
  end: number,
  separator: number,
  bounds: number[],
): void {
  let start = begin;
  for (let at = begin; at <= end; at++) {
    if (at < end && codes[at] !== separator) continue;
    if (separator !== blank) addTrimmed(kinds, start, at, bounds);
    else if (at > start) bounds.push(start, at);
    start = at + 1;
  }
}

function addTrimmed(kinds: Uint8Array, begin: number, end: number, bounds: number[]): void {
  let [from, to] = [begin, end];
  while (from < to && kinds[from] === space) from++;
  while (to > from && kinds[to - 1] === space) to--;
  bounds.push(from, to);
}

// Lines of an output with their numbers: cleaned of the terminal's tricks, and rendered with what is missing marked.
import { cut, stripAnsi } from "../../../src/text/index.ts";

/** A line of the original. */
export interface Row {
  /** Counts from 1. */
  line: number;
  text: string;
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
): { text: string; missing: Row[] } {
  const out: string[] = [];
  const missing: Row[] = [];
  let gap: Row[] = [];
  /** Empty lines behind a gap. */
  let empty: Row[] = [];
  const close = (): void => {
    const size = gap.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (size < leastGap) {
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
      gap.push(...empty, row);
      empty = [];
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

// Text for a terminal: what fits, what lines up, how long ago, how big; and nothing in it that the terminal would obey.
import { asDataDeep, cut, oneLine, stripAnsi, unmarked } from "../../text/text.ts";

export { ago, dateTime, size } from "../../text/amounts.ts";

/** One line of at most `max` columns; no limit where nobody reads it as a screen. */
export function fit(text: string, max: number | undefined): string {
  const line = oneLine(text);
  if (max === undefined || width(line) <= max) return line;
  let budget = Math.max(8, max);
  while (budget > 1 && width(cut(line, budget)) > max) budget--;
  return cut(line, budget);
}

/** What something is called, in a line of at most `max` columns: without Markdown's marks. */
export const titled = (text: string, max?: number): string => fit(unmarked(text), max);

/**
 * Columns as wide as their widest cell, two spaces apart; the last one is left as it is. Where that is more than `max`, the
 * first cells (paths, without colours) lose their beginnings.
 */
export function columns(rows: ReadonlyArray<readonly string[]>, max?: number): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width(cell));
  const [first = 0, ...others] = widths;
  const room = Math.max(
    leastPath,
    (max ?? Infinity) - others.reduce((sum, column) => sum + 2 + column, 0),
  );
  if (first > room)
    return columns(rows.map(([cell = "", ...rest]) => [endOf(cell, room), ...rest]));
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - width(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** A path is not cut to less. */
const leastPath = 16;

/** The end of a text, behind its indent and `…`, in at most `max` columns. */
export function endOf(text: string, max: number): string {
  if (width(text) <= max) return text;
  const [indent = ""] = /^ */.exec(text) ?? [];
  const letters = [...text.slice(indent.length)];
  while (letters.length > 0 && width(letters.join("")) + indent.length + 1 > max) letters.shift();
  const end = letters.join("");
  // A name is not cut in its middle where there is a whole one behind it.
  const slash = end.indexOf("/");
  return `${indent}…${slash > 0 && end.length - slash >= leastPath ? end.slice(slash) : end}`;
}

/** `1,234,567` */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Text broken at spaces into lines of at most `width` characters, each begun with `indent`. */
export function wrap(text: string, width: number | undefined, indent = ""): string[] {
  const room = (width ?? 100) - indent.length;
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    const [lead = ""] = /^[ \t]*/.exec(paragraph) ?? [];
    // Code keeps its columns where it has room.
    if (lead !== "" && paragraph.length <= room) {
      lines.push((indent + paragraph).trimEnd());
      continue;
    }
    let line = "";
    for (const word of paragraph.split(/\s+/)) {
      if (line !== "" && line.length + 1 + word.length > room) {
        lines.push(indent + line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push((indent + line).trimEnd());
  }
  return lines;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

/** Columns a text takes on screen: colours and combining marks take none, wide characters two. */
export function width(text: string): number {
  const plain = stripAnsi(text).replace(/\p{Mn}/gu, "");
  return [...plain].length + (plain.match(wide)?.length ?? 0);
}

// What was remembered came from files and tools of anybody's making: before it is shown, terminal commands are taken out.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same JSON value with every text free of escape sequences, control characters and direction overrides. */
export function printable<Value>(value: Value): Value {
  return clean(value) as Value;
}

/** `printable` for what is remembered: agents read it in their shells too, and no text in it may read as more than data. */
export function printableMemory<Value>(value: Value): Value {
  return printable(asDataDeep(value));
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return stripAnsi(value).replace(controls, "");
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}

// What a line, a row or an item is made of, so that it can be compared with the others of its output. No language and no tool is known here.
import { isTrouble } from "../text/trouble.ts";
import { scan } from "./scan.ts";

/** Names of columns, and behind each its value. */
export type Cells = readonly string[];

/** One of many that are compared. */
export interface Features {
  /** Words in lower case, some more than once; of scripts without spaces pairs of letters. */
  words: readonly string[];
  /** Signs that are no letters and no digits, some more than once. */
  signs: readonly string[];
  /** The line with all words, numbers and repeats folded: `a 0 - a`. */
  shape: string;
  /** Values with the names of their columns or keys. */
  cells: Cells;
  /** It has a word that mostly tells of trouble. */
  isTrouble: boolean;
}

/** More of a line is not looked at. */
const longest = 600;

const separators = ["│", "|", "\t", ";", ","] as const;

/** Lines that show how a table is parted. */
const sampled = 100;

/** How the lines of a table are parted: by what most of them have equally often. Undefined where spaces part them. */
function separatorOf(lines: readonly string[]): string | undefined {
  const some = lines.slice(0, sampled);
  return separators.find((separator) => {
    const counts = new Map<number, number>();
    for (const line of some) {
      const count = line.slice(0, longest).split(separator).length - 1;
      counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const [count, rows] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    return count >= 2 && rows >= some.length * 0.7;
  });
}

const pair = /(?<![\p{L}\d_.-])([\p{L}_][\p{L}\d_.-]*)["']?\s?[=:]\s?("[^"]*"|[^\s,;}\]]+)/gu;
/** Columns counted from the left and from the right. */
const left = ["0", "1", "2", "3", "4", "5", "6", "7"];
const right = ["-1", "-2", "-3", "-4", "-5"];

function cellsOf(line: string, separator: string | undefined): Cells {
  const cells: string[] = [];
  if (separator !== undefined)
    for (const [at, part] of line.split(separator).entries())
      cells.push(left[at] ?? String(at), part.trim());
  else {
    const parts = line.split(" ").filter(Boolean);
    for (const [at, name] of left.entries()) {
      const part = parts[at];
      if (part !== undefined) cells.push(name, part);
    }
    for (const [at, name] of right.entries()) {
      const part = parts[parts.length - 1 - at];
      if (part !== undefined) cells.push(name, part);
    }
  }
  if (line.includes("=") || line.includes(":"))
    for (const [, key, value] of line.matchAll(pair)) cells.push(`${key}:`, value ?? "");
  return cells;
}

/** The features of each line. Empty lines have none. */
export function featuresOfLines(lines: readonly string[]): Features[] {
  const separator = lines.length > 0 ? separatorOf(lines) : undefined;
  /** Lines that stand there more than once are read once. */
  const known = new Map<string, Features>();
  return lines.map((whole) => {
    const line = whole.slice(0, longest);
    const before = known.get(line);
    if (before) return before;
    const features = { ...scan(line), cells: cellsOf(line, separator), isTrouble: isTrouble(line) };
    known.set(line, features);
    return features;
  });
}

/** Most levels of an item that are looked into, and fields of each. */
const [deepest, mostFields] = [3, 60];

/** The features of an item of a list: its fields are its columns, their names its shape. */
export function featuresOfItem(item: unknown): Features {
  const cells: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== "object" || value === null || depth >= deepest)
      cells.push(path, typeof value === "string" ? value.slice(0, longest) : JSON.stringify(value));
    else
      for (const [key, part] of Object.entries(value).slice(0, mostFields))
        visit(part, path === "" ? key : `${path}.${key}`, depth + 1);
  };
  visit(item, "", 0);
  const text = cells
    .filter((_, at) => at % 2 === 1)
    .join(" ")
    .slice(0, longest);
  return {
    words: scan(text).words,
    signs: [],
    shape: cells.filter((_, at) => at % 2 === 0).join(" "),
    cells,
    isTrouble: isTrouble(text),
  };
}

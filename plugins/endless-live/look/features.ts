// What lines, or items of a list, are made of, so that they can be compared with the others of their output. No language and no tool is known here.
import { isTrouble } from "../text/rows.ts";
import type { Stretches, Units } from "./codes.ts";
import {
  type Codes,
  capital,
  codesOf,
  createNumbering,
  createStretches,
  digit,
  lowerOf,
  shapeOf,
  sign,
  signCount,
  signNumberOf,
  space,
  unspaced,
} from "./codes.ts";
import type { Things } from "./columns.ts";
import { addTo, type Column, createColumns, numberOf } from "./columns.ts";

/** Many that are compared; each is known by its place. */
export interface Features {
  count: number;
  words: Things;
  signs: Things;
  /** One of each. */
  shapes: Things;
  /** The places of those that have a word which mostly tells of trouble. */
  troubled: readonly number[];
  columns: readonly Column[];
  /** Values that the columns have. */
  values: number;
  /** A value of a column as a number; undefined for what is none. */
  numberOf(value: number): number | undefined;
}

/** More of a line is not looked at. */
const longest = 600;

/** What is known of lines: their shapes as `shapeOf` tells them, and which tell of trouble. */
interface Known {
  shapes: readonly number[];
  troubled: readonly boolean[];
}

/** What the lines are made of. */
export function featuresOfLines(
  lines: readonly string[],
  { shapes, troubled }: Known = { shapes: lines.map(shapeOf), troubled: lines.map(isTrouble) },
): Features {
  const all = codesOf(lines, longest);
  const cells = createStretches(all.codes, all.text);
  const columns = columnsOfLines(lines, all, cells);
  return {
    count: lines.length,
    ...wordsOf(all),
    shapes: oneOfEach(shapes),
    troubled: [...troubled.keys()].filter((at) => troubled[at]),
    columns,
    values: cells.size(),
    numberOf: numbersOf(cells),
  };
}

/** Values as numbers: of each it is worked out once, however many have it. */
function numbersOf(values: {
  text(this: void, number: number): string | undefined;
}): Features["numberOf"] {
  const numbers = new Map<number, number | undefined>();
  return (value) => {
    if (!numbers.has(value)) numbers.set(value, numberOf(values.text(value) ?? ""));
    return numbers.get(value);
  };
}

/** The words and signs of lines. */
function wordsOf(all: Codes): Pick<Features, "words" | "signs"> {
  const { codes, starts } = all;
  const small = new Uint16Array(codes.length);
  const numbering = createStretches(small);
  const count = starts.length - 1;
  const words = { all: [] as number[], starts: new Uint32Array(count + 1) };
  const signs = { all: [] as number[], starts: new Uint32Array(count + 1) };
  /** The line in which each sign was seen last: of one that is there more often once will do. */
  const seen: number[] = [];
  let line = 0;
  const reader = {
    word: (from: number, to: number) => void words.all.push(numbering.of(from, to)),
    sign(code: number) {
      const number = signNumberOf(code);
      if (seen[number] === line) return;
      seen[number] = line;
      signs.all.push(number);
    },
  };
  for (; line < count; line++) {
    readWords(all, small, [starts[line] ?? 0, starts[line + 1] ?? 0], reader);
    words.starts[line + 1] = words.all.length;
    signs.starts[line + 1] = signs.all.length;
  }
  return {
    words: { ...words, kinds: numbering.size() },
    signs: { ...signs, kinds: signCount() },
  };
}

/** A thing of each, by whatever equal ones are equal by. */
function oneOfEach<Thing extends number | string>(things: readonly Thing[]): Things {
  const numbering = createNumbering<Thing>();
  const all = things.map(numbering.of);
  return {
    all,
    starts: Uint32Array.from({ length: all.length + 1 }, (_, at) => at),
    kinds: numbering.size(),
  };
}

/** A field of an item: where it stands, and its text. */
export type Field = readonly [path: string, text: string];

/** Most levels of an item that are looked into, and fields of each. */
const [deepest, mostFields] = [3, 60];

/** The fields of an item of a list. */
export function fieldsOf(item: unknown): Field[] {
  const fields: Field[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== "object" || value === null || depth >= deepest)
      fields.push([
        path,
        typeof value === "string"
          ? value.slice(0, longest).replaceAll(/[\uE000\uE001]/g, "")
          : JSON.stringify(value),
      ]);
    else
      for (const [key, part] of Object.entries(value).slice(0, mostFields))
        visit(part, path === "" ? key : `${path}.${key}`, depth + 1);
  };
  visit(item, "", 0);
  return fields;
}

/** The features of items: their fields are their columns, the names of these their shape. */
export function featuresOfItems(items: readonly (readonly Field[])[]): Features {
  const texts = items.map((fields) =>
    fields
      .map(([, text]) => text)
      .join(" ")
      .slice(0, longest),
  );
  const [names, values] = [createNumbering(), createNumbering()];
  const columns = createColumns();
  for (const [row, fields] of items.entries())
    for (const [path, text] of fields)
      addTo(columns.of(names.of(path), path.endsWith(":")), row, values.of(text));
  return {
    count: items.length,
    words: wordsOf(codesOf(texts, longest)).words,
    signs: { all: [], starts: new Uint32Array(items.length + 1), kinds: 0 },
    shapes: oneOfEach(items.map((fields) => fields.map(([path]) => path).join(" "))),
    troubled: texts.flatMap((text, at) => (isTrouble(text) ? [at] : [])),
    columns: columns.all(),
    values: values.size(),
    numberOf: numbersOf(values),
  };
}

// The words and the signs of a line, in any script.

/** Takes what a line is made of, in its order. */
interface WordReader {
  /** A stretch of the small letters; of scripts without spaces a pair of letters. */
  word(from: number, to: number): void;
  /** What is no letter and no digit. */
  sign(code: number): void;
}

/** Reads a line; `small` is given the same with small letters, as far as there are words. */
export function readWords(
  { codes, kinds }: Units,
  small: Uint16Array,
  [begin, end]: readonly [from: number, to: number],
  reader: WordReader,
): void {
  let at = begin;
  while (at < end) {
    const kind = kinds[at];
    if (kind === space) at++;
    else if (kind === sign) reader.sign(codes[at++] ?? 0);
    else {
      const from = at;
      let hasDigit = false;
      let isUnspaced = false;
      for (; at < end; at++) {
        const next = kinds[at];
        if (next === space || next === sign) break;
        const code = codes[at] ?? 0;
        small[at] = next === capital ? lowerOf(code) : code;
        if (next === digit) hasDigit = true;
        else if (next === unspaced) isUnspaced = true;
      }
      if (isUnspaced) readLetters(kinds, from, at, reader);
      else if (!hasDigit && at - from > 1) reader.word(from, at);
    }
  }
}

/** Pairs of letters that follow each other. */
function readLetters(kinds: Uint8Array, from: number, to: number, reader: WordReader): void {
  for (let at = from; at + 1 < to; at++)
    if (kinds[at] === unspaced && kinds[at + 1] === unspaced) reader.word(at, at + 2);
}

// The columns of lines: what stands at the same place from the left or the right, or behind the same key.

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

/** Columns counted from the left and from the right, where spaces part the lines. */
const [left, right] = [9, 5];
/** What the names of columns begin with: places from the left are their own names. */
const [fromRight, fromKeys] = [1_000, 2_000];

/** The columns of the lines; their values are numbered by `cells`. */
export function columnsOfLines(
  lines: readonly string[],
  all: Codes,
  cells: Stretches,
): readonly Column[] {
  const { starts } = all;
  const separator = separatorOf(lines, all);
  const columns = createColumns();
  const [fromLeft, fromEnd]: [(Column | undefined)[], (Column | undefined)[]] = [[], []];
  /** Of each part of a line where it begins and ends, and its number. */
  const bounds: number[] = [];
  const parts: number[] = [];
  for (let row = 0; row < lines.length; row++) {
    const [from, to] = [starts[row] ?? 0, starts[row + 1] ?? 0];
    bounds.length = 0;
    readParts(all, from, to, separator, bounds);
    const count = bounds.length / 2;
    const shown = separator === blank ? Math.min(left, count) : count;
    const cell = (at: number) => cells.of(bounds[2 * at] ?? 0, bounds[2 * at + 1] ?? 0);
    for (let at = 0; at < shown; at++) {
      const part = cell(at);
      parts[at] = part;
      fromLeft[at] ??= columns.of(at);
      addTo(fromLeft[at], row, part);
    }
    if (separator === blank)
      for (let back = 1; back <= right && back <= count; back++) {
        const at = count - back;
        fromEnd[back] ??= columns.of(fromRight + back);
        addTo(fromEnd[back], row, (at < shown ? parts[at] : cell(at)) ?? 0);
      }
    readPairs(all, from, to, (key, value) => {
      const name = fromKeys + cells.of(key[0], key[1]);
      addTo(columns.of(name, true), row, cells.of(value[0], value[1]));
    });
  }
  return columns.all();
}

const [equals, colon, quote, apostrophe] = ["=", ":", '"', "'"].map((sign) =>
  sign.charCodeAt(0),
) as [number, number, number, number];
/** Signs that a key may have inside, and those that end a value. */
const [inKeys, endings] = [".-", ",;}]"].map(
  (signs) => new Set([...signs].map((sign) => sign.charCodeAt(0))),
) as [Set<number>, Set<number>];

type Range = readonly [from: number, to: number];

/** Keys and their values: `size=12`, `"size": "12 kB"`. */
function readPairs(
  { codes, kinds }: Units,
  from: number,
  to: number,
  take: (key: Range, value: Range) => void,
): void {
  const isKey = (at: number): boolean => {
    const kind = kinds[at] ?? space;
    return kind === sign ? inKeys.has(codes[at] ?? 0) : kind !== space;
  };
  let free = from;
  for (let at = from; at < to; at++) {
    if (codes[at] !== equals && codes[at] !== colon) continue;
    let end = at;
    if (end > free && kinds[end - 1] === space) end--;
    if (end > free && (codes[end - 1] === quote || codes[end - 1] === apostrophe)) end--;
    let begin = end;
    while (begin > free && isKey(begin - 1)) begin--;
    const first = kinds[begin];
    if (begin === end || first === digit || first === sign) continue;
    const start = kinds[at + 1] === space && at + 1 < to ? at + 2 : at + 1;
    const stop = endOfValue({ codes, kinds }, start, to);
    if (stop === start) continue;
    take([begin, end], [start, stop]);
    free = stop;
    at = stop - 1;
  }
}

function endOfValue({ codes, kinds }: Units, from: number, to: number): number {
  if (codes[from] === quote)
    for (let at = from + 1; at < to; at++) if (codes[at] === quote) return at + 1;
  let at = from;
  while (at < to && kinds[at] !== space && !endings.has(codes[at] ?? 0)) at++;
  return at;
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

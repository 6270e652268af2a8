// What lines, or items of a list, are made of, so that they can be compared with the others of their output. No language and no tool is known here.
import { isTrouble } from "../text/trouble.ts";
import { columnsOfLines } from "./cells.ts";
import { signCount, signNumberOf } from "./classes.ts";
import { type Codes, codesOf, numberStretches } from "./codes.ts";
import { addTo, type Column, createColumns } from "./columns.ts";
import { numberIn, numberOf } from "./numbers.ts";
import { shapeIn } from "./shape.ts";
import type { Things } from "./things.ts";
import { readWords } from "./words.ts";

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

/** The features of lines. */
export interface LineFeatures extends Features {
  /** The shape of each, as `shapeOf` tells it. */
  forms: readonly number[];
}

/** What the lines are made of. */
export function featuresOfLines(lines: readonly string[]): LineFeatures {
  const all = codesOf(lines, longest);
  const { codes, starts } = all;
  const cells = numberStretches(codes);
  const columns = columnsOfLines(lines, all, cells);
  const forms = lines.map((_, at) => shapeIn(all, starts[at] ?? 0, starts[at + 1] ?? 0));
  return {
    count: lines.length,
    ...wordsOf(all),
    forms,
    shapes: oneOfEach(forms),
    troubled: lines.flatMap((line, at) => (isTrouble(line.slice(0, longest)) ? [at] : [])),
    columns,
    values: cells.size(),
    numberOf: (value) => numberIn(codes, ...cells.stretch(value)),
  };
}

/** The words and signs of lines. */
function wordsOf(all: Codes): Pick<Features, "words" | "signs"> {
  const { codes, starts } = all;
  const small = new Uint16Array(codes.length);
  const numbering = numberStretches(small);
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
function oneOfEach(things: readonly (number | string)[]): Things {
  const numbers = new Map<number | string, number>();
  const all = things.map((thing) => {
    const number = numbers.get(thing) ?? numbers.size;
    numbers.set(thing, number);
    return number;
  });
  return {
    all,
    starts: Uint32Array.from({ length: all.length + 1 }, (_, at) => at),
    kinds: numbers.size,
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
        typeof value === "string" ? value.slice(0, longest) : JSON.stringify(value),
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
  const [names, values] = [new Map<string, number>(), new Map<string, number>()];
  const numbered = (numbers: Map<string, number>, text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const columns = createColumns();
  for (const [row, fields] of items.entries())
    for (const [path, text] of fields)
      addTo(columns.of(numbered(names, path), path.endsWith(":")), row, numbered(values, text));
  const known = [...values.keys()];
  return {
    count: items.length,
    words: wordsOf(codesOf(texts, longest)).words,
    signs: { all: [], starts: new Uint32Array(items.length + 1), kinds: 0 },
    shapes: oneOfEach(items.map((fields) => fields.map(([path]) => path).join(" "))),
    troubled: texts.flatMap((text, at) => (isTrouble(text) ? [at] : [])),
    columns: columns.all(),
    values: values.size,
    numberOf: (value) => numberOf(known[value] ?? ""),
  };
}

// Says what kind of lines are missing, by how they look: most of them are of one shape, or each is of its own.
import { cut } from "../../../src/text/index.ts";
import { linesMark, type Row } from "../text/rows.ts";
import { shapeOf } from "./shape.ts";

/** Fewer missing lines, or characters, need no words. */
const [leastLines, leastCharacters] = [5, 300];
/** Longest example, and most gaps described. */
const [example, mostDescribed] = [70, 6];
/** Share of the lines that must look alike to be called so. */
const alike = 0.5;

/** How lines look: `like: ok 13 - the cart`, `12 of them like: …`, `of 9 forms, as: …`. */
interface Looks {
  /** The form that most of them have. */
  shape: number;
  /** Most lines have it. */
  isAlike: boolean;
  /** `12 of them `, where it is not nearly all. */
  count: string;
  first: Row;
  forms: number;
}

const formOfText = ({ text }: Row): number => shapeOf(text);

/** What most of the rows look like; undefined for empty ones. */
export function looksOf(rows: readonly Row[], formOf = formOfText): Looks | undefined {
  const shapes = new Map<number, Row[]>();
  const filled = rows.filter(({ text }) => text.trim() !== "");
  for (const row of filled) {
    const shape = formOf(row);
    const same = shapes.get(shape);
    if (same) same.push(row);
    else shapes.set(shape, [row]);
  }
  let most: [number, Row[]] | undefined;
  for (const one of shapes) if (!most || one[1].length > most[1].length) most = one;
  const first = most?.[1][0];
  if (!most || !first) return undefined;
  const same = most[1].length;
  const count = same >= filled.length * 0.9 ? "" : `${same} of them `;
  const isAlike = same >= filled.length * alike;
  return { shape: most[0], isAlike, count, first, forms: shapes.size };
}

/** The same in words. */
export function lookWords({ isAlike, count, first, forms }: Looks): string {
  const text = first.text.trim().replaceAll(/\s{2,}/g, " ");
  const shown = text.length <= example ? text : `${cut(text, example, "")}…`;
  return isAlike ? `${count}like: ${shown}` : `of ${forms} forms, as: ${shown}`;
}

/** Writes the marks of an output's gaps; what was said of one need not be said of the next. */
export function createMarks(formOf: (row: Row) => number): (gap: readonly Row[]) => string {
  const said = new Map<number, number>();
  return (gap) => {
    const mark = linesMark(gap[0]?.line, gap.at(-1)?.line);
    const size = gap.reduce((sum, { text }) => sum + text.length, 0);
    const looks =
      gap.length < leastLines || size < leastCharacters ? undefined : looksOf(gap, formOf);
    if (!looks) return mark;
    const before = said.get(looks.shape);
    if (looks.isAlike && before !== undefined) return `${mark}, ${looks.count}like line ${before}`;
    if (said.size >= mostDescribed) return mark;
    said.set(looks.shape, looks.first.line);
    return `${mark}, ${lookWords(looks)}`;
  };
}

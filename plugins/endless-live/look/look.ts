// The second look at an output: whatever a reducer left out, what departs from the rest of its output comes back in place.

import { cut } from "../../../src/text/index.ts";
import {
  depthOf,
  gapOf,
  leftOfLines,
  linesMark,
  type Origin,
  type Row,
  render,
  rowsOf,
  type Shortened,
  shapeOfRow,
  tellsTrouble,
} from "../text/rows.ts";
import type { Asked } from "./asked.ts";
import { featuresOfLines } from "./features.ts";
import { createNames } from "./names.ts";
import { cutTelling, departures, type Telling, takeTelling, tellingOf } from "./score.ts";

/** Rarer than one in sixteen. */
const leastBits = 4;
/** What comes back, in characters: a part of the output, within bounds. */
const [leastRoom, mostRoom, shareOfOutput] = [600, 1_500, 0.1];
/** The same of what was asked for, and from how many bits on a line was. */
const [leastAsked, mostAsked, shareAsked, leastAskedBits] = [2_000, 6_000, 0.25, 3];
/** Of what one block in so many has, only so many characters come back: it picks little out. */
const [usual, mostUsual] = [4, 1_500];
/** In a short output hardly anything is rare: that part of what one line alone has is enough. */
const shareOfRarest = 0.33;
/** And of what the best line has; more bits than these need not be there. */
const [shareOfBest, mostRequired] = [0.2, 4.5];
/** How much the size of a block counts against it, which is little among short ones. */
const [shortBlock, forSize] = [100, 0.7];
/** Longest line that comes back whole because it was asked for. */
const askedCharacters = 1_200;
/** So many of the best lines, where they stay cut, show what of them was asked for. */
const mostCut = 3;
/** Longest line that comes back whole. */
const lineCharacters = 300;
/** Lines of one reason weigh less the more of them there are. */
const repeated = 0.75;
/** Between lines that came back fewer characters come with them: their mark would say no more. */
const leastGap = 70;
/** Larger outputs are judged by their first and last lines. */
const mostRows = 20_000;

/** Of prose, where each line is its own, only so many depart from the rest. */
const mostOfProse = 4;

interface TellingRow extends Pick<Telling, "bits" | "why"> {
  row: Row;
}

/** Where a row stands: their numbers go on without a gap. */
const placeOf = ({ line }: Row, rows: readonly Row[]): number => line - (rows[0]?.line ?? 0);

/** The rows that depart from the rest, the most telling first. */
function judge(rows: readonly Row[]): TellingRow[] {
  const filled = rows.filter(({ text }) => text.trim() !== "");
  const judged =
    filled.length <= mostRows
      ? filled
      : [...filled.slice(0, mostRows / 2), ...filled.slice(-mostRows / 2)];
  const features = featuresOfLines(
    judged.map(({ text }) => text),
    { shapes: judged.map(shapeOfRow), troubled: judged.map(tellsTrouble) },
  );
  return tellingOf(departures(features), leastBits).flatMap(({ at, bits, why }) => {
    const row = judged[at];
    return row ? [{ row, bits, why }] : [];
  });
}

/** The places of missing lines that come back into a list of lines. */
export function tellingPlaces(
  lines: readonly string[],
  isMissing: (at: number) => boolean,
  asked?: Asked,
): Set<number> {
  const rows = lines.map((text, line) => ({ line, text }));
  return choose(rows, judge(rows), ({ line }) => isMissing(line), askedFor(rows, asked));
}

/** The numbers of the missing lines that come back, within a budget; details below a line come with it. */
function choose(
  rows: readonly Row[],
  telling: readonly TellingRow[],
  isMissing: (row: Row) => boolean,
  wanted: readonly Wanted[],
): Set<number> {
  const size = rows.reduce((sum, { text }) => sum + text.length + 1, 0);
  const chosen = new Set<number>();
  let room = Math.min(mostRoom, Math.max(leastRoom, size * shareOfOutput));
  const take = (row: Row | undefined): void => {
    if (!row || chosen.has(row.line) || !isMissing(row)) return;
    chosen.add(row.line);
    room -= Math.min(row.text.length, lineCharacters) + 1;
  };
  const takeWhole = (row: Row, isFirst: boolean): void => {
    take(row);
    const at = placeOf(row, rows);
    const depth = depthOf(row);
    if (depth > 0 && isFirst) {
      const head = headOf(rows, at);
      if (head && /\p{L}{3}/u.test(head.text)) take(head);
      else if (at > 0) take(rows[at - 1]);
    }
    for (const below of rows.slice(at + 1, at + 3))
      if (below.text.trim() !== "" && depthOf(below) > depth) take(below);
      else break;
  };
  const open = telling.filter(({ row }) => isMissing(row));
  takeTelling(open, { least: leastBits, repeated }, ({ row }, before) => {
    if (room <= 0) return false;
    takeWhole(row, before === 0);
    return true;
  });
  // What was asked for has room of its own.
  room = Math.min(mostAsked, Math.max(leastAsked, size * shareAsked));
  let ofUsual = mostUsual;
  for (const { rows: block, isUsual } of wanted) {
    if (room <= 0) break;
    if (isUsual && ofUsual <= 0) continue;
    const before = room;
    for (const row of block) take(row);
    if (isUsual) ofUsual -= before - room;
  }
  return chosen;
}

/** A block of rows that was asked for; as much of it as many others have. */
interface Wanted {
  rows: readonly Row[];
  isUsual: boolean;
}

/** The blocks of rows that were asked for, what has most of it first: paragraphs where empty lines part them, else lines with what stands below. */
function askedFor(rows: readonly Row[], asked: Asked | undefined): Wanted[] {
  if (!asked) return [];
  const blocks = blocksOf(rows);
  const bits = asked.bitsOf(
    rows.map(({ text }) => text),
    blocks.map((block) => block.map((row) => placeOf(row, rows))),
  );
  const rare = Math.min(leastAskedBits, Math.log2(blocks.length) * shareOfRarest);
  const best = bits.reduce((one, other) => Math.max(one, other), 0);
  // Far less than the best has is there by chance, unless the best is by chance.
  const least = Math.max(rare, Math.min(best * shareOfBest, mostRequired));
  const most =
    Float64Array.from(bits).sort()[bits.length - 1 - Math.floor(bits.length / usual)] ?? 0;
  // Of two that have as much the shorter one says it more clearly.
  const worth = blocks.map((block, at) => {
    const size = block.reduce((sum, { text }) => sum + text.length + 1, 0);
    return (bits[at] ?? 0) / (shortBlock + size) ** forSize;
  });
  return [...blocks.keys()]
    .filter((at) => (bits[at] ?? 0) >= least)
    .sort((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0))
    .map((at) => ({ rows: blocks[at] ?? [], isUsual: (bits[at] ?? 0) <= most }));
}

/** The texts of rows. */
function textsOf(blocks: readonly Wanted[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { rows } of blocks) for (const { text } of rows) texts.add(text);
  return texts;
}

/** Longest block that stays together, and how many there must be. */
const [mostBlockLines, leastBlocks] = [14, 6];

function blocksOf(rows: readonly Row[]): Row[][] {
  const paragraphs: Row[][] = [];
  let open: Row[] = [];
  for (const row of [...rows, undefined]) {
    if (row && row.text.trim() !== "") open.push(row);
    else if (open.length > 0) {
      paragraphs.push(open);
      open = [];
    }
  }
  const isParted =
    paragraphs.length >= leastBlocks && paragraphs.length * mostBlockLines > rows.length;
  return paragraphs.flatMap((block) =>
    isParted && block.length <= mostBlockLines ? [block] : linesOf(block),
  );
}

/** Each line with the head that it stands under, and the details below it; a name alone with its value. */
function linesOf(rows: readonly Row[]): Row[][] {
  return rows.map((row, at) => {
    const depth = depthOf(row);
    const value = rows[at + 1];
    if (value && /^[\w.:-]+$/.test(row.text) && shapeOfRow(value) !== shapeOfRow(row))
      return [row, value];
    const head = depth > 0 ? headOf(rows, at) : undefined;
    const block = head ? firstBelow(head, rows, at) : [];
    block.push(row);
    for (let below = at + 1; below < rows.length && below < at + 3; below++) {
      const next = rows[below];
      if (!next || depthOf(next) <= depth) break;
      block.push(next);
    }
    return block;
  });
}

/** First lines of an item that is known by them. */
const mostFirst = 3;

/** The head; below one that is only a bracket the first lines say what the item is. */
function firstBelow(head: Row, rows: readonly Row[], to: number): Row[] {
  const from = placeOf(head, rows);
  return /[\p{L}\d]/u.test(head.text)
    ? [head]
    : rows.slice(from, Math.min(to, from + 1 + mostFirst));
}

/** Fewer lines above are looked at for what a line stands under. */
const mostAbove = 12;

function headOf(rows: readonly Row[], at: number): Row | undefined {
  const depth = rows[at] ? depthOf(rows[at]) : 0;
  for (let above = at - 1; above >= Math.max(0, at - mostAbove); above--) {
    const row = rows[above];
    if (row && depthOf(row) < depth && row.text.trim() !== "") return row;
  }
  return undefined;
}

/** The shortened text with what departs from the rest put back; `text` is the whole. */
export function lookAgain(
  text: string,
  shortened: Shortened,
  { firstLine = 1, ...origin }: Pick<Origin, "firstLine" | "asked"> = {},
): Shortened {
  if (shortened.isWhole) return shortened;
  const asked = shortened.of === "prose" ? undefined : origin.asked;
  const rows = shortened.rows ?? rowsOf(text, firstLine);
  const lines = shortened.text.split("\n");
  const gaps = lines.flatMap((line) => gapOf(line) ?? []);
  if (gaps.length === 0) return { ...shortened, text: appended(rows, shortened.text, asked) };
  const missing = new Uint8Array(rows.length);
  for (const { from, to } of gaps)
    missing.fill(1, Math.max(0, from - firstLine), Math.max(0, to - firstLine + 1));
  const wanted = askedFor(rows, asked);
  const telling = shortened.of === "diff" ? [] : judge(rows);
  if (shortened.of === "prose") telling.splice(mostOfProse);
  const chosen = choose(rows, telling, (row) => missing[placeOf(row, rows)] === 1, wanted);
  const isAsked = textsOf(wanted);
  const isLeft = (row: Row) => missing[placeOf(row, rows)] === 1 && !chosen.has(row.line);
  const mark = shortened.of ? namedMarks(rows.filter((row) => !isLeft(row))) : createMarks();
  let left = 0;
  const long = wanted
    .flatMap(({ rows }) => rows)
    .filter(({ text }) => text.length > askedCharacters);
  const whole = new Map(
    long.slice(0, mostCut).map(({ text }) => [text.slice(0, lineCharacters), text]),
  );
  const written = lines.map((line) => {
    const gap = gapOf(line);
    if (!gap) {
      const cutShort = whole.get(line.slice(0, lineCharacters));
      return cutShort ? cutTelling(cutShort, lineCharacters, asked) : line;
    }
    const own = rows.slice(gap.from - firstLine, gap.to - firstLine + 1);
    const isKept = ({ line: number }: Row) => chosen.has(number);
    const cutLine = (long: string) =>
      isAsked.has(long)
        ? cutTelling(long, askedCharacters, asked)
        : cutTelling(long, lineCharacters);
    const filled = render(own, isKept, cutLine, mark, leastGap);
    left += filled.missing.length;
    return filled.text;
  });
  const again = written.join("\n");
  const leftOut = shortened.leftOut.replace(/^\d+ of (\d+) lines?\b/, (_, of) =>
    leftOfLines(left, Number(of), text.length - again.length, text.length),
  );
  return { ...shortened, text: again, leftOut };
}

const part = /[\p{L}\p{M}\d_-]+/gu;

/** Where lines were put in another order there is no place to come back to: they follow, each with its number. */
function appended(rows: readonly Row[], short: string, asked: Asked | undefined): string {
  const parts = rows.map(({ text }) => text.match(part) ?? []);
  const counts = countRows(parts);
  const shownLines = new Set(short.split("\n").map((line) => line.trim()));
  const shown = new Set(short.match(part));
  // A line is there when whatever only it says is there.
  const wanted = askedFor(rows, asked);
  const isAsked = textsOf(wanted);
  const isMissing = (row: Row): boolean => {
    if (shownLines.has(row.text.trim())) return false;
    // A row that was asked for stays a row.
    if (isAsked.has(row.text)) return true;
    const all = parts[placeOf(row, rows)] ?? [];
    const own = all.filter((one) => (counts.get(one) ?? 0) <= 2);
    return (own.length > 0 ? own : all).some((one) => !shown.has(one));
  };
  const chosen = choose(rows, judge(rows), isMissing, wanted);
  if (chosen.size === 0) return short;
  const back = rows.filter(({ line }) => chosen.has(line));
  const hasAsked = back.some(({ text }) => isAsked.has(text));
  return [
    short,
    hasAsked ? "… asked for, or unlike the rest:" : "… unlike the rest:",
    ...back.map(
      ({ line, text }) =>
        `${line}: ${isAsked.has(text) ? cutTelling(text, askedCharacters, asked) : cutTelling(text, lineCharacters)}`,
    ),
  ].join("\n");
}

/** In how many rows each part stands. */
function countRows(parts: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [at, own] of parts.entries())
    for (const one of own) {
      if (last.get(one) === at) continue;
      last.set(one, at);
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  return counts;
}

// Says what kind of lines are missing, by how they look: most of them are of one shape, or each is of its own.

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

/** What most of the rows look like; undefined for empty ones. */
export function looksOf(rows: readonly Row[]): Looks | undefined {
  const shapes = new Map<number, Row[]>();
  const filled = rows.filter(({ text }) => text.trim() !== "");
  for (const row of filled) {
    const shape = shapeOfRow(row);
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

/** Writes the marks of a text's gaps: with the names that stand nowhere in what is shown. */
function namedMarks(shown: readonly Row[]): (gap: readonly Row[]) => string {
  const namesOf = createNames(shown.map(({ text }) => text));
  return (gap) => {
    const names = namesOf(gap.map(({ text }) => text));
    return `${linesMark(gap[0]?.line, gap.at(-1)?.line)}${names && `: ${names}`}`;
  };
}

/** Writes the marks of an output's gaps; what was said of one need not be said of the next. */
function createMarks(): (gap: readonly Row[]) => string {
  const said = new Map<number, number>();
  return (gap) => {
    const mark = linesMark(gap[0]?.line, gap.at(-1)?.line);
    const size = gap.reduce((sum, { text }) => sum + text.length, 0);
    const looks = gap.length < leastLines || size < leastCharacters ? undefined : looksOf(gap);
    if (!looks) return mark;
    const before = said.get(looks.shape);
    if (looks.isAlike && before !== undefined) return `${mark}, ${looks.count}like line ${before}`;
    if (said.size >= mostDescribed) return mark;
    said.set(looks.shape, looks.first.line);
    return `${mark}, ${lookWords(looks)}`;
  };
}

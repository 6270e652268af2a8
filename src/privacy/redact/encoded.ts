// Looks for secrets inside of what is written in another way: escapes, addresses, HTML, base 64, dumps, literals that a program joins,
// wrapped lines, and lines that all begin alike.
import { Buffer } from "node:buffer";
import {
  backslashes,
  disguises,
  htmlEntities,
  lineLeads,
  type Piece,
  percents,
  viewOf,
  viewOfPieces,
} from "../marker.ts";
import {
  classOf,
  type Found,
  matchAt,
  mostReadings,
  pieceLength,
  readSoFar,
  unchecked,
  visitRuns,
} from "./runs.ts";
import { isPlaceholder, isUnguessable, isUuid } from "./values.ts";

type Find = (text: string) => Found[];

/** JSON in JSON in JSON, a link in a link: no deeper. */
const deepest = 3;
const kinds = [backslashes, percents, htmlEntities, disguises, lineLeads];
const unescaped = [lineLeads];
/** What is written in any of these ways but the last has one of these, as few texts do. */
const escaped = /[\\%&\u0080-\uffff]/;

/**
 * What `find` finds in the text read without its escapes and in its base 64, as places in the text itself. Once so much was
 * read that a text is hardly one for people, the rest of its readings is given up, and the text with it.
 */
export function findEncoded(
  text: string,
  find: Find,
  depth = 0,
  most = readSoFar() + 2 * mostReadings * Math.max(text.length, pieceLength),
): Found[] {
  // No escape stands in base 64, so that a view has none that the text has not.
  const found = depth === 0 ? findInBase64(text, find) : [];
  if (text.includes("00000") && dumpBegins.test(text)) found.push(...findInDumps(text, find));
  if (depth >= deepest) return found;
  for (const kind of escaped.test(text) ? kinds : unescaped) {
    const view = viewOf(text, kind);
    if (!view) continue;
    if (readSoFar() > most) return [...found, unchecked(0, text.length)];
    // What is written in another way was read with what stands before its line.
    const deeper = kind === lineLeads ? [] : findEncoded(view.text, find, depth + 1, most);
    for (const one of find(view.text).concat(deeper))
      found.push({ ...one, start: view.source(one.start), end: view.source(one.end) });
  }
  return found;
}

/** Shorter runs of base 64 hold no secret. */
const shortest = 20;
const longest = 65_536;
/** As many characters tell whether a run is a text at all. */
const sample = 20;

const members = classOf(/[A-Za-z0-9+/_-]/);

/** Runs of base 64 that hold a secret go whole, with what fills their end. */
function findInBase64(text: string, find: Find): Found[] {
  const found: Found[] = [];
  visitRuns(text, members, shortest, (runStart, runEnd) => {
    const start = runStart + signsBefore(text, runStart);
    if (!isText(text, start)) return;
    const end = runEnd + (/^={1,2}/.exec(text.slice(runEnd, runEnd + 2))?.[0].length ?? 0);
    const bytes = Buffer.from(text.slice(start, Math.min(end, start + longest)), "base64");
    const isWide = bytes[1] === 0;
    const inside = bytes.toString(isWide ? "utf16le" : "latin1");
    const [first] = find(inside).concat(
      findEncoded(inside, find, deepest - 1),
      isWide ? literalsOf(inside) : [],
    );
    if (first) found.push({ start, end, kind: first.kind, rule: first.rule });
  });
  return found;
}

/** How many characters of a run are none of the base 64: the letter of an escape (`\n`), the sign of an added line. */
function signsBefore(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  if (at > 0 && before !== 10 && before !== 92) return 0;
  if (before === 92) return /[nrt]/.test(text.charAt(at)) ? 1 : 0;
  return text.charCodeAt(at) === 43 ? 1 : 0;
}

/** What a script for PowerShell that was handed over in base 64 keeps in quotes, under whatever name. */
const literalsOf = (script: string): Found[] =>
  [...script.matchAll(/(["'])([^"'\s]{8,200})\1/g)]
    .filter(([, , value = ""]) => isUnguessable(value, true))
    .map(({ index, 0: all }) => ({
      ...{ start: index, end: index + all.length, kind: "secret" },
      rule: "named-value",
    }));

/** What the first byte of a text may become in base 64. */
const textBegins = classOf(/[CDI-Za-f]/);

/** True for a run whose first bytes are printed characters and white space only. */
function isText(text: string, start: number): boolean {
  // Half of all names, paths and ids go without a look inside.
  if (textBegins[text.charCodeAt(start)] !== 1) return false;
  const bytes = Buffer.from(text.slice(start, start + sample), "base64");
  // Text of two bytes a character, as PowerShell has it.
  const isWide = bytes[1] === 0;
  return bytes.every((byte, at) =>
    isWide && at % 2 === 1
      ? byte === 0
      : (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13,
  );
}

/** A line of xxd, hexdump or od: how far it is into the file, the bytes in pairs or words, and what they show. */
const dumpLine =
  /(?:^|["\n\uf8ff])[+ ]{0,8}(?:\d{1,6}[→\t|:])?[+ ]?(0[0-9a-f]{5,7})(:?)[ \t]{1,3}((?:(?:[0-9a-f]{2}|[0-9a-f]{4}) {1,2}){0,15}(?:[0-9a-f]{2}|[0-9a-f]{4}))(?=\s|$)[^\n\uf8ff]{0,60}/g;

/** The first lines of one. */
const dumpBegins = /(?<![\w.])00000[0-9a-f]{1,3}:?[ \t]{1,3}[0-9a-f]{2}/;

interface DumpRow {
  /** Where its first byte stands in what was dumped. */
  from: number;
  start: number;
  end: number;
}

/** Of a dump whose bytes hold a secret the lines go that show it. */
function findInDumps(text: string, find: Find): Found[] {
  const rows: DumpRow[] = [];
  let dumped = "";
  for (const hit of text.matchAll(dumpLine)) {
    const [all, , colon = "", words = ""] = hit;
    const end = hit.index + all.length;
    rows.push({ from: dumped.length, start: hit.index + all.indexOf(words), end });
    dumped += bytesOf(words, colon === "");
  }
  return find(dumped).flatMap(({ start, end, kind, rule }) =>
    rows
      .filter((row, at) => row.from < end && (rows[at + 1]?.from ?? dumped.length) > start)
      .map((row) => ({ start: row.start, end: row.end, kind, rule })),
  );
}

/** The bytes of a line; without a colon before them, words of two have the lower one first. */
const bytesOf = (words: string, lowFirst: boolean): string =>
  words
    .split(/ +/)
    .slice(0, 16)
    .map((word) => {
      const bytes = Buffer.from(word, "hex").toString("latin1");
      return lowFirst ? [...bytes].reverse().join("") : bytes;
    })
    .join("")
    .slice(0, 16);

/** What stands between two lines: the seam of a list, a number of a listing, the sign of a patch. */
const gap = String.raw`(?:\s|\uf8ff\+?|(?<=\n)\+|\d{1,6}→){0,24}`;
/** The end of a literal, a sign that joins, and the beginning of the next one. */
const joint = new RegExp(String.raw`["']${gap}(?:\+|\.{1,2}|&|\\)${gap}[bruf]?["']`, "g");
/** A list of literals that is joined by nothing. */
const list = /["']{2}\.join\(\[([^\]\n]{4,600})\]|\[([^[\]\n]{4,600})\]\.join\((?:["']{2})\)/g;
const literal = /["']([^"'\n]{1,400})["']/g;
/** So much before the first literal may say what it is. */
const before = 120;

/** What ends a literal that a further one follows. */
const mayFollow =
  /["'][ \t]{0,4}(?:[\r\n\uf8ff][\s\uf8ff+→\d]{0,24})?(?:[+&\\]|\.{1,2})[\s\uf8ff+→\d]{0,24}[bruf]?["']|["'\]]\.join\(/;

/** True for a text in which literals may be joined: a quick look. */
export const mayJoin = (text: string): boolean => text.length >= 16 && mayFollow.test(text);

/** What `find` finds in literals when they are read as the one that they are joined to. */
export function findJoined(text: string, find: Find): Found[] {
  const found: Found[] = [];
  const read = (pieces: readonly Piece[]): void => {
    const view = viewOfPieces(pieces);
    for (const one of find(view.text)) {
      const [start, end] = [view.source(one.start), view.source(one.end - 1) + 1];
      // Within one piece it was found there.
      if (end - start !== one.end - one.start) found.push({ ...one, start, end });
    }
  };
  for (const pieces of chainsOf(text)) read(pieces);
  if (text.includes(".join("))
    for (const hit of text.matchAll(list)) {
      const inside = hit[1] ?? hit[2] ?? "";
      const from = hit.index + hit[0].indexOf(inside);
      const first = lineStart(text, hit.index);
      read([
        { from: first, text: text.slice(first, hit.index) },
        { from: from, text: inside.charAt(0) },
        ...[...inside.matchAll(literal)].map(({ index, 1: value = "" }) => ({
          from: from + index + 1,
          text: value,
        })),
        { from: from + inside.length - 1, text: inside.slice(-1) },
      ]);
    }
  return found;
}

const lineStart = (text: string, at: number): number => {
  const near = text.slice(Math.max(0, at - before), at);
  return at - (near.length - near.lastIndexOf("\n") - 1);
};

/** Literals that are joined one to the next, with what stands in the line before the first. */
function chainsOf(text: string): Piece[][] {
  const chains: Piece[][] = [];
  let end = -1;
  for (const { index, 0: sign } of text.matchAll(joint)) {
    const close = text.charAt(index);
    const next = index + sign.length;
    // The quote that opens the last one closes it.
    const length = text.slice(next, next + 400).search(new RegExp(`${text.charAt(next - 1)}|\\n`));
    if (length < 1 || text.charAt(next - 1) !== close) continue;
    const piece = { from: next, text: text.slice(next, next + length) };
    const last = chains.at(-1);
    if (last && end === index) last.splice(-1, 1, piece, { from: next + length, text: close });
    else {
      const first = lineStart(text, index);
      if (!text.slice(first, index).includes(close)) continue;
      chains.push([
        { from: first, text: text.slice(first, index) },
        piece,
        { from: next + length, text: close },
      ]);
    }
    end = next + length;
  }
  return chains;
}

/** The rest of a line behind a secret, and all of one that holds nothing but a piece of one. */
const lineEnd = /[ \t]{0,40}[│|]?[ \t]*(?:\r?\n|\\n)/y;
const pieceLine =
  /(?:\uf8ff\+?|[ ]{0,8}\d{1,6}[→\t]|\+)?[ \t│|>]{0,24}([\w+/=.-]{6,})(?=[ \t]{0,40}[│|"']{0,2}[ \t]*(?:\r?\n|\\n|["']|$))/y;
const mostLines = 60;

/** True for what no word, name, hash or id is, and may so be the next piece of a token. */
function isPiece(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const runs = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g)?.length ?? 0;
  return runs >= 4 && value.length / runs < 4 && !isUuid(value) && !isPlaceholder(value);
}

/** The lines on which secrets go on that end with their line, up to one on which another begins. */
export function findWrapped(text: string, found: readonly Found[]): Found[] {
  const wrapped: Found[] = [];
  const ordered = found.toSorted((a, b) => a.start - b.start);
  let next = 0;
  let readTo = 0;
  for (const { start, end, kind, rule } of ordered) {
    if (end - start < 10 || end <= readTo || rule === "unchecked") continue;
    if (!isPiece(text.slice(Math.max(start, end - 60), end))) continue;
    while ((ordered[next]?.start ?? text.length) < end) next++;
    const other = ordered[next]?.start ?? text.length;
    let last = end;
    for (let line = 0; line < mostLines; line++) {
      const over = matchAt(lineEnd, text, last);
      const piece = over && matchAt(pieceLine, text, last + over[0].length);
      if (!over || !piece || !isPiece(piece[1] ?? "")) break;
      const lineTo = last + over[0].length + piece[0].length;
      if (lineTo > other) break;
      last = lineTo;
    }
    readTo = last;
    if (last > end) wrapped.push({ start, end: last, kind, rule });
  }
  return wrapped;
}

// Reads the lines below a name without what they all begin with, whatever it is: a log's, a comment's, a patch's. What grep
// and quotations put before a line that stands alone `lineLeads` knows by its form.

/** No longer line is read. */
export const longestLine = 400;
/** More rows of a table are not read. */
const mostAlike = 40;
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
  for (let at = second.end + 1; at < text.length && lines.length < mostAlike; ) {
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
    readTo = lines[lines.length < mostAlike ? lines.length - 1 : mostAlike >> 1]?.end ?? place;
    const view = viewOfPieces(
      lines.map(({ start, end }) => ({ from: start, text: `${text.slice(start, end)}\n` })),
    );
    for (const one of find(view.text))
      found.push({ ...one, start: view.source(one.start), end: view.source(one.end - 1) + 1 });
  }
  return found;
}

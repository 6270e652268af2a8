// Secrets in several pieces: literals that a program joins, and a token that was wrapped over lines.
import { matchAt } from "./effort.ts";
import type { Found } from "./rule.ts";
import { isPlaceholder, isUuid } from "./values.ts";

type Find = (text: string) => Found[];

/** What stands between two lines: the seam of a list, a number of a listing, the sign of a patch. */
const gap = String.raw`(?:\s|\uf8ff\+?|(?<=\n)\+|\d{1,6}→){0,24}`;
/** The end of a literal, a sign that joins, and the beginning of the next one. */
const joint = new RegExp(String.raw`["']${gap}(?:\+|\.{1,2}|&|\\)${gap}[bruf]?["']`, "g");
/** A list of literals that is joined by nothing. */
const list = /["']{2}\.join\(\[([^\]\n]{4,600})\]|\[([^[\]\n]{4,600})\]\.join\((?:["']{2})\)/g;
const literal = /["']([^"'\n]{1,400})["']/g;
/** So much before the first literal may say what it is. */
const before = 120;

interface Piece {
  from: number;
  text: string;
}

/** What ends a literal that a further one follows. */
const mayFollow =
  /["'][ \t]{0,4}(?:[\r\n\uf8ff][\s\uf8ff+→\d]{0,24})?(?:[+&\\]|\.{1,2})[\s\uf8ff+→\d]{0,24}[bruf]?["']|["'\]]\.join\(/;

/** True for a text in which literals may be joined: a quick look. */
export const mayJoin = (text: string): boolean => text.length >= 16 && mayFollow.test(text);

/** What `find` finds in literals when they are read as the one that they are joined to. */
export function findJoined(text: string, find: Find): Found[] {
  const found: Found[] = [];
  const read = (pieces: readonly Piece[]): void => {
    const starts: number[] = [];
    let joined = "";
    for (const piece of pieces) {
      starts.push(joined.length);
      joined += piece.text;
    }
    const source = (at: number): number => {
      const number = starts.findLastIndex((start) => start <= at);
      return (pieces[number]?.from ?? 0) + at - (starts[number] ?? 0);
    };
    for (const one of find(joined)) {
      const [start, end] = [source(one.start), source(one.end - 1) + 1];
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

/** The lines on which secrets go on that end with their line. */
export function findWrapped(text: string, found: readonly Found[]): Found[] {
  return found.flatMap(({ start, end, kind, rule }) => {
    if (
      end - start < 10 ||
      rule === "unchecked" ||
      !isPiece(text.slice(end - 60 > start ? end - 60 : start, end))
    )
      return [];
    let last = end;
    for (let line = 0; line < mostLines; line++) {
      const over = matchAt(lineEnd, text, last);
      const piece = over && matchAt(pieceLine, text, last + over[0].length);
      if (!over || !piece || !isPiece(piece[1] ?? "")) break;
      last += over[0].length + piece[0].length;
    }
    return last > end ? [{ start, end: last, kind, rule }] : [];
  });
}

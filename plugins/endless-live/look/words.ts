// The words and the signs of a line, in any script.
import { capital, digit, lowerOf, sign, space, unspaced } from "./classes.ts";
import type { Units } from "./codes.ts";

/** Takes what a line is made of, in its order. */
export interface WordReader {
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
      if (isUnspaced) readPairs(kinds, from, at, reader);
      else if (!hasDigit && at - from > 1) reader.word(from, at);
    }
  }
}

/** Pairs of letters that follow each other. */
function readPairs(kinds: Uint8Array, from: number, to: number, reader: WordReader): void {
  for (let at = from; at + 1 < to; at++)
    if (kinds[at] === unspaced && kinds[at + 1] === unspaced) reader.word(at, at + 2);
}

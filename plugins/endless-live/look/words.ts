// The words and the signs of a line, in any script.
import { capital, classOf, digit, lowerOf, sign, space, unspaced } from "./classes.ts";

/** Takes what a line is made of, in its order. */
export interface WordReader {
  /** A stretch of the small letters; of scripts without spaces a pair of letters. */
  word(from: number, to: number): void;
  /** What is no letter and no digit. */
  sign(code: number): void;
}

/** Reads a line of `codes`; `small` is given the same with small letters, as far as there are words. */
export function readWords(
  codes: Uint16Array,
  small: Uint16Array,
  [begin, end]: readonly [from: number, to: number],
  reader: WordReader,
): void {
  let at = begin;
  while (at < end) {
    const code = codes[at] ?? 0;
    const kind = classOf(code);
    if (kind === space) at++;
    else if (kind === sign) {
      reader.sign(code);
      at++;
    } else {
      const from = at;
      let hasDigit = false;
      let isUnspaced = false;
      for (; at < end; at++) {
        const one = codes[at] ?? 0;
        const next = classOf(one);
        if (next === space || next === sign) break;
        if (next === digit) hasDigit = true;
        else if (next === unspaced) isUnspaced = true;
        small[at] = next === capital ? lowerOf(one) : one;
      }
      if (isUnspaced) readPairs(codes, from, at, reader);
      else if (!hasDigit && at - from > 1) reader.word(from, at);
    }
  }
}

/** Pairs of letters that follow each other. */
function readPairs(codes: Uint16Array, from: number, to: number, reader: WordReader): void {
  for (let at = from; at + 1 < to; at++)
    if (classOf(codes[at] ?? 0) === unspaced && classOf(codes[at + 1] ?? 0) === unspaced)
      reader.word(at, at + 2);
}

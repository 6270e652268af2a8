// The shape of a line: its words, numbers and runs of them folded. Capitals, signs and indentation stay.
import { capital, digit, sign, space } from "./classes.ts";
import { type Units, unitsFor, writeUnits } from "./codes.ts";

/** Longer lines are known by their beginning. */
const longestShaped = 200;
/** Signs of a shape; what comes behind is not looked at. */
const longestShape = 60;

const codeOf = (text: string): number => text.charCodeAt(0);
const [blank, slash, number, word, name] = [" ", "/", "0", "a", "A"].map(codeOf) as [
  number,
  number,
  number,
  number,
  number,
];
/** Signs that make one of the words beside them. */
const joiners = new Set([...".,:/_@-+="].map(codeOf));
/** What stands between them is not looked at. */
const quotes = new Map(['""', "``", "“”", "«»"].map((pair) => [codeOf(pair), pair.charCodeAt(1)]));

const start = unitsFor(longestShaped);

/** `not ok 614 - The cart` and `not ok 7 - an order` are of one shape: the same number, which others practically never have. */
export function shapeOf(line: string): number {
  const size = Math.min(line.length, longestShaped);
  writeUnits(line, size, start, 0);
  return shapeIn(start, 0, size);
}

/** The shape of a line that stands among others. */
export function shapeIn({ codes, kinds }: Units, from: number, to: number): number {
  const end = Math.min(to, from + longestShaped);
  shape.clear();
  let at = from;
  while (at < end && !shape.isFull()) {
    const code = codes[at] ?? 0;
    const kind = kinds[at];
    if (kind === space) {
      if (at === from) shape.indent();
      else shape.close();
      while (at < end && kinds[at] === space) at++;
    } else if (kind === sign) {
      shape.sign(code);
      at++;
      const close = closeOf(codes, code, at, end);
      for (; at < close; at++) if (kinds[at] === space) shape.close();
      if (close > 0) at = close + 1;
    } else {
      const begin = at;
      let hasDigit = false;
      let isCapital = true;
      for (; at < end; at++) {
        const next = kinds[at];
        if (next === space || next === sign) break;
        if (next === digit) hasDigit = true;
        if (next !== capital) isCapital = false;
      }
      shape.run(hasDigit ? number : isCapital && at - begin > 2 ? name : word);
    }
  }
  return shape.end();
}

/** Where the quote ends that a sign opens; -1 for a sign that opens none. */
function closeOf(codes: Uint16Array, code: number, from: number, to: number): number {
  const closing = quotes.get(code);
  if (closing === undefined) return -1;
  for (let at = from; at < to; at++) if (codes[at] === closing) return at;
  return -1;
}

/** Puts a shape together: what is joined without a space is one, and equal neighbours are told once. */
function createShape() {
  const out = new Uint16Array(2 * longestShaped + 2);
  /** Where the token that is being read begins and ends. */
  let [token, size] = [0, 0];
  /** The one before it; what is closed ends with it. */
  let [previous, closed] = [0, 0];
  /** The place of the class of what was read since the last sign that joins nothing; behind it stand those that join. */
  let joined = -1;
  let joinsPath = false;
  const isRepeated = (): boolean => {
    if (size - token !== closed - previous) return false;
    for (let at = token; at < size; at++) if (out[at] !== out[previous + at - token]) return false;
    return true;
  };
  const close = (): void => {
    joined = -1;
    if (size === token) return;
    if (isRepeated()) size = token;
    else {
      [previous, closed] = [token, size];
      out[size++] = blank;
      token = size;
    }
  };
  return {
    clear(): void {
      token = size = previous = closed = 0;
      joined = -1;
    },
    isFull: () => closed >= longestShape,
    indent(): void {
      out[size++] = blank;
      token = previous = closed = size;
    },
    close,
    sign(code: number): void {
      if (joined >= 0 && !joiners.has(code)) joined = -1;
      if (code === slash) joinsPath = true;
      out[size++] = code;
    },
    run(kind: number): void {
      if (joined < 0) {
        joined = size;
        out[size++] = kind;
      } else if (size > joined + 1) {
        const first = out[joined];
        const isPath = first === slash || joinsPath;
        out[joined] = isPath ? slash : first === number || kind === number ? number : word;
        size = joined + 1;
      }
      joinsPath = false;
    },
    end(): number {
      close();
      return hashOf(out, closed);
    },
  };
}

const shape = createShape();

/** In 53 bits. */
function hashOf(codes: Uint16Array, size: number): number {
  let [one, other] = [0xdeadbeef ^ size, 0x41c6ce57 ^ size];
  for (let at = 0; at < size; at++) {
    one = Math.imul(one ^ (codes[at] ?? 0), 2654435761);
    other = Math.imul(other ^ (codes[at] ?? 0), 1597334677);
  }
  return (other & 0x1fffff) * 0x1_0000_0000 + (one >>> 0);
}

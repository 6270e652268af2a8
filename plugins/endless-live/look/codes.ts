// Lines as code units in one row, each with its class; and numbers for texts, so that equal ones are compared once.

// The shape of a line: its words, numbers and runs of them folded. Capitals, signs and indentation stay.

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

/** Puts a shape together: what is joined without a space is one, and equal neighbours count once. */
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
      previous = token;
      closed = size;
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
      return hashOfCodes(out, 0, closed);
    },
  };
}

const shape = createShape();

/** A stretch of code units in 53 bits: the same number, which others practically never have. */
export function hashOfCodes(codes: Uint16Array, from: number, to: number): number {
  const size = to - from;
  let one = 0xdeadbeef ^ size;
  let other = 0x41c6ce57 ^ size;
  for (let at = from; at < to; at++) {
    one = Math.imul(one ^ (codes[at] ?? 0), 2654435761);
    other = Math.imul(other ^ (codes[at] ?? 0), 1597334677);
  }
  return (other & 0x1fffff) * 0x1_0000_0000 + (one >>> 0);
}

/** Code units, and the class of each. */
export interface Units {
  codes: Uint16Array;
  kinds: Uint8Array;
}

/** Lines, one behind the other. */
export interface Codes extends Units {
  text: string;
  /** Where each begins; behind the last one, where it ends. */
  starts: Uint32Array;
}

/** The lines' code units, of each no more than `longest`. */
export function codesOf(lines: readonly string[], longest: number): Codes {
  const starts = new Uint32Array(lines.length + 1);
  for (const [at, { length }] of lines.entries())
    starts[at + 1] = (starts[at] ?? 0) + Math.min(length, longest);
  const units = unitsFor(starts[lines.length] ?? 0);
  for (const [at, line] of lines.entries()) {
    const start = starts[at] ?? 0;
    writeUnits(line, (starts[at + 1] ?? 0) - start, units, start);
  }
  return { ...units, starts, text: lines.map((line) => line.slice(0, longest)).join("") };
}

/** Room for so many. */
function unitsFor(count: number): Units {
  return { codes: new Uint16Array(count), kinds: new Uint8Array(count) };
}

/** The first `size` units of a text, written to a place. */
function writeUnits(text: string, size: number, { codes, kinds }: Units, to: number): void {
  for (let at = 0; at < size; at++) {
    const code = text.charCodeAt(at);
    codes[to + at] = code;
    kinds[to + at] = classOf(code);
  }
}

/** Numbers for texts, or other numbers, from 0, in the order in which they first come up. */
export function createNumbering<Thing = string>() {
  const numbers = new Map<Thing, number>();
  const texts: Thing[] = [];
  return {
    of(text: Thing): number {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    /** How many there are. */
    size: (): number => texts.length,
    /** The text of a number. */
    text: (number: number): Thing | undefined => texts[number],
  };
}

/** The same for stretches of code units, which need not become texts: `source` has the same ones. */
export type Stretches = ReturnType<typeof createStretches>;

export function createStretches(codes: Uint16Array, source = "") {
  /** Numbers, plus one, by hash; what is taken is found behind. */
  let slots = new Uint32Array(1_024);
  const hashes: number[] = [];
  const begins: number[] = [];
  const ends: number[] = [];
  const isSame = (number: number, from: number, to: number): boolean => {
    const begin = begins[number] ?? 0;
    if ((ends[number] ?? 0) - begin !== to - from) return false;
    for (let at = from; at < to; at++) if (codes[at] !== codes[begin + at - from]) return false;
    return true;
  };
  const slotOf = (hash: number, slots: Uint32Array): number => {
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };
  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 4);
    for (const [number, hash] of hashes.entries()) larger[slotOf(hash, larger)] = number + 1;
    slots = larger;
  };
  return {
    of(from: number, to: number): number {
      const hash = hashIn(codes, from, to);
      const mask = slots.length - 1;
      let slot = hash & mask;
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const known = (slots[slot] ?? 0) - 1;
        if (hashes[known] === hash && isSame(known, from, to)) return known;
      }
      if (hashes.length * 2 > mask) {
        grow();
        slot = slotOf(hash, slots);
      }
      begins.push(from);
      ends.push(to);
      slots[slot] = hashes.push(hash);
      return hashes.length - 1;
    },
    size: (): number => hashes.length,
    text: (number: number): string => source.slice(begins[number], ends[number]),
  };
}

function hashIn(codes: Uint16Array, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (codes[at] ?? 0), 2654435761);
  return hash ^ (hash >>> 15);
}

// What kind of sign a code unit is: worked out once for each that comes up, in any script.

/** Classes of code units. `unspaced` are those of scripts that part no words. */
export const [letter, capital, digit, space, sign, unspaced] = [1, 2, 3, 4, 5, 6] as const;

/** 0 is not known yet. */
const classes = new Uint8Array(65_536);
const lowered = new Uint16Array(65_536);
const numbers = new Uint16Array(65_536);
let signs = 0;

/** The class of a code unit. */
function classOf(code: number): number {
  const known = classes[code] ?? 0;
  return known > 0 ? known : learn(code);
}

/** The small letter of a capital one. */
export function lowerOf(code: number): number {
  return lowered[code] ?? code;
}

/** The number of a sign, below `signCount`: few ever come up. */
export function signNumberOf(code: number): number {
  return numbers[code] ?? 0;
}

/** How many signs have come up. */
export function signCount(): number {
  return signs;
}

function learn(code: number): number {
  const text = String.fromCharCode(code);
  const found = classOfText(text);
  const lower = text.toLowerCase();
  classes[code] = found;
  if (found === sign) numbers[code] = signs++;
  lowered[code] = lower.length === 1 ? lower.charCodeAt(0) : code;
  return found;
}

function classOfText(text: string): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(text)) return unspaced;
  if (/\p{Lu}/u.test(text)) return capital;
  if (/[\p{L}\p{M}_]/u.test(text)) return letter;
  if (/\p{Nd}/u.test(text)) return digit;
  return /\s/.test(text) ? space : sign;
}

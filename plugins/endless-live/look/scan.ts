// Reads a line once: its words, its signs, and its shape, with words and numbers folded.

/** Classes of code units. */
const [letter, capital, digit, space, sign, unspaced] = [1, 2, 3, 4, 5, 6];
/** Looked up once for each code unit that comes up; 0 is not known yet. */
const classes = new Uint8Array(65_536);

function classOf(code: number): number {
  const known = classes[code] ?? 0;
  if (known > 0) return known;
  const text = String.fromCharCode(code);
  let found = sign;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(text)) found = unspaced;
  else if (/\p{Lu}/u.test(text)) found = capital;
  else if (/[\p{L}\p{M}_]/u.test(text)) found = letter;
  else if (/\p{Nd}/u.test(text)) found = digit;
  else if (/\s/.test(text)) found = space;
  classes[code] = found;
  return found;
}

/** What a line is made of. */
export interface Scanned {
  /** Words in lower case; of scripts without spaces pairs of letters. */
  words: string[];
  /** Signs that are no letters and no digits, each as often as it stands there. */
  signs: string[];
  /** `not ok 0 - a`: words, numbers and runs of them folded; capitals and indentation stay. */
  shape: string;
}

const joiners = new Set(".,:/_@-+=".split(""));
const quotes: Readonly<Record<string, string>> = { '"': '"', "`": "`", "“": "”", "«": "»" };

/** More of a line is not looked at; its shape is that of its beginning. */
const [longest, longestShaped] = [600, 200];

/** Shapes of the lines that were asked for last: each is asked for more than once on its way. */
const known = new Map<string, string>();
const mostKnown = 4_000;

/** `not ok 614 - The cart` and `not ok 7 - an order` are of one shape; capitals and indentation count. */
export function shapeOf(line: string): string {
  const start = line.slice(0, longestShaped);
  return known.get(start) ?? scan(start).shape;
}

/** Reads a line, as far as it is not too long. */
export function scan(line: string): Scanned {
  const words: string[] = [];
  const signs: string[] = [];
  const shape = createShape();
  const end = Math.min(line.length, longest);
  let at = 0;
  let quoteEnd = 0;
  const shaped = () => at < longestShaped && !shape.isFull();
  while (at < end) {
    const kind = classOf(line.charCodeAt(at));
    if (kind === space) {
      if (shaped()) shape.space(at === 0);
      while (at < end && classOf(line.charCodeAt(at)) === space) at++;
    } else if (kind === sign) {
      const text = line.charAt(at);
      signs.push(text);
      const closing = quotes[text];
      const close = closing === undefined || at < quoteEnd ? -1 : line.indexOf(closing, at + 1);
      if (at >= quoteEnd && shaped()) shape.sign(text);
      if (close > at && close < longestShaped) quoteEnd = close + 1;
      at++;
    } else {
      const from = at;
      let hasDigit = false;
      let isCapital = true;
      let hasCapital = false;
      let isUnspaced = false;
      for (; at < end; at++) {
        const next = classOf(line.charCodeAt(at));
        if (next === space || next === sign) break;
        if (next === digit) hasDigit = true;
        if (next === unspaced) isUnspaced = true;
        if (next === capital) hasCapital = true;
        else isCapital = false;
      }
      if (isUnspaced) addUnspaced(line, from, at, words);
      else if (!hasDigit && at - from > 1) {
        const word = line.slice(from, at);
        words.push(hasCapital ? word.toLowerCase() : word);
      }
      if (from >= quoteEnd && from < longestShaped && !shape.isFull())
        shape.run(hasDigit ? "0" : isCapital && at - from > 2 ? "A" : "a");
    }
  }
  const found = { words, signs, shape: shape.end() };
  if (known.size >= mostKnown) known.clear();
  known.set(line.slice(0, longestShaped), found.shape);
  return found;
}

/** Pairs of letters that follow each other. */
function addUnspaced(line: string, from: number, to: number, words: string[]): void {
  for (let at = from; at < to; at++) {
    if (classOf(line.charCodeAt(at)) !== unspaced) continue;
    const isPair = at + 1 < to && classOf(line.charCodeAt(at + 1)) === unspaced;
    if (isPair) words.push(line.slice(at, at + 2));
  }
}

/** Longest shape. */
const longestShape = 60;

/** Puts a shape together: what is joined without a space is one, and equal neighbours are told once. */
function createShape() {
  let shape = "";
  let previous = "";
  let token = "";
  /** The class of what was read since the last sign that joins nothing, and what joined it. */
  let joined = "";
  let pending = "";
  const flush = (): void => {
    if (joined !== "") token += joined;
    if (pending !== "") token += pending;
    joined = "";
    pending = "";
  };
  const close = (): void => {
    flush();
    if (token !== "" && token !== previous) {
      shape += previous === "" ? token : ` ${token}`;
      previous = token;
    }
    token = "";
  };
  return {
    isFull: () => shape.length >= longestShape,
    space(isFirst: boolean): void {
      if (isFirst) shape = " ";
      else close();
    },
    sign(text: string): void {
      if (joined !== "" && joiners.has(text)) pending += text;
      else {
        flush();
        token += text;
      }
    },
    run(kind: string): void {
      if (joined === "") joined = kind;
      else if (pending !== "") {
        if (joined === "/" || pending.includes("/")) joined = "/";
        else joined = joined === "0" || kind === "0" ? "0" : "a";
        pending = "";
      }
    },
    end(): string {
      close();
      return shape;
    },
  };
}

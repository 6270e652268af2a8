// What kind of sign a code unit is: told once for each that comes up, in any script.

/** Classes of code units. `unspaced` are those of scripts that part no words. */
export const [letter, capital, digit, space, sign, unspaced] = [1, 2, 3, 4, 5, 6] as const;

/** 0 is not known yet. */
const classes = new Uint8Array(65_536);
const lowered = new Uint16Array(65_536);
const numbers = new Uint16Array(65_536);
let signs = 0;

/** The class of a code unit. */
export function classOf(code: number): number {
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

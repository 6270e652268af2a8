// Porter's stemmer, as the index applies it, for what is decided outside the index (which facts matched, and where).

const vowel = /[aeiou]/;
const cache = new Map<string, string>();
const cacheLimit = 20_000;

/** The stem of a lower-case word: `authentication` and `authenticate` are both `authent`. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64) return word;
  let known = cache.get(word);
  if (known === undefined) {
    known = porter(word);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(word, known);
  }
  return known;
}

function porter(word: string): string {
  let w = plurals(word);
  w = pastAndGerund(w);
  if (w.endsWith("y") && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, longSuffixes, 0);
  w = replaceSuffix(w, middleSuffixes, 0);
  w = dropSuffix(w);
  if (w.endsWith("e")) {
    const base = w.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !endsShort(base))) w = base;
  }
  return w.endsWith("ll") && measure(w.slice(0, -1)) > 1 ? w.slice(0, -1) : w;
}

function plurals(w: string): string {
  if (w.endsWith("sses") || w.endsWith("ies")) return w.slice(0, -2);
  return w.endsWith("s") && !w.endsWith("ss") ? w.slice(0, -1) : w;
}

function pastAndGerund(w: string): string {
  if (w.endsWith("eed")) return measure(w.slice(0, -3)) > 0 ? w.slice(0, -1) : w;
  const base = w.endsWith("ed") ? w.slice(0, -2) : w.endsWith("ing") ? w.slice(0, -3) : undefined;
  if (base === undefined || !hasVowel(base)) return w;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

const longSuffixes: ReadonlyArray<readonly [string, string]> = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const middleSuffixes: ReadonlyArray<readonly [string, string]> = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const lastSuffixes =
  "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ");

/** The first suffix that fits decides, whether its condition holds or not. */
function replaceSuffix(
  w: string,
  suffixes: ReadonlyArray<readonly [string, string]>,
  above: number,
): string {
  for (const [suffix, replacement] of suffixes) {
    if (!w.endsWith(suffix)) continue;
    const base = w.slice(0, -suffix.length);
    return measure(base) > above ? base + replacement : w;
  }
  return w;
}

function dropSuffix(w: string): string {
  for (const suffix of lastSuffixes) {
    if (!w.endsWith(suffix)) continue;
    const base = w.slice(0, -suffix.length);
    if (suffix === "ion" && !/[st]$/.test(base)) return w;
    return measure(base) > 1 ? base : w;
  }
  return w;
}

function isVowelAt(w: string, at: number): boolean {
  const letter = w.charAt(at);
  return vowel.test(letter) || (letter === "y" && at > 0 && !isVowelAt(w, at - 1));
}

function hasVowel(w: string): boolean {
  for (let i = 0; i < w.length; i++) if (isVowelAt(w, i)) return true;
  return false;
}

/** How often a vowel run is followed by a consonant run. */
function measure(w: string): number {
  let count = 0;
  let inVowels = false;
  for (let i = 0; i < w.length; i++) {
    const now = isVowelAt(w, i);
    if (inVowels && !now) count++;
    inVowels = now;
  }
  return count;
}

function endsDouble(w: string): boolean {
  const last = w.length - 1;
  return last > 0 && w.charAt(last) === w.charAt(last - 1) && !isVowelAt(w, last);
}

/** Consonant, vowel, consonant other than w, x, y. */
function endsShort(w: string): boolean {
  const last = w.length - 1;
  return (
    last > 1 &&
    !isVowelAt(w, last) &&
    isVowelAt(w, last - 1) &&
    !isVowelAt(w, last - 2) &&
    !/[wxy]$/.test(w)
  );
}

// Scripts that put no spaces between words, or tie particles to them: found by pairs of neighbouring characters.

const scripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー";
const any = new RegExp(`[${scripts}]`, "u");
const runs = new RegExp(`[${scripts}\\p{M}]+|[^${scripts}]+`, "gu");

/** True when a word holds a character of such a script. */
export function isUnspaced(word: string): boolean {
  return any.test(word);
}

/** The stretches of a word that are written in such scripts, and those that are not, in order. */
export function unspacedRuns(word: string): string[] {
  return word.match(runs) ?? [];
}

/** `数据库` gives `数据` and `据库`; a single character gives itself. */
export function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

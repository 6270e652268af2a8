// Scripts whose words are not parted by blanks, as ranges for the inside of a character class.

const thai = "\\u0e00-\\u0e7f";
/** Chinese characters and both of Japan's own scripts. */
const eastern = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff";
const hangul = "\\uac00-\\ud7af";

/** Written without blanks, or with endings tied to words: compared by pairs of characters. */
export const unspacedRange = `${thai}${eastern}${hangul}`;

const unspaced = new RegExp(`[${unspacedRange}]`);

/** True where a text has a character of such a script. */
export function hasUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** The same but for Korean, which has blanks between its words. */
export const blanklessRange = `${thai}${eastern}`;

/** Scripts of which a character is a syllable or a word: they say more in fewer of them. */
export const denseRange = `${eastern}${hangul}`;

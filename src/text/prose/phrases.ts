// Lists of phrases as data: each phrase is its own example, and one expression looks for all of a list.

/** Scripts that are written without spaces: their phrases have no ends to be found by. */
const unspaced = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Finds any phrase of a list, whatever its case. Phrases stand between "|"; one that ends with "*" may go on inside the
 * word, one that ends with "$" stands at the end of the text, but for a colon. `where`: anywhere, or at the start.
 */
export function phrases(list: string, where: "anywhere" | "start" = "anywhere"): RegExp {
  const any = phrasesOf(list).map((phrase) => {
    const text = bare(phrase).split(" ").map(RegExp.escape).join("\\s+");
    const begin = where === "start" || unspaced.test(phrase) ? "" : "(?<!\\p{L})";
    if (phrase.endsWith("$")) return `${begin}${text}\\s*[:：]?\\s*$`;
    return begin + text + (phrase.endsWith("*") || unspaced.test(phrase) ? "" : "(?!\\p{L})");
  });
  return new RegExp(`${where === "start" ? "^" : ""}(?:${any.join("|")})`, "iu");
}

/** The phrases of a list, as they are written there. */
export function phrasesOf(list: string): string[] {
  return list.split("|").map((phrase) => phrase.trim());
}

/** A phrase as it would stand in a text. */
export function bare(phrase: string): string {
  return phrase.replace(/[*$]$/, "");
}

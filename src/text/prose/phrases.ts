// Lists of phrases as data: each phrase is its own example, and one expression looks for all of a list.
import { hasUnspaced } from "../unspaced.ts";

/**
 * Finds any phrase of a list, whatever its case. Phrases stand between "|"; one that ends with "*" may go on inside the
 * word, one that ends with "$" stands at the end of the text, but for a colon. `where`: anywhere, or at the start.
 */
export function phrases(list: string, where: "anywhere" | "start" = "anywhere"): RegExp {
  const any = phrasesOf(list).map((phrase) => {
    const text = bare(phrase).split(" ").map(RegExp.escape).join("\\s+");
    // Without blanks between words a phrase has no ends to be found by.
    const isUnspaced = hasUnspaced(phrase);
    const begin = where === "start" || isUnspaced ? "" : "(?<!\\p{L})";
    if (phrase.endsWith("$")) return `${begin}${text}\\s*[:：]?\\s*$`;
    return begin + text + (phrase.endsWith("*") || isUnspaced ? "" : "(?!\\p{L})");
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

// The words that stand in the index's "scope" column, so that a filter is an intersection inside the index.
// A word may stand for two values (the stemmer joins some types); the exact value is checked on the rows found.
import type { RecordKind } from "../../sdk/storage.ts";

export const projectWord = (number: number): string => `p${number}`;
export const kindWord = (kind: RecordKind): string => `k${kind}`;
/** Both at once: much cheaper to look for than one and the other, for nearly every record is an observation. */
export const projectKindWord = (number: number, kind: RecordKind): string =>
  `${projectWord(number)}${kindWord(kind)}`;
export const typeWord = (type: string): string => `t${letters(type)}`;
export const conceptWord = (concept: string): string => `c${letters(concept)}`;

/** Letters and digits only, so that it stays one word. */
function letters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

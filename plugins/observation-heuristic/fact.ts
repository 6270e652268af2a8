// A candidate fact and the rules a fact must pass: 50 to 150 characters, standing alone, nothing broken.
import {
  cleanText,
  countWords,
  fitCharacters,
  overlap,
  startsDangling,
} from "../../src/text/index.ts";

/** Shortest and longest fact, in characters. */
export const factLength = { min: 50, max: 150 };

/** A fact that may be told, with how much it is worth telling (higher is better). */
export interface Candidate {
  text: string;
  score: number;
  /** Fuller wordings of the same, for when the text is too short to be a fact. */
  fuller?: string[];
}

/** Brings a text to the form of a fact, or undefined when it cannot be one. */
export function toFact(text: string): string | undefined {
  const plain = cleanText(text)
    .replaceAll("`", "'")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\s+([,.;:])(?=\s|$)/g, "$1")
    .replace(/(?<!\b(?:line|step|phase|version|to|of|in|by|part|option|level|#)) \d\.$/, "")
    .replace(/[\s,;:]+$/, "");
  if (startsDangling(plain)) return undefined;
  const fact = fitCharacters(plain, factLength.min, factLength.max);
  return fact === undefined || countWords(fact) < 5 ? undefined : fact;
}

function firstFact(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const fact = toFact(text);
    if (fact !== undefined) return fact;
  }
  return undefined;
}

/** The best facts, at most `limit`, no two saying the same, in the order the candidates came. */
export function chooseFacts(candidates: readonly Candidate[], limit = 7): string[] {
  const ranked = candidates
    .map((candidate, index) => ({
      ...candidate,
      index,
      fact: firstFact([candidate.text, ...(candidate.fuller ?? [])]),
    }))
    .sort((left, right) => right.score - left.score || left.index - right.index);
  const chosen: Array<{ fact: string; index: number }> = [];
  for (const { fact, index } of ranked) {
    if (chosen.length >= limit) break;
    if (fact === undefined || chosen.some((other) => overlap(other.fact, fact) > 0.72)) continue;
    chosen.push({ fact, index });
  }
  return chosen.sort((left, right) => left.index - right.index).map((entry) => entry.fact);
}

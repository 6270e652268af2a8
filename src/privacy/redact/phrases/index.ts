// Secrets that the words before them give away: the arguments of commands and calls, directives of settings, keys of services.
import { type Allowance, matchAt } from "../effort.ts";
import type { Found } from "../rule.ts";
import { callRule } from "./calls.ts";
import { commandRows } from "./commands.ts";
import { directiveRows } from "./directives.ts";
import type { Phrase, PhraseRule } from "./phrase.ts";
import { serviceNameRule } from "./services.ts";
import { readTable } from "./table.ts";

/** The rules of phrases. */
export const phraseRules: readonly PhraseRule[] = [
  readTable(
    "command-argument",
    "a secret that a command takes as an argument without a telling name",
    commandRows,
  ),
  readTable(
    "directive",
    "a secret behind a directive of a file of settings, or a statement",
    directiveRows,
  ),
  serviceNameRule,
  callRule,
];

const phrasesByWord = new Map<string, readonly Phrase[]>();
for (const { phrases } of phraseRules)
  for (const [word, ones] of phrases) {
    const others = phrasesByWord.get(word);
    phrasesByWord.set(word, others ? [...others, ...ones] : ones);
  }

/** One of these words stands where a phrase begins. */
export const phraseWords: readonly string[] = [...phrasesByWord.keys()];

/** True for a word with which phrases begin only where it is no part of another: `dd`, but not that of `address`. */
export const isWhole = (word: string): boolean =>
  /^\w/.test(word) && !phrasesByWord.get(word)?.some(({ inside }) => inside);

/** A place where a phrase may begin, and the word that stands there. */
export interface PhraseStart {
  at: number;
  word: string;
}

/** Every secret behind a phrase that begins at one of these places. */
export function findPhrases(
  text: string,
  starts: readonly PhraseStart[],
  allowance: Allowance,
): Found[] {
  const found: Found[] = [];
  for (const { at, word } of starts) {
    if (!allowance.begin(at)) continue;
    const isInside = /[\w-]/.test(text.charAt(at - 1)) && /^\w/.test(word);
    for (const { rest, accepts, inside, rule } of phrasesByWord.get(word) ?? []) {
      if (isInside && !inside) continue;
      const match = matchAt(rest, text, at + word.trimEnd().length);
      const value = match?.at(-1);
      if (!match || value === undefined || !accepts(value)) continue;
      const end = match.index + match[0].length;
      found.push({ start: end - value.length, end, kind: rule.kind, rule: rule.id });
    }
  }
  return found;
}

// What a phrase is: words, and what follows them up to a secret.
import type { TextRule } from "../rule.ts";

/** What follows one of the words up to the secret, which is the last group and ends the match; sticky. */
export interface Phrase {
  rest: RegExp;
  accepts: (value: string) => boolean;
  /** The word may be the end of a longer one. */
  inside?: boolean;
  rule: PhraseRule;
}

/** A rule with the phrases that begin with each of its words. */
export interface PhraseRule extends TextRule {
  kind: string;
  phrases: ReadonlyMap<string, readonly Phrase[]>;
}

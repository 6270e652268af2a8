// A rule of redaction that a plugin brings: data alone, so that it holds wherever memoir redacts, with its examples as its tests.

/** What is taken out of every text before it is written or sent, as the built-in rules are. */
export interface Redaction {
  /** An expression of RE2 (linear time, no lookaround). With a group only what stands in it goes. */
  pattern: string;
  /** A word that stands in every text with a match, in any case: texts without it cost nothing. */
  keyword?: string;
  /** Texts of which something must go; at least one. */
  removes: readonly string[];
  /** Texts that must stay as they are. */
  keeps?: readonly string[];
}

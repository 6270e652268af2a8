// What a rule of redaction is, and what it finds.

/** Where something stands in a text. */
export interface Span {
  start: number;
  end: number;
}

/** A part of a text that is a secret. */
export interface Found extends Span {
  /** What the mark says was there. */
  kind: string;
  /** The `id` of the rule that found it. */
  rule: string;
}

/** What a rule is called, and what it finds as people read it. Its examples are `test/privacy/examples.json`. */
export interface Rule {
  id: string;
  finds: string;
  /**
   * One of them stands in every text in which the rule may find something; it is tried in no other. Two characters or
   * more; a word in small ASCII letters counts in any case, any other only as it is written. Left out: it is always tried.
   */
  words?: readonly string[];
  /** Of a rule of a table: what it says. Of one that is code, a number that goes up with what it finds: what is stored is gone over again. */
  source: string | number;
}

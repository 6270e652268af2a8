// What a rule of redaction is: data that says what it finds, with the examples that are its tests.

/** A part of a text that is a secret. */
export interface Found {
  start: number;
  end: number;
  /** What the mark says was there. */
  kind: string;
  /** The `id` of the rule that found it. */
  rule: string;
}

/**
 * A rule with its examples. In them `{a36}` stands for 36 random letters and digits (`{h8}` hexadecimal, `{d3}` digits,
 * and so on, see `test/privacy/corpus/fake.ts`), so that no file holds anything that looks like a secret.
 */
export interface Rule {
  id: string;
  /** What it finds, as people read it. */
  finds: string;
  /** Texts in which it finds what stands between « and »; nothing of that may stay. */
  gone: readonly string[];
  /** Texts in which it finds nothing. */
  stay: readonly string[];
}

// What a rule of redaction is: data that says what it finds, with the examples that are its tests.

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

/** A rule that looks for secrets in the whole of a text. */
export interface TextRule extends Rule {
  /**
   * One of them stands in every text in which the rule may find something; it is tried in no other. Two characters or
   * more; a word in small ASCII letters counts in any case, any other only as it is written.
   */
  words: readonly string[];
}

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

/** An example as a table has it, with < and > around the secret: the bundler writes « and » as escapes, which in a raw text would stay. */
export const marked = (example: string): string =>
  example.replaceAll("<", "«").replaceAll(">", "»");

/** Asks `make` the first time, and answers the same ever after. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

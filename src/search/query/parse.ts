// A query as it was typed: its words, its identifiers as a whole, its quoted phrases.
import { type Token, tokensOf } from "../text/tokens.ts";

/** One thing that is looked for. */
export interface Wanted {
  /** What the index keeps. */
  term: string;
  /** What was typed, for explanations and corrections. */
  word: string;
  /** An identifier, a path, a file's name: found as a whole or not at all. */
  isName: boolean;
}

/** A parsed query. */
export interface Parsed {
  wanted: Wanted[];
  /** Terms that have to stand side by side, in this order. */
  phrases: string[][];
  /** The words were all stop words, and are looked for all the same. */
  onlyStops: boolean;
}

/** No query is longer than this in words that count; a larger text would only cost time. */
const longest = 20_000;
const mostPhrases = 8;
const quoted = /["“”„«»「」『』]([^"“”„«»「」『』\n]{2,200})["“”„«»「」『』]/g;

/** Parses any text. Nothing in it is syntax but quotation marks. */
export function parseQuery(text: string): Parsed {
  const short = text.slice(0, longest);
  const tokens = tokensOf(short);
  const telling = tokens.filter((token) => !token.stop || token.names !== undefined);
  const onlyStops = telling.length === 0;
  return {
    wanted: wantedOf(onlyStops ? tokens : telling),
    phrases: phrasesOf(short),
    onlyStops,
  };
}

function wantedOf(tokens: readonly Token[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { word, term, names } of tokens) {
    if (!wanted.has(term)) wanted.set(term, { term, word, isName: false });
    // Single characters are found where they are all that is asked for; beside a pair they only match by chance.
    for (const name of names ?? [])
      if (name.length > 1 && !wanted.has(name))
        wanted.set(name, { term: name, word: name, isName: true });
  }
  return [...wanted.values()];
}

function phrasesOf(text: string): string[][] {
  const phrases: string[][] = [];
  for (const [, inner = ""] of text.matchAll(quoted)) {
    const terms = tokensOf(inner)
      .filter((token) => !token.stop)
      .map((token) => token.term);
    if (terms.length > 1 && phrases.length < mostPhrases) phrases.push(terms);
  }
  return phrases;
}

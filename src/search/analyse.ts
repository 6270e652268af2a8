// A document as the index keeps it: passages of terms, the labels that filters look for, and how its words were written.
import { fields, type SearchDocument } from "./document.ts";
import { clientLabel, conceptLabel, fileLabel, typeLabel } from "./labels.ts";
import { passagesOf } from "./text/passages.ts";
import { type Token, tokensOf } from "./text/tokens.ts";

/** A passage: where it stands and its terms in order. */
export interface Passage {
  /** Code of the field. */
  field: number;
  /** Index of the piece, and the stretch of its text in UTF-16 units. */
  piece: number;
  start: number;
  end: number;
  terms: string[];
  /** Identifiers, paths and the like as a whole; no words of the text, so they do not count for its length. */
  names: string[];
}

/** What is kept of a document beside the facts that filters compare. */
export interface Analysed {
  passages: Passage[];
  labels: string[];
  /** How a term was written, where that differs from the term. */
  words: Map<string, string>;
}

/** Cuts and reads every piece. */
export function analyse(document: SearchDocument): Analysed {
  const passages: Passage[] = [];
  const words = new Map<string, string>();
  document.pieces.forEach(({ field, text }, piece) => {
    // A piece that was read out of a damaged file may have lost its kind: it must not cost the index.
    if (!Object.hasOwn(fields, field)) return;
    for (const { start, end } of passagesOf(text)) {
      const all = tokensOf(text.slice(start, end));
      const telling = withoutStops(all);
      if (telling.length === 0) continue;
      for (const { word, term } of telling)
        if (word !== term && !words.has(term)) words.set(term, word);
      passages.push({
        field: fields[field].code,
        piece,
        start,
        end,
        terms: telling.map(({ term }) => term),
        names: [...new Set(telling.flatMap((token) => token.names ?? []))],
      });
    }
  });
  return { passages, labels: labelsOf(document), words };
}

/** The tokens that say something; all of them where none does. A stop word that begins a name (`on-call`) keeps it. */
function withoutStops(tokens: readonly Token[]): Token[] {
  const telling = tokens.filter((token) => !token.stop || token.names !== undefined);
  return telling.length > 0 ? telling : [...tokens];
}

function labelsOf(document: SearchDocument): string[] {
  const labels = [
    ...(document.client === undefined ? [] : [clientLabel(document.client)]),
    ...(document.type === undefined ? [] : [typeLabel(document.type)]),
    ...(document.concepts ?? []).map(conceptLabel),
    ...(document.files ?? []).map(fileLabel),
  ];
  return [...new Set(labels)];
}

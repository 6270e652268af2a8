// A document as the index keeps it: passages of terms, the labels that filters look for, and how its words were written.
import {
  clientLabel,
  conceptLabel,
  fields,
  fileLabel,
  type SearchDocument,
  typeLabel,
} from "./document.ts";

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

// Cuts a text into passages: what reads as one, of about fifty words.

/** A stretch of a text, in UTF-16 units. */
interface Stretch {
  start: number;
  end: number;
}

const wanted = 50;
/** A blank line, or a line that begins a list item, a heading or a fence. */
const opens = /^[ \t]*(?:$|[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t]|```|~~~|>[ \t]|\|)/;
const words = /\S+/g;
/** Characters of an unspaced script that stand for a word each two of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Blocks at blank lines, list items and headings, joined up to fifty words; longer ones are cut every fifty. */
export function passagesOf(text: string): Stretch[] {
  const found: Stretch[] = [];
  let open: (Stretch & { count: number }) | undefined;
  const close = () => {
    if (open) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  for (const block of blocks(text)) {
    const count = countWords(text.slice(block.start, block.end));
    if (count === 0) continue;
    if (open && open.count + count > wanted) close();
    if (count > wanted) {
      found.push(...cut(text, block));
      continue;
    }
    open = open
      ? { start: open.start, end: block.end, count: open.count + count }
      : { ...block, count };
  }
  close();
  return found;
}

/** Runs of lines that read as one. */
function blocks(text: string): Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (at > start && opens.test(text.slice(at, Math.min(end, at + 80)))) {
      found.push({ start, end: at });
      start = at;
    }
    at = end + 1;
  }
  if (start < text.length) found.push({ start, end: text.length });
  return found;
}

function countWords(text: string): number {
  return (text.match(words)?.length ?? 0) + Math.floor((text.match(unspaced)?.length ?? 0) / 2);
}

/** Every fifty words; a run without spaces also every four hundred characters. */
function cut(text: string, block: Stretch): Stretch[] {
  const found: Stretch[] = [];
  let start = block.start;
  let count = 0;
  for (const word of text.slice(block.start, block.end).matchAll(words)) {
    const at = block.start + word.index;
    if (count >= wanted) {
      found.push({ start, end: at });
      start = at;
      count = 0;
    }
    count += countWords(word[0]);
    const end = at + word[0].length;
    while (end - start > longest) {
      const splits =
        text.charCodeAt(start + longest) >= 0xdc00 && text.charCodeAt(start + longest) <= 0xdfff;
      const stop = start + longest - (splits ? 1 : 0);
      found.push({ start, end: stop });
      start = stop;
      count = 0;
    }
  }
  if (start < block.end) found.push({ start, end: block.end });
  return found;
}

const longest = 1_000;

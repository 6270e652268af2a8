// Turns text into the words that are indexed and searched: identifiers split into their parts, CJK and Thai segmented.

/** A word and, where it was written as one identifier, the whole it is a part of. All lower case, without accents. */
export interface Word {
  word: string;
  whole?: string;
}

const longestWord = 64;
const longestWhole = 40;
const chunks = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/gu;
const asciiChunks = /[a-z0-9]+(?:[-_][a-z0-9]+)*/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, where nothing needs normalising
const ascii = /^[\x00-\x7f]*$/;
/** Scripts written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const simple = /^(?:[a-z0-9]+|[A-Z][a-z0-9]*|[A-Z0-9]+)$/;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const accents = /[\u0300-\u036f]/g;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** True when a text has nothing that normalising could change. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** The words of a text, in order. `refreshToken` gives `refresh` and `token`, each with the whole `refreshtoken`. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const found = isAscii(text) ? text.match(asciiChunks) : plain(text).match(chunks);
  for (const chunk of found ?? []) {
    if (simple.test(chunk)) {
      if (chunk.length <= longestWord) words.push({ word: chunk.toLowerCase() });
      continue;
    }
    const parts = chunk.split(/[-_]/).flatMap(partsOf);
    const whole = parts.length > 1 && !unspaced.test(chunk) ? parts.join("") : "";
    const isNamed = whole !== "" && whole.length <= longestWhole;
    for (const word of parts)
      if (word.length <= longestWord) words.push(isNamed ? { word, whole } : { word });
  }
  return words;
}

/** What goes into the index for words: each of them, and each identifier once more as a whole. */
export function indexText(words: readonly Word[]): string {
  const out: string[] = [];
  let last: string | undefined;
  for (const { word, whole } of words) {
    if (whole !== undefined && whole !== last) out.push(whole);
    last = whole;
    out.push(word);
  }
  return out.join(" ");
}

/** One form for letters that look alike, without accents. Case is kept: it tells the parts of an identifier. */
function plain(text: string): string {
  return text.toWellFormed().normalize("NFKD").replace(accents, "").normalize("NFKC");
}

function partsOf(piece: string): string[] {
  if (!unspaced.test(piece)) return piece.split(humps).map((part) => part.toLowerCase());
  const parts: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(piece))
    if (isWordLike) parts.push(segment.toLowerCase());
  return parts;
}

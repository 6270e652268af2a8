// Turns text into the words that are indexed and searched: identifiers split into their parts, CJK and Thai segmented.

/** A word and, where it was written as one identifier, the whole it is a part of. All lower case, without accents. */
export interface Word {
  word: string;
  whole?: string;
}

const longestWord = 64;
const longestWhole = 40;
const chunks = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/gu;
/** Scripts written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const accents = /[\u0300-\u036f]/g;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text, in order. `refreshToken` gives `refresh` and `token`, each with the whole `refreshtoken`. */
export function* wordsOf(text: string): Generator<Word> {
  for (const [chunk] of plain(text).matchAll(chunks)) {
    const parts: string[] = [];
    for (const piece of chunk.split(/[-_]/)) parts.push(...partsOf(piece));
    const whole = parts.length > 1 && !unspaced.test(chunk) ? parts.join("") : undefined;
    for (const part of parts) {
      if (part.length > longestWord) continue;
      yield whole === undefined || whole.length > longestWhole
        ? { word: part }
        : { word: part, whole };
    }
  }
}

/** What goes into the index for a text: its words, and each identifier once more as a whole. */
export function indexText(text: string): string {
  const out: string[] = [];
  let whole: string | undefined;
  for (const found of wordsOf(text)) {
    if (found.whole !== whole) {
      if (found.whole !== undefined) out.push(found.whole);
      whole = found.whole;
    }
    out.push(found.word);
  }
  return out.join(" ");
}

/** One form for letters that look alike, without accents. Case is kept: it tells the parts of an identifier. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, for which nothing changes
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text.toWellFormed().normalize("NFKD").replace(accents, "").normalize("NFKC");
}

function partsOf(piece: string): string[] {
  if (unspaced.test(piece)) {
    const parts: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(piece))
      if (isWordLike) parts.push(segment.toLowerCase());
    return parts;
  }
  return piece.split(humps).map((part) => part.toLowerCase());
}

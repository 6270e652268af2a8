// The words that are stored, for corrections: those of packed documents and those of the tail.
import type { Database } from "../../host/sqlite.ts";
import type { StoredWord, Words } from "../query/correct.ts";
import type { Reader } from "./reader.ts";

type WordRow = StoredWord & Record<string, number | string>;

/** A look-up of stored words. */
export function storedWords(db: Database, reader: Reader): Words {
  const beginning = db.prepare<WordRow>(
    `SELECT term, coalesce(word, term) AS word, documents FROM search_terms
     WHERE term >= ? AND term < ? AND length(coalesce(word, term)) BETWEEN ? AND ?`,
  );
  const ofLength = db.prepare<WordRow>(
    `SELECT term, coalesce(word, term) AS word, documents FROM search_terms
     WHERE length(coalesce(word, term)) = ? LIMIT ?`,
  );
  let newest: StoredWord[] | undefined;
  const inTail = () => {
    newest ??= tailWords(reader);
    return newest;
  };
  return {
    beginning(start, shortest, longest) {
      // A stem may differ from its word in the last letters; what was typed may be longer than the stem.
      const stored = beginning.all([
        start.slice(0, 3),
        `${start.slice(0, 3)}\u{10ffff}`,
        shortest,
        longest,
      ]);
      const fits = ({ word }: StoredWord) =>
        word.startsWith(start) && word.length >= shortest && word.length <= longest;
      return merged([...stored, ...inTail()].filter(fits));
    },
    ofLength: (length, most) =>
      merged([
        ...ofLength.all([length, most]),
        ...inTail().filter(({ word }) => word.length === length),
      ]),
  };
}

function tailWords(reader: Reader): StoredWord[] {
  const found = new Map<string, StoredWord>();
  for (const { analysed, counts } of reader.tail())
    for (const term of counts.passages.keys()) {
      const known = found.get(term);
      if (known) known.documents++;
      else found.set(term, { term, word: analysed.words.get(term) ?? term, documents: 1 });
    }
  return [...found.values()];
}

/** One entry a term. */
function merged(words: readonly StoredWord[]): StoredWord[] {
  const found = new Map<string, StoredWord>();
  for (const word of words) {
    const known = found.get(word.term);
    if (known) known.documents += word.documents;
    else found.set(word.term, { ...word });
  }
  return [...found.values()];
}

// The words that are stored, for corrections: those of packed documents and those of the tail.
import type { Database } from "../../host/sqlite.ts";
import type { StoredWord, Words } from "../query/correct.ts";
import { stem } from "../text/stem.ts";
import type { Reader } from "./reader.ts";

type WordRow = StoredWord & Record<string, number | string>;

/** A look-up of stored words. */
export function storedWords(db: Database, reader: Reader): Words {
  const beginning = db.prepare<WordRow>(
    `SELECT term, coalesce(word, term) AS word, documents FROM search_terms
     WHERE term >= ? AND term < ? AND length(coalesce(word, term)) BETWEEN ? AND ? AND term NOT GLOB '*[-_./0-9]*'`,
  );
  const exactly = db.prepare<WordRow>(
    "SELECT term, coalesce(word, term) AS word, documents FROM search_terms WHERE term = ?",
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
    among(words) {
      const terms = new Set(words.map(stem));
      return merged([
        ...[...terms].flatMap((term) => exactly.all([term])),
        ...inTail().filter(({ term }) => terms.has(term)),
      ]);
    },
  };
}

/** Labels stand in no passage, and are no words. */
function tailWords(reader: Reader): StoredWord[] {
  const found: StoredWord[] = [];
  for (const [term, having] of reader.tailTerms().terms()) {
    const [first] = having;
    if (first?.counts.passages.has(term))
      found.push({ term, word: first.analysed.words.get(term) ?? term, documents: having.size });
  }
  return found;
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

// The words that are stored, for corrections: those of packed documents and those of the tail.
import type { Database } from "../../host/sqlite.ts";
import type { StoredWord, Words } from "../query/correct.ts";
import { stem } from "../text/stem.ts";
import type { Reader } from "./reader.ts";
import { isWord as isWordTerm, spelling } from "./schema.ts";

type WordRow = StoredWord & Record<string, number | string>;

/** A look-up of stored words. */
export function storedWords(db: Database, reader: Reader): Words {
  const { word: written, initial, length, isWord } = spelling;
  const fields = `term, ${written} AS word, documents`;
  const beginning = db.prepare<WordRow>(
    `SELECT ${fields} FROM search_terms WHERE term >= $from AND term < $to
     AND substr(${written}, 1, length($start)) = $start AND ${length} BETWEEN $shortest AND $longest AND ${isWord}`,
  );
  const near = db.prepare<WordRow>(
    `SELECT ${fields} FROM search_terms INDEXED BY search_terms_by_spelling
     WHERE ${initial} = $initial AND ${length} BETWEEN $shortest AND $longest AND ${isWord}
     AND (instr(${written}, $first) OR instr(${written}, $second) OR instr(${written}, $third))`,
  );
  const exactly = db.prepare<WordRow>(`SELECT ${fields} FROM search_terms WHERE term = ?`);

  return {
    beginning(start, shortest, longest) {
      const fits = (word: string) =>
        word.startsWith(start) && word.length >= shortest && word.length <= longest;
      // A stem may differ from its word in the last letters; what was typed may be longer than the stem.
      const from = start.slice(0, 3);
      const stored = beginning
        .all({ from, to: `${from}\u{10ffff}`, start, shortest, longest })
        .filter(({ word }) => fits(word));
      return merged([...stored, ...tailWords(reader, fits)]);
    },
    near(typed, most) {
      const [first = "", second = first, third = second] = untouched(typed, most);
      const [start = ""] = typed;
      const [shortest, longest] = [typed.length - most, typed.length + most];
      const fits = (word: string) =>
        word.startsWith(start) && word.length >= shortest && word.length <= longest;
      const stored = near
        .all({ initial: start, shortest, longest, first, second, third })
        .filter(({ word }) => fits(word));
      return merged([...stored, ...tailWords(reader, fits)]);
    },
    among(words) {
      const terms = new Set(words.map(stem));
      return merged([
        ...[...terms].flatMap((term) => exactly.all([term])),
        ...tailWords(reader, (_, term) => terms.has(term)),
      ]);
    },
  };
}

/**
 * Parts of a word of which whatever is at most so many errors away, one or two, has at least one. They do not touch, so that
 * neighbours that change places spoil but one of them.
 */
function untouched(word: string, errors: number): string[] {
  const letters = [...word];
  if (letters.length < 5) {
    const [one = "", two = "", three = "", four = ""] = letters;
    return [one + two, three + four, one + three + two + four];
  }
  const size = (letters.length - errors) / (errors + 1);
  return Array.from({ length: errors + 1 }, (_, part) => {
    const start = Math.round(part * (size + 1));
    return letters.slice(start, Math.round((part + 1) * (size + 1)) - 1).join("");
  });
}

/** Words of the tail that pass. Labels stand in no passage, and are no words. */
function tailWords(reader: Reader, passes: (word: string, term: string) => boolean): StoredWord[] {
  const found: StoredWord[] = [];
  for (const [term, having] of reader.tailTerms().terms()) {
    const [first] = having;
    const word = first?.analysed.words.get(term) ?? term;
    if (isWordTerm(term) && passes(word, term) && first?.counts.passages.has(term))
      found.push({ term, word, documents: having.size });
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

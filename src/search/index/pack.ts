// Writes the index: packs the documents of the tail, whose postings go to their blocks.
import type { Database } from "../../host/sqlite.ts";
import {
  type Analysed,
  fieldOf,
  fields,
  type Passage,
  readPieces,
  type SearchDocument,
  type Token,
} from "../document.ts";
import { addForward, packForward, parseTail, type TailRow } from "./forward.ts";
import {
  blockSize,
  type Columns,
  changePacked,
  joined,
  keptLength,
  levelOf,
  numberOfName,
  packPostings,
  postingAt,
  readColumns,
  slotOf,
  spanSize,
  writeColumns,
} from "./schema.ts";

/** What says which document it is, wherever it comes from. */
type Facts = Pick<SearchDocument, "id" | "kind" | "session" | "project" | "time" | "position">;

/** Packs the oldest `most` documents of the tail and gives how many there were; call it inside a transaction. */
export function packTail(db: Database, most: number): number {
  const rows = db
    .prepare<TailRow & Record<string, string | number>>(
      "SELECT * FROM search_tail ORDER BY number LIMIT ?",
    )
    .all([most]);
  const last = rows.at(-1);
  if (!last) return 0;
  const batch = createBatch();
  for (const row of rows) batch.add(row, parseTail(row));
  batch.write(db);
  db.prepare("DELETE FROM search_tail WHERE number <= ?").run([last.number]);
  return rows.length;
}

/** Packs documents whose ids the index does not hold; call it inside a transaction. */
export function pack(db: Database, documents: readonly SearchDocument[]): void {
  const batch = createBatch();
  for (const document of documents) batch.read(document);
  batch.write(db);
}

/** One document of a batch: where its numbers end in the lists of all. */
interface Gathered {
  document: Facts;
  length: number;
  passages: number;
  passageLength: number;
  endOfForward: number;
  endOfEntries: number;
}

export type Batch = ReturnType<typeof createBatch>;

/**
 * Documents that are packed together: what they hold is gathered as numbers, a document at a time, and written at once, so that each row
 * of a term is read and written once for all of them. A term has a number of the batch's own until then.
 */
export function createBatch() {
  const terms = new Map<string, number>();
  /** How each is written, where that differs. */
  const words: Array<string | undefined> = [];
  const documents: Gathered[] = [];
  const forward = numberList();
  /** For each term of each document: the term, its level, and in how many passages it stands. */
  const entries = { terms: numberList(), levels: numberList(), passages: numberList() };
  const count = counter();
  const serial = ++batches;
  const numberOf = (term: string): number => {
    const known = terms.get(term);
    if (known !== undefined) return known;
    terms.set(term, terms.size);
    return terms.size - 1;
  };
  /** A token that comes again is not looked up. */
  const ofToken = (token: Token): number => {
    if (token.batch === serial && token.place !== undefined) return token.place;
    const place = numberOf(token.term);
    if (token.word !== token.term) words[place] ??= token.word;
    token.batch = serial;
    token.place = place;
    return place;
  };

  function gather(
    { id, kind, session, project, time, position }: Facts,
    numbered: { passages: Array<Passage<number>>; labels: number[] },
  ): void {
    const { length, passageLength } = count(numbered, (term, weight, passages) => {
      entries.terms.add(term);
      entries.levels.add(levelOf(weight));
      entries.passages.add(passages);
    });
    addForward(numbered, forward.add);
    documents.push({
      // Without its texts, of which thousands would be kept.
      document: { id, kind, session, project, time, ...(position !== undefined && { position }) },
      ...{ length, passageLength, passages: numbered.passages.length },
      endOfForward: forward.length(),
      endOfEntries: entries.terms.length(),
    });
  }

  return {
    size: (): number => documents.length,
    /** One that was analysed before. */
    add(document: Facts, analysed: Analysed): void {
      const passages = analysed.passages.map((passage) => ({
        ...passage,
        terms: passage.terms.map(numberOf),
        names: passage.names.map(numberOf),
      }));
      gather(document, { passages, labels: analysed.labels.map(numberOf) });
      for (const [term, word] of analysed.words) words[numberOf(term)] ??= word;
    },
    read: (document: SearchDocument): void =>
      gather(document, readPieces(document, { ofToken, ofText: numberOf })),
    /** Writes those that `isKept` says, by their places; the ids of these the index must not hold. Call it inside a transaction. */
    write(db: Database, isKept: (at: number) => boolean = () => true): void {
      const kept = placed(db, documents, isKept);
      const sums = sumsOf(entries, kept, terms.size);
      const known = numberTerms(db, terms, words, sums);
      writeDocuments(db, kept, forward.all(), known.numbers);
      writePostings(db, { entries, kept, sums, known });
      changePacked(db, {
        documents: kept.length,
        length: kept.reduce((sum, { length }) => sum + length, 0),
        passages: kept.reduce((sum, { passages }) => sum + passages, 0),
        passageLength: kept.reduce((sum, { passageLength }) => sum + passageLength, 0),
      });
    },
  };
}

/** Batches that were begun. */
let batches = 0;

/** Makes the sums that `countsOf` makes, of one document after the other, without a map for each. */
function counter() {
  /** Of each term four numbers that stand together: of which document they are, counted from 1, the weight, the passages, and the last of them. */
  let sums = new Float64Array(4 * 4_096);
  let document = 0;
  let found: number[] = [];

  function add(term: number, weight: number, passage: number): void {
    const at = 4 * term;
    if (at >= sums.length) {
      const more = new Float64Array(2 * at);
      more.set(sums);
      sums = more;
    }
    if (sums[at] !== document) {
      sums[at] = document;
      sums[at + 1] = 0;
      sums[at + 2] = 0;
      sums[at + 3] = -1;
      found.push(term);
    }
    (sums[at + 1] as number) += weight;
    if (passage < 0 || sums[at + 3] === passage) return;
    (sums[at + 2] as number)++;
    sums[at + 3] = passage;
  }

  return (
    { passages, labels }: { passages: ReadonlyArray<Passage<number>>; labels: readonly number[] },
    each: (term: number, weight: number, passages: number) => void,
  ): { length: number; passageLength: number } => {
    document++;
    found = [];
    let length = 0;
    let passageLength = 0;
    for (let at = 0; at < passages.length; at++) {
      const { field, terms, names } = passages[at] as Passage<number>;
      const weight = fields[fieldOf(field)].document;
      for (const term of terms) add(term, weight, at);
      for (const name of names) add(name, weight, at);
      length += weight * terms.length;
      passageLength += terms.length;
    }
    for (const label of labels) add(label, 1, -1);
    for (const term of found)
      each(term, sums[4 * term + 1] as number, sums[4 * term + 2] as number);
    return { length, passageLength };
  };
}

/** Whole numbers below 2^31, one after the other. */
function numberList() {
  let values = new Int32Array(1_024);
  let length = 0;
  return {
    add(value: number): void {
      if (length === values.length) {
        const larger = new Int32Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    length: (): number => length,
    all: (): Int32Array => values.subarray(0, length),
  };
}
type Entries = Record<"terms" | "levels" | "passages", ReturnType<typeof numberList>>;

/** A document that is written, with its numbers in the index and its stretches of the batch's lists. */
interface Placed extends Gathered {
  number: number;
  project: number;
  kind: number;
  forward: number;
  entries: number;
}

function placed(
  db: Database,
  documents: readonly Gathered[],
  isKept: (at: number) => boolean,
): Placed[] {
  const highest = db.get<{ n: number | null }>("SELECT max(number) AS n FROM search_documents")?.n;
  const nameAs = numbersOfNames(db);
  let number = (highest ?? -1) + 1;
  return documents.flatMap((one, at) => {
    if (!isKept(at)) return [];
    const before = documents[at - 1];
    return {
      ...one,
      number: number++,
      project: nameAs("project", one.document.project),
      kind: nameAs("kind", one.document.kind),
      forward: before?.endOfForward ?? 0,
      entries: before?.endOfEntries ?? 0,
    };
  });
}

/** Numbers of names, each looked up once. */
function numbersOfNames(db: Database) {
  const known = new Map<string, number>();
  return (what: Parameters<typeof numberOfName>[1], name: string): number => {
    const key = `${what} ${name}`;
    const number = known.get(key) ?? numberOfName(db, what, name);
    known.set(key, number);
    return number;
  };
}

/** By the batch's terms: how many of the documents that are written have it, and how many of their passages. */
interface Sums {
  documents: Int32Array;
  passages: Int32Array;
}

function sumsOf(entries: Entries, kept: readonly Placed[], size: number): Sums {
  const sums = { documents: new Int32Array(size), passages: new Int32Array(size) };
  const [terms, passages] = [entries.terms.all(), entries.passages.all()];
  for (const { entries: from, endOfEntries } of kept)
    for (let at = from; at < endOfEntries; at++) {
      const term = terms[at] as number;
      (sums.documents[term] as number)++;
      (sums.passages[term] as number) += passages[at] as number;
    }
  return sums;
}

/** By the batch's terms: their numbers in the index, and whether they were there before. */
interface KnownTerms {
  numbers: Float64Array;
  isNew: Uint8Array;
}

/** In the order of their index. A term that is known keeps its place among the spellings: only its sums are written. */
function numberTerms(
  db: Database,
  terms: ReadonlyMap<string, number>,
  words: ReadonlyArray<string | undefined>,
  { documents, passages }: Sums,
): KnownTerms {
  const known = { numbers: new Float64Array(terms.size), isNew: new Uint8Array(terms.size) };
  const count = db.prepare<{ number: number; word: string | null }>(
    "UPDATE search_terms SET documents = documents + ?, passages = passages + ? WHERE term = ? RETURNING number, word",
  );
  const add = db.prepare(
    "INSERT INTO search_terms (term, word, documents, passages) VALUES (?, ?, ?, ?)",
  );
  const spell = db.prepare("UPDATE search_terms SET word = ? WHERE number = ?");
  for (const term of [...terms.keys()].sort()) {
    const at = terms.get(term) as number;
    // Of documents that are left out alone.
    if (documents[at] === 0) continue;
    const word = words[at];
    const sums = [documents[at] as number, passages[at] as number] as const;
    const there = count.get([...sums, term]);
    known.numbers[at] = there?.number ?? add.run([term, word, ...sums]).lastInsertRowid;
    if (!there) known.isNew[at] = 1;
    else if (there.word === null && word !== undefined) spell.run([word, there.number]);
  }
  return known;
}

function writeDocuments(
  db: Database,
  kept: readonly Placed[],
  forward: Int32Array,
  numbers: Float64Array,
): void {
  const blocks = new Map<number, Columns>();
  const nameAs = numbersOfNames(db);
  const write = db.prepare(
    "INSERT INTO search_documents (number, id, kind, session, project, time, position, forward) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const one of kept) {
    const { number, document, kind, project } = one;
    const { id, session, time, position = 0 } = document;
    const bytes = packForward(forward.subarray(one.forward, one.endOfForward), numbers);
    const ofSession = nameAs("session", session);
    write.run([number, id, kind, ofSession, project, time, position, bytes]);
    const block = Math.floor(number / blockSize);
    const slot = number % blockSize;
    const columns = blocks.get(block) ?? readColumns(db, block);
    blocks.set(block, columns);
    columns.lengths[slot] = keptLength(one.length);
    columns.kinds[slot] = kind;
    columns.times[slot] = time;
  }
  for (const [block, columns] of blocks) writeColumns(db, block, columns);
}

interface Written {
  entries: Entries;
  kept: readonly Placed[];
  sums: Sums;
  known: KnownTerms;
}

/** In the order of the table, so that each page of it is touched once. */
function writePostings(db: Database, { entries, kept, sums, known }: Written): void {
  const find = db.prepare<{ last: number; postings: Uint8Array }>(
    "SELECT last, postings FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  const write = db.prepare(
    "INSERT OR REPLACE INTO search_postings (term, span, project, last, postings) VALUES (?, ?, ?, ?, ?)",
  );
  const { places, placeOf } = placesOf(kept);
  const lists: number[][] = places.map(() => []);
  const { ends, of, values } = byTerm(entries, kept, sums);
  const { numbers, isNew } = known;
  const order = Array.from(numbers.keys()).filter((term) => sums.documents[term] !== 0);
  for (const term of order.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))) {
    const end = ends[term] as number;
    for (let at = end - (sums.documents[term] as number); at < end; at++)
      lists[placeOf[of[at] as number] as number]?.push(values[at] as number);
    for (const [place, { span, project }] of places.entries()) {
      const list = lists[place] ?? [];
      if (list.length === 0) continue;
      const row = [numbers[term] as number, span, project] as const;
      const there = isNew[term] ? undefined : find.get(row);
      const all = there ? joined(there.postings, there.last, list) : packPostings(list);
      write.run([...row, slotOf(list.at(-1) ?? 0), all]);
      list.length = 0;
    }
  }
}

/** Spans and projects of a batch, in the order of the table, and which of them each document is of. */
function placesOf(kept: readonly Placed[]) {
  const spansAtMost = 2 ** 20;
  const keys = kept.map(
    ({ number, project }) => Math.floor(number / spanSize) + project * spansAtMost,
  );
  const sorted = [...new Set(keys)].map((key) => ({
    ...{ key, span: key % spansAtMost, project: Math.floor(key / spansAtMost) },
  }));
  const places = sorted.sort((a, b) => a.span - b.span || a.project - b.project);
  const at = new Map(places.map(({ key }, place) => [key, place]));
  return { places, placeOf: Int32Array.from(keys, (key) => at.get(key) ?? 0) };
}

/** The postings of each term, in the order of the documents: which of `kept` each is of; a term's end where `ends` says. */
function byTerm(entries: Entries, kept: readonly Placed[], { documents }: Sums) {
  const ends = new Int32Array(documents.length);
  let total = 0;
  for (const [term, count] of documents.entries()) {
    ends[term] = total;
    total += count;
  }
  const of = new Int32Array(total);
  const values = new Int32Array(total);
  const [terms, levels] = [entries.terms.all(), entries.levels.all()];
  for (const [place, { number, entries: from, endOfEntries }] of kept.entries())
    for (let at = from; at < endOfEntries; at++) {
      const term = terms[at] as number;
      const to = (ends[term] as number)++;
      of[to] = place;
      values[to] = postingAt(number % spanSize, levels[at] as number);
    }
  return { ends, of, values };
}

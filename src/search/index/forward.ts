// What a document holds, by term numbers, as bytes: its passages are ranked by it, and it tells what to take out again.
import type { Database } from "../../host/sqlite.ts";
import {
  type Analysed,
  analyse,
  type DocumentFacts,
  fieldOf,
  fields,
  type Passage,
  type SearchDocument,
} from "../document.ts";
import {
  blockSize,
  changePacked,
  changeTail,
  newStamp,
  packPostings,
  readColumns,
  slotOf,
  spanSize,
  without,
  writeColumns,
} from "./schema.ts";

// Whole numbers as bytes, small ones in one.

/** Gives the numbers that were written, one after the other. Throws a RangeError at the end. */
function byteReader(bytes: Uint8Array): () => number {
  let at = 0;
  const byte = () => {
    const next = bytes[at++];
    if (next === undefined) throw new RangeError("The bytes end in the middle of a number.");
    return next;
  };
  return () => {
    let last = byte();
    let value = last & 127;
    for (let scale = 128; last > 127; scale *= 128) {
      last = byte();
      value += (last & 127) * scale;
    }
    return value;
  };
}

/** A passage by numbers of terms. */
interface NumberedPassage {
  field: number;
  piece: number;
  start: number;
  end: number;
  terms: number[];
  names: number[];
}

/** A document by numbers of terms. */
export interface Forward {
  passages: NumberedPassage[];
  labels: number[];
}

/** Gives `add` its numbers in the order of its bytes. Those of terms come as negative ones: they may still be others than the index's. */
export function addForward({ passages, labels }: Forward, add: (value: number) => void): void {
  const list = (numbers: readonly number[]) => {
    add(numbers.length);
    for (const number of numbers) add(~number);
  };
  add(passages.length);
  for (const { field, piece, start, end, terms, names } of passages) {
    add(field);
    add(piece);
    add(start);
    add(end - start);
    list(terms);
    list(names);
  }
  list(labels);
}

/** Made once: most of what is written is small. */
let scratch = new Uint8Array(4_096);
/** That a number of up to 2^53 takes. */
const mostBytes = 8;

/** What `addForward` gave, as bytes; `numbers` has those of the terms in the index. */
export function packForward(values: Int32Array, numbers: Float64Array): Uint8Array {
  if (scratch.length < values.length * mostBytes)
    scratch = new Uint8Array(values.length * mostBytes * 2);
  const bytes = scratch;
  let length = 0;
  for (const value of values) {
    let rest = value < 0 ? (numbers[~value] as number) : value;
    while (rest > 127) {
      bytes[length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    bytes[length++] = rest;
  }
  return bytes.slice(0, length);
}

/** From bytes. Throws a RangeError when they are cut off. */
export function unpackForward(bytes: Uint8Array): Forward {
  const next = byteReader(bytes);
  const list = () => {
    const numbers: number[] = [];
    for (let left = next(); left > 0; left--) numbers.push(next());
    return numbers;
  };
  const passages: NumberedPassage[] = [];
  for (let left = next(); left > 0; left--) {
    const field = next();
    const piece = next();
    const start = next();
    const end = start + next();
    passages.push({ field, piece, start, end, terms: list(), names: list() });
  }
  return { passages, labels: list() };
}

/** A passage by what it has of a query: places in the query's list of terms. */
export interface MatchedPassage {
  field: number;
  piece: number;
  start: number;
  end: number;
  /** Words of the passage. */
  length: number;
  /** Found terms and names, in order. */
  found: number[];
  /** For each word of the passage the term that it is, or -1; only where the order was asked for. */
  order: number[] | undefined;
}

/** Which numbers of terms a query may want: a look at few bytes spares most look-ups. */
const sieve = new Uint8Array(4_096);
const sieveMask = sieve.length - 1;

/**
 * Reads what a query needs of a packed document, and nothing else: this runs for every document that is ranked.
 * `wanted` leads from a term's number to its place in the query. Throws a RangeError when the bytes are cut off.
 */
export function matchForward(
  bytes: Uint8Array,
  wanted: ReadonlyMap<number, number>,
  inOrder: boolean,
): MatchedPassage[] {
  for (const number of wanted.keys()) sieve[number & sieveMask] = 1;
  try {
    return matched(bytes, wanted, inOrder);
  } finally {
    for (const number of wanted.keys()) sieve[number & sieveMask] = 0;
  }
}

function matched(
  bytes: Uint8Array,
  wanted: ReadonlyMap<number, number>,
  inOrder: boolean,
): MatchedPassage[] {
  const next = byteReader(bytes);
  const term = (): number => {
    const number = next();
    return sieve[number & sieveMask] === 0 ? -1 : (wanted.get(number) ?? -1);
  };
  const passages: MatchedPassage[] = [];
  for (let left = next(); left > 0; left--) {
    const field = next();
    const piece = next();
    const start = next();
    const end = start + next();
    const found: number[] = [];
    const length = next();
    const order: number[] | undefined = inOrder ? [] : undefined;
    for (let i = 0; i < length; i++) {
      const place = term();
      if (place >= 0) found.push(place);
      order?.push(place);
    }
    for (let names = next(); names > 0; names--) {
      const place = term();
      if (place >= 0) found.push(place);
    }
    passages.push({ field, piece, start, end, length, found, order });
  }
  return passages;
}

// Sums over a document's passages: what its postings, its length and the index's totals are made of.

/** What a document has of one term. */
interface Count {
  /** Weighted; labels count once. */
  weight: number;
  /** In how many passages it stands; labels in none. */
  passages: number;
  /** The last of them. */
  last: number;
}

/** A document in sums, its terms as text or by number. */
interface Counts<Term> {
  terms: Map<Term, Count>;
  /** Weighted words. */
  length: number;
  passageLength: number;
}

/** Counts of an analysed document, or of a packed one: the same sums. */
export function countsOf<Term>({
  passages,
  labels,
}: {
  passages: ReadonlyArray<{ field: number; terms: Term[]; names: Term[] }>;
  labels: readonly Term[];
}): Counts<Term> {
  const counts: Counts<Term> = { terms: new Map(), length: 0, passageLength: 0 };
  for (const [at, { field, terms, names }] of passages.entries()) {
    const weight = fields[fieldOf(field)].document;
    for (const list of [terms, names])
      for (const term of list) {
        const known = counts.terms.get(term);
        const count = known ?? { weight: 0, passages: 0, last: -1 };
        if (!known) counts.terms.set(term, count);
        count.weight += weight;
        if (count.last !== at) count.passages++;
        count.last = at;
      }
    counts.length += weight * terms.length;
    counts.passageLength += terms.length;
  }
  for (const label of labels) counts.terms.set(label, { weight: 1, passages: 0, last: -1 });
  return counts;
}

// The newest documents: one row each, as they came, until they are packed.

/** A row of the tail. */
export interface TailRow extends DocumentFacts {
  number: number;
  stamp: number;
  analysed: string;
}

/** A document that is not packed yet, ready to be compared. */
export interface TailDocument extends Omit<TailRow, "analysed"> {
  analysed: Analysed;
  counts: Counts<string>;
  labels: ReadonlySet<string>;
}

type KeptPassage = [
  field: number,
  piece: number,
  start: number,
  end: number,
  terms: string,
  names: string,
];
interface Kept {
  p: KeptPassage[];
  l: string[];
  w: Array<[term: string, word: string]>;
}

/** Adds a document whose id the index does not hold; call it inside the transaction that writes its record. */
export function addToTail(db: Database, document: SearchDocument): void {
  const { passages, labels, words } = analyse(document);
  const kept: Kept = {
    p: passages.map(({ field, piece, start, end, terms, names }) => [
      field,
      piece,
      start,
      end,
      terms.join(" "),
      names.join(" "),
    ]),
    l: labels,
    w: [...words],
  };
  db.prepare(
    "INSERT INTO search_tail (stamp, id, kind, session, project, time, position, analysed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  ).run([
    newStamp(),
    document.id,
    document.kind,
    document.session,
    document.project,
    document.time,
    document.position ?? 0,
    JSON.stringify(kept),
  ]);
  changeTail(db);
}

/** What a row holds. Throws when it is not what was written. */
export function parseTail({ analysed }: TailRow): Analysed {
  const kept = JSON.parse(analysed) as Kept;
  return {
    passages: kept.p.map(
      ([field, piece, start, end, terms, names]): Passage => ({
        field,
        piece,
        start,
        end,
        terms: split(terms),
        names: split(names),
      }),
    ),
    labels: kept.l,
    words: new Map(kept.w),
  };
}

function split(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

// Takes a document out again: its postings, its counts, and every term that nothing else has.

interface DocumentRow {
  number: number;
  session: number;
  project: number;
  forward: Uint8Array;
}

/** Removes the document of an id and tells whether there was one; call it inside a transaction. */
export function removeDocument(db: Database, id: string): boolean {
  const inTail = db.prepare("DELETE FROM search_tail WHERE id = ?").run([id]).changes > 0;
  const row = db
    .prepare<DocumentRow & Record<string, number | Uint8Array>>(
      "SELECT number, session, project, forward FROM search_documents WHERE id = ?",
    )
    .get([id]);
  if (row) removePacked(db, row);
  else if (inTail) changeTail(db);
  return inTail || row !== undefined;
}

function removePacked(db: Database, { number, session, project, forward }: DocumentRow): void {
  const document = unpackForward(forward);
  const counts = countsOf(document);
  const block = Math.floor(number / blockSize);
  const slot = number % blockSize;
  removeTerms(db, counts.terms, {
    project,
    span: Math.floor(number / spanSize),
    slot: number % spanSize,
  });
  const columns = readColumns(db, block);
  columns.lengths[slot] = 0;
  columns.kinds[slot] = 0;
  columns.times[slot] = 0;
  writeColumns(db, block, columns);
  db.prepare("DELETE FROM search_documents WHERE number = ?").run([number]);
  db.prepare(
    `DELETE FROM search_names WHERE what = 'session' AND number = $session
     AND NOT EXISTS (SELECT 1 FROM search_documents WHERE session = $session)`,
  ).run({ session });
  db.prepare(
    `DELETE FROM search_names WHERE what = 'project' AND number = $project
     AND NOT EXISTS (SELECT 1 FROM search_documents WHERE project = $project)`,
  ).run({ project });
  changePacked(db, {
    documents: -1,
    length: -counts.length,
    passages: -document.passages.length,
    passageLength: -counts.passageLength,
  });
}

function removeTerms(
  db: Database,
  terms: ReturnType<typeof countsOf<number>>["terms"],
  { project, span, slot }: { project: number; span: number; slot: number },
): void {
  const find = db.prepare<{ postings: Uint8Array }>(
    "SELECT postings FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  const write = db.prepare(
    "UPDATE search_postings SET last = ?, postings = ? WHERE term = ? AND span = ? AND project = ?",
  );
  const drop = db.prepare(
    "DELETE FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  // How a term was written may have been written by this document alone.
  const count = db.prepare(
    "UPDATE search_terms SET documents = documents - 1, passages = passages - ?, word = NULL WHERE number = ?",
  );
  const forget = db.prepare("DELETE FROM search_terms WHERE number = ? AND documents <= 0");
  for (const [term, { passages }] of terms) {
    const known = find.get([term, span, project])?.postings;
    const left = known && without(known, slot);
    if (left) write.run([slotOf(left.at(-1) ?? 0), packPostings(left), term, span, project]);
    else drop.run([term, span, project]);
    count.run([passages, term]);
    forget.run([term]);
  }
}

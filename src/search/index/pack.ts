// Writes the index: packs the documents of the tail, whose postings go to their blocks, and takes documents out again.
import type { Database } from "../../host/sqlite.ts";
import type { Analysed, Passage, SearchDocument } from "../document.ts";
import { countsOf, packForward, parseTail, type TailRow, unpackForward } from "./forward.ts";
import {
  blockSize,
  type Columns,
  changePacked,
  changeTail,
  joined,
  keptLength,
  numberOfName,
  packPostings,
  posting,
  readColumns,
  slotOf,
  spanSize,
  type Totals,
  without,
  writeColumns,
} from "./schema.ts";

/** A term of the batch that is being packed. */
interface Gathered {
  term: string;
  word: string | undefined;
  documents: number;
  passages: number;
  number: number;
  /** By span and project. */
  postings: Map<number, number[]>;
}

/** A document as it goes into its block. */
interface Packing {
  document: Pick<SearchDocument, "id" | "kind" | "session" | "project" | "time" | "position">;
  analysed: Analysed;
}

/** The same by the batch's terms: each text of a term is looked up once. */
interface Gathering {
  number: number;
  document: Packing["document"];
  project: number;
  kind: number;
  passages: Array<Omit<Passage, "terms" | "names"> & { terms: Gathered[]; names: Gathered[] }>;
  labels: Gathered[];
}

/** Packs the oldest `most` documents of the tail and gives how many there were; call it inside a transaction. */
export function packTail(db: Database, most: number): number {
  const rows = db
    .prepare<TailRow & Record<string, string | number>>(
      "SELECT * FROM search_tail ORDER BY number LIMIT ?",
    )
    .all([most]);
  const last = rows.at(-1);
  if (!last) return 0;
  pack(
    db,
    rows.map((row) => ({ document: row, analysed: parseTail(row) })),
  );
  db.prepare("DELETE FROM search_tail WHERE number <= ?").run([last.number]);
  return rows.length;
}

/** Packs documents whose ids the index does not hold; call it inside a transaction. */
export function pack(db: Database, documents: readonly Packing[]): void {
  const highest = db
    .prepare<{ n: number | null }>("SELECT max(number) AS n FROM search_documents")
    .get()?.n;
  const first = (highest ?? -1) + 1;
  changePacked(db, packBatch(db, documents, first));
}

function packBatch(db: Database, batch: readonly Packing[], first: number): Totals {
  const totals: Totals = { documents: 0, length: 0, passages: 0, passageLength: 0 };
  const terms = new Map<string, Gathered>();
  const blocks = new Map<number, Columns>();
  const gathered = batch.map(({ document, analysed }, at): Gathering => {
    const number = first + at;
    const project = numberOfName(db, "project", document.project);
    const kind = numberOfName(db, "kind", document.kind);
    const { passages, labels } = byTerms(terms, analysed);
    const counts = countsOf({ passages, labels });
    const key = keyOf(Math.floor(number / spanSize), project);
    for (const [term, count] of counts.terms) {
      term.word ??= analysed.words.get(term.term);
      term.documents++;
      term.passages += count.passages;
      const list = term.postings.get(key);
      const one = posting(number % spanSize, count.weight);
      if (list) list.push(one);
      else term.postings.set(key, [one]);
    }
    const block = Math.floor(number / blockSize);
    const slot = number % blockSize;
    const columns = blocks.get(block) ?? readColumns(db, block);
    blocks.set(block, columns);
    columns.lengths[slot] = keptLength(counts.length);
    columns.kinds[slot] = kind;
    columns.times[slot] = document.time;
    totals.documents++;
    totals.length += counts.length;
    totals.passages += passages.length;
    totals.passageLength += counts.passageLength;
    return { number, document, project, kind, passages, labels };
  });
  numberTerms(db, terms);
  for (const one of gathered) writeDocument(db, one);
  writePostings(db, terms);
  for (const [block, columns] of blocks) writeColumns(db, block, columns);
  return totals;
}

function byTerms(
  all: Map<string, Gathered>,
  { passages, labels }: Analysed,
): Pick<Gathering, "passages" | "labels"> {
  const gathered = (term: string): Gathered => {
    let known = all.get(term);
    if (!known) {
      known = { term, word: undefined, documents: 0, passages: 0, number: 0, postings: new Map() };
      all.set(term, known);
    }
    return known;
  };
  return {
    passages: passages.map(({ field, piece, start, end, terms, names }) => ({
      ...{ field, piece, start, end },
      ...{ terms: terms.map(gathered), names: names.map(gathered) },
    })),
    labels: labels.map(gathered),
  };
}

/** A span and a project as one number. */
const spansAtMost = 2 ** 20;
const keyOf = (span: number, project: number): number => project * spansAtMost + span;

/** In the order of their index. A term that is known keeps its place among the spellings: only its sums are written. */
function numberTerms(db: Database, terms: Map<string, Gathered>): void {
  const find = db.prepare<{ number: number; word: string | null }>(
    "SELECT number, word FROM search_terms WHERE term = ?",
  );
  const add = db.prepare(
    "INSERT INTO search_terms (term, word, documents, passages) VALUES (?, ?, ?, ?)",
  );
  const count = db.prepare(
    "UPDATE search_terms SET documents = documents + ?, passages = passages + ? WHERE number = ?",
  );
  const spell = db.prepare("UPDATE search_terms SET word = ? WHERE number = ?");
  for (const term of [...terms.keys()].sort()) {
    const gathered = terms.get(term) as Gathered;
    const { word, documents, passages } = gathered;
    const known = find.get([term]);
    gathered.number = known?.number ?? add.run([term, word, documents, passages]).lastInsertRowid;
    if (!known) continue;
    count.run([documents, passages, known.number]);
    if (known.word === null && word !== undefined) spell.run([word, known.number]);
  }
}

function writeDocument(db: Database, gathering: Gathering): void {
  const { number, document: row, project, kind, passages, labels } = gathering;
  const numbers = (list: readonly Gathered[]) => list.map((term) => term.number);
  const forward = packForward({
    passages: passages.map((passage) => ({
      ...passage,
      terms: numbers(passage.terms),
      names: numbers(passage.names),
    })),
    labels: numbers(labels),
  });
  db.prepare(
    "INSERT INTO search_documents (number, id, kind, session, project, time, position, forward) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  ).run([
    number,
    row.id,
    kind,
    numberOfName(db, "session", row.session),
    project,
    row.time,
    row.position ?? 0,
    forward,
  ]);
}

/** In the order of the table, so that each page of it is touched once. */
function writePostings(db: Database, terms: Map<string, Gathered>): void {
  const find = db.prepare<{ last: number; postings: Uint8Array }>(
    "SELECT last, postings FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  const write = db.prepare(
    "INSERT OR REPLACE INTO search_postings (term, span, project, last, postings) VALUES (?, ?, ?, ?, ?)",
  );
  for (const { number, postings } of [...terms.values()].sort((a, b) => a.number - b.number))
    for (const [key, more] of postings) {
      const [span, project] = [key % spansAtMost, Math.floor(key / spansAtMost)];
      const known = find.get([number, span, project]);
      const all = known ? joined(known.postings, known.last, more) : packPostings(more);
      write.run([number, span, project, slotOf(more.at(-1) ?? 0), all]);
    }
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

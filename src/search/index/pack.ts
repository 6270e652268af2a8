// Writes the index: packs the documents of the tail, whose postings go to their blocks, and takes documents out again.
import type { Database } from "../../host/sqlite.ts";
import type { Analysed, SearchDocument } from "../document.ts";
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
  word: string | undefined;
  documents: number;
  passages: number;
  number: number;
  /** By span, then by project. */
  postings: Map<number, Map<number, number[]>>;
}

/** A document as it goes into its block. */
interface Packing {
  document: Pick<SearchDocument, "id" | "kind" | "session" | "project" | "time" | "position">;
  analysed: Analysed;
}
type Numbered = Packing & { number: number };

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
  changePacked(
    db,
    packBatch(
      db,
      documents.map((packing, i) => ({ ...packing, number: first + i })),
    ),
  );
}

function packBatch(db: Database, batch: readonly Numbered[]): Totals {
  const totals: Totals = { documents: 0, length: 0, passages: 0, passageLength: 0 };
  const terms = new Map<string, Gathered>();
  const blocks = new Map<number, Columns>();
  for (const { document: row, analysed, number } of batch) {
    const counts = countsOf(analysed);
    const project = numberOfName(db, "project", row.project);
    const block = Math.floor(number / blockSize);
    const slot = number % blockSize;
    const span = Math.floor(number / spanSize);
    for (const [term, count] of counts.terms) {
      const gathered = gatheredTerm(terms, term);
      gathered.word ??= analysed.words.get(term);
      gathered.documents++;
      gathered.passages += counts.passages.get(term) ?? 0;
      listIn(gathered.postings, span, project).push(posting(number % spanSize, count));
    }
    let columns = blocks.get(block);
    if (!columns) {
      columns = readColumns(db, block);
      blocks.set(block, columns);
    }
    columns.lengths[slot] = keptLength(counts.length);
    columns.kinds[slot] = numberOfName(db, "kind", row.kind);
    columns.times[slot] = row.time;
    totals.documents++;
    totals.length += counts.length;
    totals.passages += analysed.passages.length;
    totals.passageLength += counts.passageLength;
  }
  numberTerms(db, terms);
  for (const packing of batch) writeDocument(db, packing, terms);
  writePostings(db, terms);
  for (const [block, columns] of blocks) writeColumns(db, block, columns);
  return totals;
}

function gatheredTerm(terms: Map<string, Gathered>, term: string): Gathered {
  let known = terms.get(term);
  if (!known) {
    known = { word: undefined, documents: 0, passages: 0, number: 0, postings: new Map() };
    terms.set(term, known);
  }
  return known;
}

function listIn(postings: Gathered["postings"], span: number, project: number): number[] {
  const projects = postings.get(span) ?? new Map<number, number[]>();
  postings.set(span, projects);
  const list = projects.get(project) ?? [];
  projects.set(project, list);
  return list;
}

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

function writeDocument(
  db: Database,
  { document: row, analysed, number }: Numbered,
  terms: Map<string, Gathered>,
) {
  const numbers = (list: readonly string[]) => list.map((term) => terms.get(term)?.number ?? 0);
  const forward = packForward({
    passages: analysed.passages.map((passage) => ({
      ...passage,
      terms: numbers(passage.terms),
      names: numbers(passage.names),
    })),
    labels: numbers(analysed.labels),
  });
  db.prepare(
    "INSERT INTO search_documents (number, id, kind, session, project, time, position, forward) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  ).run([
    number,
    row.id,
    numberOfName(db, "kind", row.kind),
    numberOfName(db, "session", row.session),
    numberOfName(db, "project", row.project),
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
    for (const [span, projects] of postings)
      for (const [project, more] of projects) {
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
  removeTerms(db, counts.terms.keys(), counts.passages, {
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
  terms: Iterable<number>,
  passages: ReadonlyMap<number, number>,
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
  for (const term of terms) {
    const known = find.get([term, span, project])?.postings;
    const left = known && without(known, slot);
    if (left) write.run([slotOf(left.at(-1) ?? 0), packPostings(left), term, span, project]);
    else drop.run([term, span, project]);
    count.run([passages.get(term) ?? 0, term]);
    forget.run([term]);
  }
}

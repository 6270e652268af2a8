// Takes a document out again: its postings, its counts, and every term that nothing else has.
import type { Database } from "../../host/sqlite.ts";
import { readColumns, writeColumns } from "./columns.ts";
import { countNumbers } from "./counts.ts";
import { unpackForward } from "./forward.ts";
import { blockSize, packPostings, slotOf, spanSize, without } from "./postings.ts";
import { changePacked, changeTail } from "./state.ts";

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
  const counts = countNumbers(document);
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

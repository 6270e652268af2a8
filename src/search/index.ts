// The search engine: finds documents by their words, in one SQLite database that its caller opened.
import type { Database } from "../host/sqlite.ts";
import { analyse } from "./analyse.ts";
import type { SearchDocument } from "./document.ts";
import type { SearchFilter } from "./filter.ts";
import { isSound } from "./index/check.ts";
import { addToTail, countsOf, unpackForward } from "./index/forward.ts";
import { pack as packDocuments, packTail } from "./index/pack.ts";
import {
  blockSize,
  packPostings,
  readColumns,
  slotOf,
  spanSize,
  without,
  writeColumns,
} from "./index/postings.ts";
import { openReader } from "./index/reader.ts";
import {
  changePacked,
  changeTail,
  hasTables,
  indexVersion,
  makeTables,
  newStamp,
  readState,
} from "./index/schema.ts";
import { newestDocuments } from "./newest.ts";
import type { Found, SearchRequest } from "./request.ts";
import { runSearch } from "./search.ts";

export type { Field, Piece, SearchDocument } from "./document.ts";
export type { SearchFilter } from "./filter.ts";
export type { ScoredDocument } from "./rank/passages.ts";
export type { Found, FoundPassage, Hit, SearchRequest, Why } from "./request.ts";

/** An index inside an open database. Everything is synchronous; writes join the caller's transaction where there is one. */
export type SearchIndex = ReturnType<typeof createIndex>;

/** So many documents wait at most: beyond, a put packs some of them. */
const longestTail = 1_024;
const packedAtOnce = 64;

/** To count a row each of many more reads the disk for seconds, where nothing of it is in memory: 1.4 s for 400,000. */
const countedAtMost = 200_000;

/** Opens the index of a database; an empty one takes the place of a missing or an old one, and waits for `rebuild`. */
export function createIndex(db: Database) {
  if (!hasTables(db)) db.transaction(() => makeTables(db));
  const reader = openReader(db);
  const counted = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;

  /**
   * Drops the index and makes it anew, a batch at each step, each giving how many documents are in it so far. Between steps documents may
   * be put, removed and searched; a batch is read when its step begins, so that what was removed does not come back.
   */
  function* rebuild(batches: Iterable<readonly SearchDocument[]>): Generator<number, void> {
    db.transaction(() => makeTables(db));
    reader.forget();
    const isThere = db.prepare(
      "SELECT 1 FROM search_tail WHERE id = $id UNION ALL SELECT 1 FROM search_documents WHERE id = $id",
    );
    let done = 0;
    for (const documents of batches) {
      db.transaction(() => {
        // What was put since the beginning is newer than what was read.
        const missing = documents.filter(({ id }) => isThere.get({ id }) === undefined);
        packDocuments(
          db,
          missing.map((document) => ({ document, analysed: analyse(document) })),
        );
      });
      done += documents.length;
      yield done;
    }
    db.prepare("UPDATE search_state SET complete = 1, stamp = ?").run([newStamp()]);
  }

  return {
    /** Adds a document, or replaces the one of its id. */
    put(document: SearchDocument): void {
      db.transaction(() => {
        removeDocument(db, document.id);
        addToTail(db, document);
        if (counted("search_tail") > longestTail) packTail(db, packedAtOnce);
      });
    },
    /** Takes a document out with every trace of it; false when there is none. */
    remove: (id: string): boolean => db.transaction(() => removeDocument(db, id)),
    search: (request: SearchRequest): Found => runSearch(db, reader, request),
    /** Ids of the documents that pass, the newest first. */
    newest(filter: SearchFilter, limit: number, offset = 0): string[] {
      reader.refresh();
      return newestDocuments(db, reader, filter, limit, offset).map(({ id }) => id);
    },
    /** Documents that are not packed yet. */
    waiting: () => counted("search_tail"),
    /** Packs up to `most` of the newest documents, the oldest first, and tells how many it packed. For idle moments. */
    pack: (most: number): number => db.transaction(() => packTail(db, most)),
    rebuild,
    /** False: it is missing, of another version, or its making was cut off; search finds nothing or not all. */
    isWhole(): boolean {
      const { version, complete } = readState(db);
      return version === indexVersion && complete === 1;
    },
    /** Documents, those of the tail included; up to a number those that are there, whatever the sums say. */
    documents(): number {
      const { documents } = readState(db);
      const packed = documents > countedAtMost ? documents : counted("search_documents");
      return packed + counted("search_tail");
    },
    /** False as soon as a few samples show that something of it is torn or gone. */
    isSound: (): boolean => isSound(db),
  };
}

// Takes a document out again: its postings, its counts, and every term that nothing else has.

interface DocumentRow {
  number: number;
  session: number;
  project: number;
  forward: Uint8Array;
}

/** Removes the document of an id and tells whether there was one; call it inside a transaction. */
function removeDocument(db: Database, id: string): boolean {
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

// The index's tables. They hold nothing that could not be made again from the records, so an old form is dropped, not migrated.
import type { Database } from "../../host/sqlite.ts";

/** Counted up whenever what is kept, or how text is read, changes: an index of another version is built anew. */
export const indexVersion = 3;

/** A term as a word that can be mistyped, in SQL. */
export const spelling = {
  word: "coalesce(word, term)",
  initial: "substr(term, 1, 1)",
  length: "length(coalesce(word, term))",
  isWord: "term NOT GLOB '*[-_./0-9]*'",
} as const;

/** The same of a term in memory: an identifier, a path or a number is no word. */
export function isWord(term: string): boolean {
  return !/[-_./0-9]/.test(term);
}

const tables = () => `
-- One row: the version, and sums over all packed documents. Readers know by "stamp" that anything was written, and by
-- "packed" that it was more than the tail.
CREATE TABLE search_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  packed INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  length REAL NOT NULL,
  passages INTEGER NOT NULL,
  passage_length INTEGER NOT NULL
);

-- The newest documents, as they came: a put is one row. They are packed a batch at a time. No two rows have one "stamp", also
-- where a number comes again: after a write that was rolled back, or an index made anew.
CREATE TABLE search_tail (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  stamp INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,
  time REAL NOT NULL,
  position INTEGER NOT NULL,
  analysed TEXT NOT NULL
);

-- Packed documents; block = number / 8192.
CREATE TABLE search_documents (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind INTEGER NOT NULL,
  session INTEGER NOT NULL,
  project INTEGER NOT NULL,
  time REAL NOT NULL,
  position INTEGER NOT NULL,
  forward BLOB NOT NULL
);
CREATE INDEX search_documents_by_session ON search_documents (session);
CREATE INDEX search_documents_by_time ON search_documents (time);
CREATE INDEX search_documents_by_project ON search_documents (project, time);

-- Kinds, sessions and projects by number, each from 1.
CREATE TABLE search_names (
  what TEXT NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (what, number),
  UNIQUE (what, name)
) WITHOUT ROWID;

-- "word" is how the term was written, where that differs.
CREATE TABLE search_terms (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  term TEXT NOT NULL UNIQUE,
  word TEXT,
  documents INTEGER NOT NULL,
  passages INTEGER NOT NULL
);
-- For corrections: words by their first letter and their length.
CREATE INDEX search_terms_by_spelling ON search_terms (${spelling.initial}, ${spelling.length}, ${spelling.word})
  WHERE ${spelling.isWord};

-- Span = number / 65536; "last" is the slot that comes last. By span before project, so that a search can leave out spans.
CREATE TABLE search_postings (
  term INTEGER NOT NULL,
  span INTEGER NOT NULL,
  project INTEGER NOT NULL,
  last INTEGER NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (term, span, project)
) WITHOUT ROWID;

-- Per block and slot: weighted length, kind, time; and between which times all of them lie. "stamp" tells readers what changed.
CREATE TABLE search_blocks (
  block INTEGER PRIMARY KEY,
  stamp INTEGER NOT NULL,
  oldest REAL,
  newest REAL,
  lengths BLOB NOT NULL,
  kinds BLOB NOT NULL,
  times BLOB NOT NULL
);
INSERT INTO search_state VALUES (1, ${indexVersion}, ${newStamp()}, ${newStamp()}, 0, 0, 0, 0, 0);
`;

/** All tables of the index. */
export const tableNames: readonly string[] = [
  "search_state",
  "search_tail",
  "search_documents",
  "search_names",
  "search_terms",
  "search_postings",
  "search_blocks",
];
/** Of the tables' indexes, the one that a search names. */
const named = ["search_terms_by_spelling"];

/** Makes the tables, empty; what was there before is dropped. */
export function makeTables(db: Database): void {
  for (const name of tableNames) db.exec(`DROP TABLE IF EXISTS ${name}`);
  db.exec(tables());
}

/** Whether tables of this version are there; whether their making came to an end, the state says. Changes nothing. */
export function hasTables(db: Database): boolean {
  const present = db
    .prepare<{ n: number }>(
      "SELECT count(*) AS n FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?))",
    )
    .get([JSON.stringify([...tableNames, ...named])])?.n;
  if (present !== tableNames.length + named.length) return false;
  try {
    const state = db.prepare<{ version: number }>("SELECT version FROM search_state").get();
    return state?.version === indexVersion;
  } catch {
    // Tables of another form.
    return false;
  }
}

// Kinds, sessions and projects by number.

/** What a name names. */
type Named = "kind" | "session" | "project";

/** The number of a name, made when it has none. */
export function numberOfName(db: Database, what: Named, name: string): number {
  const known = knownName(db, what, name);
  if (known !== undefined) return known;
  const added = db
    .prepare<{ number: number }>(
      `INSERT INTO search_names (what, number, name)
       SELECT $what, coalesce(max(number), 0) + 1, $name FROM search_names WHERE what = $what RETURNING number`,
    )
    .get({ what, name });
  return added?.number ?? 0;
}

/** The number of a name, if it has one. */
export function knownName(db: Database, what: Named, name: string): number | undefined {
  return db
    .prepare<{ number: number }>("SELECT number FROM search_names WHERE what = ? AND name = ?")
    .get([what, name])?.number;
}

/** The name behind a number. */
export function nameOf(db: Database, what: Named, number: number): string {
  return (
    db
      .prepare<{ name: string }>("SELECT name FROM search_names WHERE what = ? AND number = ?")
      .get([what, number])?.name ?? ""
  );
}

// The index's one row of sums, and the stamp by which readers notice that something was written.

/** Sums over all packed documents. */
export interface Totals {
  documents: number;
  /** Weighted words of all documents. */
  length: number;
  passages: number;
  /** Words of all passages. */
  passageLength: number;
}

/** The row as it is. */
export interface State extends Totals {
  version: number;
  stamp: number;
  packed: number;
  /** 0 while the index is being built. */
  complete: number;
}

/** Reads the row. */
export function readState(db: Database): State {
  const state = db
    .prepare<State & Record<string, number>>(
      "SELECT version, stamp, packed, complete, documents, length, passages, passage_length AS passageLength FROM search_state",
    )
    .get();
  if (!state) throw new RangeError("The search index has no state.");
  return state;
}

/** Sets a new stamp: the tail was written. Random, so that a write rolled back leaves no number to be met again. */
export function changeTail(db: Database): void {
  db.prepare("UPDATE search_state SET stamp = ?").run([newStamp()]);
}

/** Adds to the sums and sets new stamps: packed documents came or went. */
export function changePacked(db: Database, change: Totals): void {
  db.prepare(
    `UPDATE search_state SET stamp = $stamp, packed = $stamp, documents = documents + $documents, length = length + $length,
     passages = passages + $passages, passage_length = passage_length + $passageLength`,
  ).run({
    stamp: newStamp(),
    documents: change.documents,
    length: change.length,
    passages: change.passages,
    passageLength: change.passageLength,
  });
}

/** A number that no other write has. */
export function newStamp(): number {
  return 2 + Math.floor(Math.random() * 2 ** 52);
}

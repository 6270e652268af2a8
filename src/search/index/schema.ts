// The index's tables. They hold nothing that could not be made again from the records, so an old form is dropped, not migrated.
import type { Database } from "../../host/sqlite.ts";
import { newStamp } from "./state.ts";

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

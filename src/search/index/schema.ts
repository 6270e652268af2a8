// The index's tables. They hold nothing that could not be made again from the records, so an old form is dropped, not migrated.
import type { Database } from "../../host/sqlite.ts";

/** Counted up whenever what is kept, or how text is read, changes: an index of another version is built anew. */
export const indexVersion = 4;

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

-- Span = number / 65536; "last" is the slot that comes last. By span first: what is new is written among what is of its span alone, however
-- much there is of others; and before project, so that a search can leave out spans.
CREATE TABLE search_postings (
  term INTEGER NOT NULL,
  span INTEGER NOT NULL,
  project INTEGER NOT NULL,
  last INTEGER NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (span, term, project)
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

/** Ids of documents that are still to be put, in the order in which they are: what came in bulk has its words read later. */
const waitingTable = `
CREATE TABLE IF NOT EXISTS search_waiting (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE);`;

/** What is due. An index from before there was this table has nothing of it. */
export function makeWaiting(db: Database): void {
  db.exec(waitingTable);
}

/** All tables of the index. */
export const tableNames: readonly string[] = [
  "search_waiting",
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
const needed = tableNames.filter((name) => name !== "search_waiting");

/** Makes the tables, empty; what was there before is dropped. */
export function makeTables(db: Database): void {
  for (const name of tableNames) db.exec(`DROP TABLE IF EXISTS ${name}`);
  db.exec(tables());
  makeWaiting(db);
}

/** Whether tables of this version are there; whether their making came to an end, the state says. Changes nothing. */
export function hasTables(db: Database): boolean {
  const present = db
    .prepare<{ n: number }>(
      "SELECT count(*) AS n FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?))",
    )
    .get([JSON.stringify([...needed, ...named])])?.n;
  if (present !== needed.length + named.length) return false;
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
       VALUES ($what, coalesce((SELECT max(number) FROM search_names WHERE what = $what), 0) + 1, $name) RETURNING number`,
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

// Which documents have a term, and how often, as bytes: for each document of a span how far it is from the one before, and its count in three bits.

/** Documents a block: their lengths, kinds and times stand in one row. */
export const blockSize = 8_192;
/** Documents a span: so many blocks share one row of postings, for a row costs more to read than what stands in it. */
export const spanSize = 65_536;
export const blocksInSpan = spanSize / blockSize;

const levelBits = 3;
const levelMask = 7;

/** The weighted counts that three bits tell apart. More than the last counts as the last: it hardly changes a rank. */
export const levels = [0.5, 1, 1.5, 2, 3, 4, 6, 10] as const;

/** The level nearest to a weighted count. */
export function levelOf(count: number): number {
  let level = 0;
  while (
    level < levels.length - 1 &&
    Math.abs((levels[level + 1] ?? 0) - count) <= Math.abs((levels[level] ?? 0) - count)
  )
    level++;
  return level;
}

/** One document of a span as a number. */
export function postingAt(slot: number, level: number): number {
  return (slot << levelBits) | level;
}
/** The slot of a posting. */
export function slotOf(value: number): number {
  return value >> levelBits;
}
/** The index in `levels` of a posting. */
export function levelAt(value: number): number {
  return value & levelMask;
}

/** Reads postings into `out`, which has room for a span, and gives how many there are; torn bytes at the end are left out. */
function readPostings(bytes: Uint8Array, out: Int32Array): number {
  const { length } = bytes;
  let slot = -1;
  let count = 0;
  for (let at = 0; at < length && count < out.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
      if (at >= length) return count;
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    slot += (value >> levelBits) + 1;
    if (slot >= spanSize) return count;
    out[count++] = (slot << levelBits) | (value & levelMask);
  }
  return count;
}

/** The same in an array of its own. */
export function unpackPostings(bytes: Uint8Array): Int32Array {
  const out = new Int32Array(Math.min(bytes.length, spanSize));
  return out.subarray(0, readPostings(bytes, out));
}

/** Made once: most lists are of one document. */
let scratch = new Uint8Array(1_024);

/** As bytes; by rising slots, all after the slot `after`. */
export function packPostings(values: ArrayLike<number>, after = -1): Uint8Array {
  if (scratch.length < values.length * 3) scratch = new Uint8Array(values.length * 6);
  const bytes = scratch;
  let length = 0;
  let last = after;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const slot = value >> levelBits;
    let rest = ((slot - last - 1) << levelBits) | (value & levelMask);
    last = slot;
    for (; rest > 127; rest >>= 7) bytes[length++] = (rest & 127) | 128;
    bytes[length++] = rest;
  }
  return bytes.slice(0, length);
}

/** Kept postings, of which the slot `last` is the last, with others after them. */
export function joined(known: Uint8Array, last: number, more: ArrayLike<number>): Uint8Array {
  const added = packPostings(more, last);
  const all = new Uint8Array(known.length + added.length);
  all.set(known);
  all.set(added, known.length);
  return all;
}

/** Kept postings without those of a slot; undefined when none is left. */
export function without(known: Uint8Array, slot: number): Int32Array | undefined {
  const left = unpackPostings(known).filter((value) => slotOf(value) !== slot);
  return left.length > 0 ? left : undefined;
}

/** Lists of one span, as those of its projects, one behind another; each ends where its number says. */
export interface PostingLists {
  bytes: Uint8Array;
  ends: readonly number[];
}

/** Lists in one piece of memory. */
export function inOne(lists: readonly Uint8Array[]): PostingLists {
  const ends: number[] = [];
  let length = 0;
  for (const list of lists) {
    length += list.length;
    ends.push(length);
  }
  const bytes = new Uint8Array(length);
  for (const [i, list] of lists.entries()) bytes.set(list, ends[i - 1] ?? 0);
  return { bytes, ends };
}

// What is compared and weighed for every document of a block without reading the document: length, kind and time by slot.

/** The columns of one block, by slot. */
export interface Columns {
  /** Weighted words in halves; 0: no document, or one without words. */
  lengths: Uint16Array;
  /** Number of the kind; 0: no document. */
  kinds: Uint8Array;
  /** Epoch ms. */
  times: Float64Array;
}

type Kept = { [Name in keyof Columns]: Uint8Array } & Record<string, Uint8Array>;

/** One column of a block, as large as `column` and written into it however much of it was kept. */
export function readColumn<Column extends Columns[keyof Columns]>(
  db: Database,
  block: number,
  name: keyof Columns,
  column: Column,
): Column {
  const kept = db.prepare<Kept>(`SELECT ${name} FROM search_blocks WHERE block = ?`).get([block])?.[
    name
  ];
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  if (kept) bytes.set(kept.subarray(0, bytes.length));
  return column;
}

/** Reads one block, empty when there is none. */
export function readColumns(db: Database, block: number): Columns {
  return {
    lengths: readColumn(db, block, "lengths", new Uint16Array(blockSize)),
    kinds: readColumn(db, block, "kinds", new Uint8Array(blockSize)),
    times: readColumn(db, block, "times", new Float64Array(blockSize)),
  };
}

/** Writes one block, up to its last document, under a new stamp. */
export function writeColumns(db: Database, block: number, columns: Columns): void {
  const used = columns.kinds.findLastIndex((kind) => kind !== 0) + 1;
  const bytes = (column: Columns[keyof Columns]) =>
    new Uint8Array(column.buffer, 0, used * column.BYTES_PER_ELEMENT);
  const times = columns.times.filter((_, slot) => columns.kinds[slot] !== 0);
  db.prepare(
    `INSERT INTO search_blocks (block, stamp, oldest, newest, lengths, kinds, times)
     VALUES ($block, $stamp, $oldest, $newest, $lengths, $kinds, $times)
     ON CONFLICT (block) DO UPDATE SET stamp = excluded.stamp, oldest = excluded.oldest, newest = excluded.newest,
       lengths = excluded.lengths, kinds = excluded.kinds, times = excluded.times`,
  ).run({
    block,
    stamp: newStamp(),
    oldest: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    newest: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    lengths: bytes(columns.lengths),
    kinds: bytes(columns.kinds),
    times: bytes(columns.times),
  });
}

/** A weighted length as a column keeps it. */
export function keptLength(length: number): number {
  return Math.min(65_535, Math.max(1, Math.round(length * 2)));
}

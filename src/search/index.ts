// The search engine: finds documents by their words, in one SQLite database that its caller opened.
import { type Database, isCorrupt } from "../host/sqlite.ts";
import type { SearchDocument } from "./document.ts";
import { newestDocuments, type SearchFilter } from "./filter.ts";
import { addToTail, type Forward, removeDocument, unpackForward } from "./index/forward.ts";
import { createBatch, pack as packDocuments, packTail } from "./index/pack.ts";
import { openReader } from "./index/reader.ts";
import {
  blockSize,
  hasTables,
  indexVersion,
  makeTables,
  makeWaiting,
  nameOf,
  newStamp,
  readColumn,
  readState,
  slotOf,
  spanSize,
  tableNames,
  unpackPostings,
} from "./index/schema.ts";
import type { Found, SearchRequest } from "./rank/fuse.ts";
import { runSearch } from "./search.ts";

export type { DocumentField, Piece, SearchDocument } from "./document.ts";
export type { SearchFilter } from "./filter.ts";
export type { ScoredDocument } from "./rank/bm25.ts";
export type { Found, FoundPassage, Hit, SearchRequest, Why } from "./rank/fuse.ts";

/** An index inside an open database. Everything is synchronous; writes join the caller's transaction where there is one. */
export type SearchIndex = ReturnType<typeof createIndex>;

/** So many documents stay unpacked at most: beyond, a put packs some of them. */
const longestTail = 1_024;
const packedAtOnce = 64;

/** To count a row each of many more reads the disk for seconds, where nothing of it is in memory: 1.4 s for 400,000. */
const countedAtMost = 200_000;

/**
 * Opens the index of a database; an empty one takes the place of a missing or an old one, and is not whole before `end`. Long because
 * it is the list of what an index does.
 */
export function createIndex(db: Database) {
  if (hasTables(db)) makeWaiting(db);
  else db.transaction(() => makeTables(db));
  const reader = openReader(db);
  const counted = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;

  /** They are due no longer. */
  function noLongerDue(ids: readonly string[]): void {
    if (db.get("SELECT 1 FROM search_waiting") === undefined) return;
    const sql = "DELETE FROM search_waiting WHERE id IN (SELECT value FROM json_each(?))";
    db.run(sql, [JSON.stringify(ids)]);
  }

  const due = dueIn(db);

  return {
    /** Drops the index and begins one that is empty, and not whole before `end`. Documents may be put, removed and searched meanwhile. */
    begin(): void {
      db.transaction(() => makeTables(db));
      due.forget();
      reader.forget();
    },
    end(): void {
      db.prepare("UPDATE search_state SET complete = 1, stamp = ?").run([newStamp()]);
    },
    /** Adds documents of different ids, or replaces those that have them. Many at once are packed right away: a term costs the same for one and for all. */
    put(...documents: readonly SearchDocument[]): void {
      db.transaction(() => {
        for (const { id } of documents) removeDocument(db, id);
        noLongerDue(documents.map(({ id }) => id));
        if (documents.length >= packedAtOnce) {
          packDocuments(db, documents);
          return;
        }
        for (const document of documents) addToTail(db, document);
        if (counted("search_tail") > longestTail) packTail(db, packedAtOnce);
      });
    },
    /** Takes a document out with every trace of it; false when there is none. */
    remove: (id: string): boolean =>
      db.transaction(() => {
        noLongerDue([id]);
        return removeDocument(db, id);
      }),
    ...due.calls,
    search: (request: SearchRequest): Found => runSearch(db, reader, request),
    /** Ids of the documents that pass, the newest first. */
    newest(filter: SearchFilter, limit: number, offset = 0): string[] {
      reader.refresh();
      return newestDocuments(db, reader, filter, limit, offset).map(({ id }) => id);
    },
    /** Documents that are not packed yet. */
    unpacked: () => counted("search_tail"),
    /** Packs up to `most` of the newest documents, the oldest first, and tells how many it packed. For idle moments. */
    pack: (most: number): number => db.transaction(() => packTail(db, most)),
    /** False: it is missing, of another version, or its making was cut off; search finds nothing or not all. */
    isWhole(): boolean {
      const { version, complete } = readState(db);
      return version === indexVersion && complete === 1;
    },
    /** Documents, those of the tail and those to be put included; up to a number those that are there, whatever the sums say. */
    documents(): number {
      const { documents } = readState(db);
      const packed = documents > countedAtMost ? documents : counted("search_documents");
      const onlyDue = db.get<{ n: number }>(
        `SELECT count(*) AS n FROM search_waiting w WHERE NOT EXISTS (SELECT 1 FROM search_documents WHERE id = w.id)
         AND NOT EXISTS (SELECT 1 FROM search_tail WHERE id = w.id)`,
      );
      return packed + counted("search_tail") + (onlyDue?.n ?? 0);
    },
    /** False as soon as a few samples show that something of it is torn or gone. */
    isSound: (): boolean => isSound(db),
  };
}

// Documents that are due: what came in bulk is noted by its id in `search_waiting`, and read when nothing else is to be done.

/** Those that are due in a database, and what was read of them so far: nothing of that is in the index before `settle`. */
function dueIn(db: Database) {
  let batch = createBatch();
  /** The numbers under which they were noted, each with its place in the batch; nowhere where there is no such document any more. */
  let read: Array<{ number: number; id: string; place: number | undefined }> = [];

  function forget(): void {
    batch = createBatch();
    read = [];
  }

  return {
    forget,
    calls: {
      /** Notes documents that are to be put, soon: what stands under their ids is found until then. Noted again, they are read again. */
      later(ids: readonly string[]): void {
        const note = db.prepare("INSERT OR REPLACE INTO search_waiting (id) VALUES (?)");
        db.transaction(() => {
          for (const id of ids) note.run([id]);
        });
      },
      /** How many are due; of these so many are read. */
      dueCount: () =>
        db.prepare<{ n: number }>("SELECT count(*) AS n FROM search_waiting").get()?.n ?? 0,
      readCount: () => read.length,
      /** What was read is read again, by whoever comes to it. */
      forgetRead: forget,
      /** Reads up to so many of the others, the first noted first; `find` gives the documents that there are. Tells how many it read. */
      read(most: number, find: (ids: readonly string[]) => readonly SearchDocument[]): number {
        const sql =
          "SELECT number, id FROM search_waiting WHERE number > ? ORDER BY number LIMIT ?";
        const noted = db.all<{ number: number; id: string }>(sql, [read.at(-1)?.number ?? 0, most]);
        const found = new Map(find(noted.map(({ id }) => id)).map((one) => [one.id, one]));
        for (const { number, id } of noted) {
          const document = found.get(id);
          read.push({ number, id, place: document && batch.size() });
          if (document) batch.read(document);
        }
        return noted.length;
      },
      /** Packs all that was read, but what was put, removed or noted again since. */
      settle(): void {
        const last = read.at(-1)?.number;
        if (last === undefined) return;
        const [all, of] = [read, batch];
        forget();
        db.transaction(() => {
          const sql = "SELECT number FROM search_waiting WHERE number <= ?";
          const left = new Set(db.all<{ number: number }>(sql, [last]).map(({ number }) => number));
          const kept = new Set<number | undefined>();
          const sqlOfOld = `SELECT id FROM search_documents WHERE id IN (SELECT value FROM json_each($ids))
            UNION SELECT id FROM search_tail WHERE id IN (SELECT value FROM json_each($ids))`;
          const ids = JSON.stringify(all.map(({ id }) => id));
          const old = new Set(db.all<{ id: string }>(sqlOfOld, { ids }).map(({ id }) => id));
          for (const { number, id, place } of all) {
            if (!left.has(number)) continue;
            if (old.has(id)) removeDocument(db, id);
            kept.add(place);
          }
          db.run("DELETE FROM search_waiting WHERE number <= ?", [last]);
          of.write(db, (place) => kept.has(place));
        });
      },
    },
  };
}

// Whether an index holds together, by samples: what was cut off or deleted by whatever hand shows in a few of its documents.

interface Packed {
  number: number;
  session: number;
  project: number;
  forward: Uint8Array;
}

const sampled = 64;
const termsOfEach = 8;

/** Documents from everywhere in the index are as many of their rows say they are. A part of it that is torn is likely seen, a single row is not. */
function isSound(db: Database): boolean {
  const { last, count } = db
    .prepare<{ last: number | null; count: number }>(
      `SELECT (SELECT max(number) FROM search_documents) AS last, documents AS count FROM search_state`,
    )
    .get() ?? { last: null, count: 0 };
  if (last === null) return count === 0;
  const at = db.prepare<Packed & Record<string, number | Uint8Array>>(
    "SELECT number, session, project, forward FROM search_documents WHERE number >= ? ORDER BY number LIMIT 1",
  );
  const steps = Math.min(sampled, last + 1);
  for (let step = 0; step < steps; step++) {
    const document = at.get([Math.floor((step * last) / Math.max(1, steps - 1))]);
    if (!document || !isWhole(db, document)) return false;
  }
  return true;
}

/** Whether pages of its tables are damaged; the whole of them is read. False where the index is not what is damaged. */
export function hasDamagedPages(db: Database): boolean {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?");
  return tableNames.some((name) => {
    if (isThere.get([name]) === undefined) return false;
    try {
      const found = db.prepare<{ quick_check: string }>(`PRAGMA quick_check('${name}')`).get();
      return found?.quick_check !== "ok";
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      return true;
    }
  });
}

/** Its names are known, its block has it, and so have the postings of some of its terms. */
function isWhole(db: Database, { number, session, project, forward }: Packed): boolean {
  const kinds = readColumn(db, Math.floor(number / blockSize), "kinds", new Uint8Array(blockSize));
  if (kinds[number % blockSize] === 0) return false;
  if (nameOf(db, "session", session) === "" || nameOf(db, "project", project) === "") return false;
  const terms = termsOf(forward);
  if (terms === undefined) return false;
  const word = db.prepare("SELECT 1 FROM search_terms WHERE number = ?");
  const find = db.prepare<{ postings: Uint8Array }>(
    "SELECT postings FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  return terms.every((term) => {
    const postings = find.get([term, Math.floor(number / spanSize), project])?.postings;
    return (
      word.get([term]) !== undefined &&
      postings !== undefined &&
      unpackPostings(postings).some((value) => slotOf(value) === number % spanSize)
    );
  });
}

/** A few terms from all over a packed document; undefined where its bytes are cut off. */
function termsOf(forward: Uint8Array): number[] | undefined {
  let document: Forward;
  try {
    document = unpackForward(forward);
  } catch {
    return undefined;
  }
  const all = [
    ...new Set([...document.passages.flatMap(({ terms }) => terms), ...document.labels]),
  ];
  const every = Math.max(1, Math.floor(all.length / termsOfEach));
  return all.filter((_, i) => i % every === 0);
}

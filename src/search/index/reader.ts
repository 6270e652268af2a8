// Reads the index for searches: what is small is kept in memory, and read anew when anybody has written.
import type { Database } from "../../host/sqlite.ts";
import type { DocumentFacts } from "../document.ts";
import { countsOf, parseTail, type TailDocument, type TailRow } from "./forward.ts";
import {
  blockSize,
  blocksInSpan,
  inOne,
  nameOf,
  type PostingLists,
  readColumn,
  readState,
  type State,
  spanSize,
  type Totals,
} from "./schema.ts";

// Postings that were read last: the words of a subject are not read anew by each question about it.

interface Kept {
  span: number;
  postings: PostingLists;
  bytes: number;
}

/** What is kept beside the bytes, about: for each entry, and for the end of each list. */
const perEntry = 400;
const perEnd = 8;

/** Keeps up to so many bytes; of more, what was asked for longest ago goes. */
function keptPostings(mostBytes: number) {
  const lists = new Map<string, Kept>();
  const spans = new Map<number, Set<string>>();
  let bytes = 0;

  function drop(key: string): void {
    const known = lists.get(key);
    if (!known) return;
    lists.delete(key);
    spans.get(known.span)?.delete(key);
    bytes -= known.bytes;
  }

  return {
    /** What is kept, else what `read` gives, which is kept then. */
    of(span: number, asked: string, read: () => PostingLists): PostingLists {
      const key = `${span} ${asked}`;
      const known = lists.get(key);
      const kept = known ?? keptOf(span, read());
      lists.delete(key);
      lists.set(key, kept);
      if (known) return known.postings;
      spans.set(span, (spans.get(span) ?? new Set()).add(key));
      bytes += kept.bytes;
      for (const oldest of lists.keys()) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
      return kept.postings;
    },
    /** Something of a span was written. */
    forget(span: number): void {
      for (const key of spans.get(span) ?? []) drop(key);
      spans.delete(span);
    },
    clear(): void {
      lists.clear();
      spans.clear();
      bytes = 0;
    },
  };
}

function keptOf(span: number, postings: PostingLists): Kept {
  const bytes = postings.bytes.length + perEnd * postings.ends.length + perEntry;
  return { span, postings, bytes };
}

/** What is known of a term; the counts are of packed documents. */
export interface KnownTerm {
  number: number;
  documents: number;
  passages: number;
}

/** A block of documents: between which times (epoch ms) all of them lie. */
interface Block {
  block: number;
  oldest: number;
  newest: number;
}

/** The facts of a packed document. */
interface PackedDocument extends DocumentFacts {
  number: number;
  /** See `matchForward`. */
  forward: Uint8Array;
}

/** The index as one search sees it. */
export type Reader = ReturnType<typeof openReader>;

/** Of a million turns the postings of some thirty common words; of ten thousand those of all words. */
const keptBytes = 48_000_000;

/** A reader of one open database: the tail and the packed documents, as they were when it was refreshed. */
export function openReader(db: Database) {
  const tail = tailOf(db);
  const packed = packedOf(db);
  let state: State | undefined;
  let sums: Totals = { documents: 0, length: 0, passages: 0, passageLength: 0 };

  return {
    /** Takes note of what was written since; to be called before each search. */
    refresh(): void {
      const now = readState(db);
      if (now.stamp === state?.stamp) return;
      tail.refresh();
      if (now.packed !== state?.packed) packed.refresh();
      sums = { ...now };
      for (const { analysed, counts } of tail.documents()) {
        sums.documents++;
        sums.length += counts.length;
        sums.passages += analysed.passages.length;
        sums.passageLength += counts.passageLength;
      }
      state = now;
    },
    /** Keeps nothing of what was read: the tables were made anew. */
    forget(): void {
      state = undefined;
      tail.forget();
      packed.forget();
    },
    /** Sums over packed documents and the tail. */
    totals: (): Totals => sums,
    tail: tail.documents,
    /** Documents of the tail that have the term. */
    tailHaving: (term: string): ReadonlySet<TailDocument> => tail.terms.get(term) ?? none,
    /** Every term of the tail with the documents that have it; labels too. */
    tailTerms: (): Iterable<[term: string, documents: ReadonlySet<TailDocument>]> => tail.terms,
    term: (term: string): KnownTerm | undefined =>
      db
        .prepare<KnownTerm & Record<string, number>>(
          "SELECT number, documents, passages FROM search_terms WHERE term = ?",
        )
        .get([term]),
    ...packed.reads,
  };
}

const none: ReadonlySet<TailDocument> = new Set();

/** The documents that are not packed yet, and which of them have a term: kept in step as documents come and go. */
function tailOf(db: Database) {
  let documents: TailDocument[] = [];
  const terms = new Map<string, Set<TailDocument>>();

  function read(number: number): TailDocument | undefined {
    const row = db
      .prepare<TailRow & Record<string, string | number>>(
        "SELECT * FROM search_tail WHERE number = ?",
      )
      .get([number]);
    if (!row) return undefined;
    const { analysed: _, ...facts } = row;
    const analysed = parseTail(row);
    return { ...facts, analysed, counts: countsOf(analysed), labels: new Set(analysed.labels) };
  }

  function add(document: TailDocument): void {
    for (const term of document.counts.terms.keys())
      terms.set(term, (terms.get(term) ?? new Set()).add(document));
  }

  function remove(document: TailDocument): void {
    for (const term of document.counts.terms.keys()) {
      const known = terms.get(term);
      known?.delete(document);
      if (known?.size === 0) terms.delete(term);
    }
  }

  return {
    terms,
    documents: (): readonly TailDocument[] => documents,
    refresh(): void {
      const known = new Map(documents.map((document) => [document.stamp, document]));
      documents = db
        .prepare<{ number: number; stamp: number }>(
          "SELECT number, stamp FROM search_tail ORDER BY number",
        )
        .all()
        .flatMap(({ number, stamp }) => known.get(stamp) ?? read(number) ?? []);
      const current = new Set(documents);
      for (const document of known.values()) if (!current.has(document)) remove(document);
      for (const document of documents) if (known.get(document.stamp) !== document) add(document);
    },
    forget(): void {
      documents = [];
      terms.clear();
    },
  };
}

/** The packed documents: what was read of a block or a span is kept until something of it is written. Long because it is the list of what can be read. */
function packedOf(db: Database) {
  let size = 0;
  let blocks = new Map<number, Block & { stamp: number }>();
  const lengths = new Map<number, Uint16Array>();
  const kinds = new Map<number, Uint8Array>();
  const names = new Map<string, string>();
  const postings = keptPostings(keptBytes);

  function forgetSpan(span: number): void {
    lengths.delete(span);
    postings.forget(span);
  }

  function named(what: "kind" | "session" | "project", number: number): string {
    return kept(names, `${what} ${number}`, () => nameOf(db, what, number));
  }

  return {
    refresh(): void {
      const last = db
        .prepare<{ n: number | null }>("SELECT max(number) AS n FROM search_documents")
        .get()?.n;
      size = (last ?? -1) + 1;
      const known = blocks;
      const rows = db
        .prepare<Block & { stamp: number } & Record<string, number>>(
          "SELECT block, stamp, oldest, newest FROM search_blocks",
        )
        .all();
      blocks = new Map(rows.map((row) => [row.block, row]));
      for (const [block, { stamp }] of known)
        if (blocks.get(block)?.stamp !== stamp) {
          forgetSpan(Math.floor(block / blocksInSpan));
          kinds.delete(block);
        }
      // What was kept of a span before its newest block was there.
      for (const block of blocks.keys())
        if (!known.has(block)) forgetSpan(Math.floor(block / blocksInSpan));
      names.clear();
    },
    forget(): void {
      blocks.clear();
      lengths.clear();
      kinds.clear();
      names.clear();
      postings.clear();
    },
    reads: {
      /** One more than the highest number of a packed document. */
      size: () => size,
      /** One more than the number of the last span. */
      spans: () => Math.ceil(size / spanSize),
      /** The postings of a term in one span, packed, of all projects or of some. */
      postings: (term: number, span: number, projects: readonly number[] | undefined) =>
        postings.of(span, `${term} ${projects?.join()}`, () =>
          readPostings(db, term, span, projects),
        ),
      /** Weighted words of the documents of a span, in halves, by slot of the span. */
      lengths: (span: number): Uint16Array =>
        kept(lengths, span, () => {
          const all = new Uint16Array(spanSize);
          for (let at = 0; at < blocksInSpan; at++) {
            const block = all.subarray(at * blockSize, (at + 1) * blockSize);
            readColumn(db, span * blocksInSpan + at, "lengths", block);
          }
          return all;
        }),
      /** Blocks that have documents. */
      blocks: (): readonly Block[] => [...blocks.values()],
      /** Numbers of kinds by slot of a block; 0: no document. */
      kinds: (block: number): Uint8Array =>
        kept(kinds, block, () => readColumn(db, block, "kinds", new Uint8Array(blockSize))),
      /** Epoch ms by slot of a block. */
      times: (block: number) => readColumn(db, block, "times", new Float64Array(blockSize)),
      documents(numbers: readonly number[]): PackedDocument[] {
        const find = db.prepare<DocumentRow>(
          "SELECT number, id, kind, session, project, time, position, forward FROM search_documents WHERE number = ?",
        );
        return numbers.flatMap((number) => {
          const row = find.get([number]);
          if (!row) return [];
          return {
            ...row,
            kind: named("kind", row.kind),
            session: named("session", row.session),
            project: named("project", row.project),
          };
        });
      },
    },
  };
}

interface DocumentRow extends Omit<PackedDocument, "kind" | "session" | "project"> {
  kind: number;
  session: number;
  project: number;
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, read: () => Value): Value {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

function readPostings(
  db: Database,
  term: number,
  span: number,
  projects: readonly number[] | undefined,
): PostingLists {
  const all = "SELECT postings FROM search_postings WHERE term = ? AND span = ?";
  const rows = projects
    ? db
        .prepare<{ postings: Uint8Array }>(`${all} AND project IN (SELECT value FROM json_each(?))`)
        .all([term, span, JSON.stringify(projects)])
    : db.prepare<{ postings: Uint8Array }>(all).all([term, span]);
  return inOne(rows.map((row) => row.postings));
}

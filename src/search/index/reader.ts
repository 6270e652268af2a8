// Reads the index for searches: what is small is kept in memory, and read anew when anybody has written.
import type { Database } from "../../host/sqlite.ts";
import { countsOf, parseTail, type TailDocument, type TailRow } from "./forward.ts";
import {
  blockSize,
  blocksInSpan,
  inOne,
  type PostingLists,
  readColumn,
  spanSize,
} from "./postings.ts";
import { nameOf, readState, type State, type Totals } from "./schema.ts";

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
interface PackedDocument {
  number: number;
  id: string;
  kind: string;
  session: string;
  project: string;
  time: number;
  position: number;
  /** See `matchForward`. */
  forward: Uint8Array;
}

/** The index as one search sees it. */
export type Reader = ReturnType<typeof openReader>;

/** Of a million turns the postings of some thirty common words; of ten thousand those of all words. */
const keptBytes = 48_000_000;

/** A reader of one open database. Long because its short reads share the statements that are prepared once. */
export function openReader(db: Database) {
  let state: State | undefined;
  let size = 0;
  let tail: TailDocument[] = [];
  /** Documents of the tail by their terms, kept in step as documents come and go. */
  const tailTerms = new Map<string, Set<TailDocument>>();
  let sums: Totals = { documents: 0, length: 0, passages: 0, passageLength: 0 };
  let blocks = new Map<number, Block & { stamp: number }>();
  const lengths = new Map<number, Uint16Array>();
  const kinds = new Map<number, Uint8Array>();
  const names = new Map<string, string>();
  const postings = keptPostings(keptBytes);

  function refresh(): void {
    const now = readState(db);
    if (now.stamp === state?.stamp) return;
    const known = new Map(tail.map((document) => [document.stamp, document]));
    tail = db
      .prepare<{ number: number; stamp: number }>(
        "SELECT number, stamp FROM search_tail ORDER BY number",
      )
      .all()
      .flatMap(({ number, stamp }) => known.get(stamp) ?? readTail(number) ?? []);
    const current = new Set(tail);
    for (const document of known.values()) if (!current.has(document)) removeTerms(document);
    for (const document of tail) if (known.get(document.stamp) !== document) addTerms(document);
    if (now.packed !== state?.packed) refreshPacked();
    sums = { ...now };
    for (const { analysed, counts } of tail) {
      sums.documents++;
      sums.length += counts.length;
      sums.passages += analysed.passages.length;
      sums.passageLength += counts.passageLength;
    }
    state = now;
  }

  function addTerms(document: TailDocument): void {
    for (const term of document.counts.terms.keys())
      tailTerms.set(term, (tailTerms.get(term) ?? new Set()).add(document));
  }

  function removeTerms(document: TailDocument): void {
    for (const term of document.counts.terms.keys()) {
      const known = tailTerms.get(term);
      known?.delete(document);
      if (known?.size === 0) tailTerms.delete(term);
    }
  }

  function refreshPacked(): void {
    size =
      (db.prepare<{ n: number | null }>("SELECT max(number) AS n FROM search_documents").get()?.n ??
        -1) + 1;
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
  }

  function forgetSpan(span: number): void {
    lengths.delete(span);
    postings.forget(span);
  }

  function readTail(number: number): TailDocument | undefined {
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

  function lengthsOf(span: number): Uint16Array {
    let known = lengths.get(span);
    if (!known) {
      known = new Uint16Array(spanSize);
      for (let at = 0; at < blocksInSpan; at++) {
        const block = known.subarray(at * blockSize, (at + 1) * blockSize);
        readColumn(db, span * blocksInSpan + at, "lengths", block);
      }
      lengths.set(span, known);
    }
    return known;
  }

  function kindsOf(block: number): Uint8Array {
    let known = kinds.get(block);
    if (!known) {
      known = readColumn(db, block, "kinds", new Uint8Array(blockSize));
      kinds.set(block, known);
    }
    return known;
  }

  function named(what: "kind" | "session" | "project", number: number): string {
    const key = `${what} ${number}`;
    let known = names.get(key);
    if (known === undefined) {
      known = nameOf(db, what, number);
      names.set(key, known);
    }
    return known;
  }

  function documents(numbers: readonly number[]): PackedDocument[] {
    const find = db.prepare<{
      id: string;
      kind: number;
      session: number;
      project: number;
      time: number;
      position: number;
      forward: Uint8Array;
    }>(
      "SELECT id, kind, session, project, time, position, forward FROM search_documents WHERE number = ?",
    );
    return numbers.flatMap((number) => {
      const row = find.get([number]);
      if (!row) return [];
      return {
        number,
        id: row.id,
        kind: named("kind", row.kind),
        session: named("session", row.session),
        project: named("project", row.project),
        time: row.time,
        position: row.position,
        forward: row.forward,
      };
    });
  }

  function forget(): void {
    state = undefined;
    tailTerms.clear();
    tail = [];
    blocks.clear();
    lengths.clear();
    kinds.clear();
    names.clear();
    postings.clear();
  }

  function postingsIn(
    term: number,
    span: number,
    projects: readonly number[] | undefined,
  ): PostingLists {
    const rows = projects
      ? db
          .prepare<{ postings: Uint8Array }>(
            `SELECT postings FROM search_postings
             WHERE term = ? AND span = ? AND project IN (SELECT value FROM json_each(?))`,
          )
          .all([term, span, JSON.stringify(projects)])
      : db
          .prepare<{ postings: Uint8Array }>(
            "SELECT postings FROM search_postings WHERE term = ? AND span = ?",
          )
          .all([term, span]);
    return inOne(rows.map((row) => row.postings));
  }

  return {
    /** Takes note of what was written since; to be called before each search. */
    refresh,
    /** Keeps nothing of what was read: the tables were made anew. */
    forget,
    /** Sums over packed documents and the tail. */
    totals: (): Totals => sums,
    tail: (): readonly TailDocument[] => tail,
    /** Documents of the tail that have the term. */
    tailHaving: (term: string): ReadonlySet<TailDocument> => tailTerms.get(term) ?? none,
    /** Every term of the tail with the documents that have it; labels too. */
    tailTerms: (): Iterable<[term: string, documents: ReadonlySet<TailDocument>]> => tailTerms,
    /** One more than the highest number of a packed document. */
    size: () => size,
    term: (term: string): KnownTerm | undefined =>
      db
        .prepare<KnownTerm & Record<string, number>>(
          "SELECT number, documents, passages FROM search_terms WHERE term = ?",
        )
        .get([term]),
    /** One more than the number of the last span. */
    spans: () => Math.ceil(size / spanSize),
    /** The postings of a term in one span, packed, of all projects or of some. */
    postings: (term: number, span: number, projects: readonly number[] | undefined) =>
      postings.of(span, `${term} ${projects?.join()}`, () => postingsIn(term, span, projects)),
    /** Weighted words of the documents of a span, in halves, by slot of the span. */
    lengths: lengthsOf,
    /** Blocks that have documents. */
    blocks: (): readonly Block[] => [...blocks.values()],
    /** Numbers of kinds by slot of a block; 0: no document. */
    kinds: kindsOf,
    /** Epoch ms by slot of a block. */
    times: (block: number) => readColumn(db, block, "times", new Float64Array(blockSize)),
    documents,
  };
}

const none: ReadonlySet<TailDocument> = new Set();

// Reads the index for searches: what is small is kept in memory, and read anew when anybody has written.
import type { Database } from "../../host/sqlite.ts";
import { readColumn } from "./columns.ts";
import { countsOf } from "./counts.ts";
import { keptPostings } from "./kept-postings.ts";
import { nameOf } from "./names.ts";
import { blockSize, blocksInSpan, inOne, type PostingLists, spanSize } from "./postings.ts";
import { readState, type State, type Totals } from "./state.ts";
import { parseTail, type TailDocument, type TailRow } from "./tail.ts";
import { type TailIndex, tailIndex } from "./tail-index.ts";

/** What is known of a term; the counts are of packed documents. */
export interface KnownTerm {
  number: number;
  documents: number;
  passages: number;
}

/** A block of documents: between which times (epoch ms) all of them lie. */
export interface Block {
  block: number;
  oldest: number;
  newest: number;
}

/** The facts of a packed document. */
export interface PackedDocument {
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
export interface Reader {
  /** Takes note of what was written since; to be called before each search. */
  refresh(): void;
  /** Keeps nothing of what was read: the tables were made anew. */
  forget(): void;
  /** Sums over packed documents and the tail. */
  totals(): Totals;
  tail(): readonly TailDocument[];
  /** The same by their terms. */
  tailTerms(): TailIndex;
  /** One more than the highest number of a packed document. */
  size(): number;
  term(term: string): KnownTerm | undefined;
  /** One more than the number of the last span. */
  spans(): number;
  /** The postings of a term in one span, packed, of all projects or of some. */
  postings(term: number, span: number, projects: readonly number[] | undefined): PostingLists;
  /** Weighted words of the documents of a span, in halves, by slot of the span. */
  lengths(span: number): Uint16Array;
  /** Blocks that have documents. */
  blocks(): readonly Block[];
  /** Numbers of kinds by slot of a block; 0: no document. */
  kinds(block: number): Uint8Array;
  /** Epoch ms by slot of a block. */
  times(block: number): Float64Array;
  documents(numbers: readonly number[]): PackedDocument[];
}

/** Of a million turns the postings of some thirty common words; of ten thousand those of all words. */
const keptBytes = 48_000_000;

/** A reader of one open database. Long because its short reads share the statements that are prepared once. */
export function openReader(db: Database): Reader {
  let state: State | undefined;
  let size = 0;
  let tail: TailDocument[] = [];
  const tailTerms = tailIndex();
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
    for (const document of known.values()) if (!current.has(document)) tailTerms.remove(document);
    for (const document of tail)
      if (known.get(document.stamp) !== document) tailTerms.add(document);
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
    for (const document of tail) tailTerms.remove(document);
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
    refresh,
    forget,
    totals: () => sums,
    tail: () => tail,
    tailTerms: () => tailTerms,
    size: () => size,
    term: (term) =>
      db
        .prepare<KnownTerm & Record<string, number>>(
          "SELECT number, documents, passages FROM search_terms WHERE term = ?",
        )
        .get([term]),
    spans: () => Math.ceil(size / spanSize),
    postings: (term, span, projects) =>
      postings.of(span, `${term} ${projects?.join()}`, () => postingsIn(term, span, projects)),
    lengths: lengthsOf,
    blocks: () => [...blocks.values()],
    kinds: kindsOf,
    times: (block) => readColumn(db, block, "times", new Float64Array(blockSize)),
    documents,
  };
}

// Reads the index for searches: what is small is kept in memory, and read anew when anybody has written.
import type { Database } from "../../host/sqlite.ts";
import { type BlockRow, type Columns, columnsOf, emptyColumns } from "./columns.ts";
import { countsOf } from "./counts.ts";
import { nameOf } from "./names.ts";
import { readState, type State, type Totals } from "./state.ts";
import { parseTail, type TailDocument, type TailRow } from "./tail.ts";
import { type TailIndex, tailIndex } from "./tail-index.ts";

/** What is known of a term; the counts are of packed documents. */
export interface KnownTerm {
  number: number;
  documents: number;
  passages: number;
}

/** The postings of one term, in one block of one project. */
export interface PostingRow {
  project: number;
  block: number;
  postings: Uint8Array;
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
  postings(term: number, projects: readonly number[] | undefined): Iterable<PostingRow>;
  columns(block: number): Columns;
  documents(numbers: readonly number[]): PackedDocument[];
}

/** A reader of one open database. Long because its short reads share the statements that are prepared once. */
export function openReader(db: Database): Reader {
  let state: State | undefined;
  let size = 0;
  let tail: TailDocument[] = [];
  const tailTerms = tailIndex();
  let sums: Totals = { documents: 0, length: 0, passages: 0, passageLength: 0 };
  const blocks = new Map<number, { stamp: number; columns: Columns }>();
  const names = new Map<string, string>();

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
    const stamps = db
      .prepare<{ block: number; stamp: number }>("SELECT block, stamp FROM search_blocks")
      .all();
    const current = new Map(stamps.map(({ block, stamp }) => [block, stamp]));
    for (const [block, { stamp }] of blocks) if (current.get(block) !== stamp) blocks.delete(block);
    names.clear();
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

  function columns(block: number): Columns {
    const known = blocks.get(block);
    if (known) return known.columns;
    const row = db
      .prepare<BlockRow & Record<string, number | Uint8Array>>(
        "SELECT * FROM search_blocks WHERE block = ?",
      )
      .get([block]);
    if (!row) return emptyColumns();
    const made = columnsOf(row);
    blocks.set(block, { stamp: row.stamp, columns: made });
    return made;
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
    names.clear();
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
    postings: (term, projects) =>
      projects
        ? db
            .prepare<PostingRow & Record<string, number | Uint8Array>>(
              `SELECT project, block, postings FROM search_postings
               WHERE term = ? AND project IN (SELECT value FROM json_each(?))`,
            )
            .all([term, JSON.stringify(projects)])
        : db
            .prepare<PostingRow & Record<string, number | Uint8Array>>(
              "SELECT project, block, postings FROM search_postings WHERE term = ?",
            )
            .all([term]),
    columns,
    documents,
  };
}

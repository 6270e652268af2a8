// Picks the records that are worth ranking, with bounded work however common the words are.
import type { Database, SqlInput } from "../../host/sqlite.ts";
import type { RecordKind } from "../../sdk/storage.ts";
import { allTerms, anyTerm, type Column, scoped, within } from "./expression.ts";
import type { Term } from "./terms.ts";

/** A row of `entries`. */
export interface Candidate {
  id: number;
  kind: RecordKind;
  record: number;
  createdAt: number;
}

/** Where to look. */
export interface Area {
  /** Words of the scope column: a record has one of each list. */
  scopes: string[][];
  /** Text columns; undefined means all. */
  columns: readonly Column[] | undefined;
  /** Conditions on the entry `e`, and their parameters. */
  conditions: string[];
  params: Record<string, SqlInput>;
  /** The entries' ids lie between these two, both inclusive. */
  first: number;
  last: number;
}

/** Entries that match. The first `best` are to be ranked among each other, the others follow as they are. */
export interface Candidates {
  entries: Candidate[];
  best: number;
}

/** Weights of scope, title, facts, subtitle, labels, narrative. */
const weights = "0, 10, 5, 4, 3, 1";

/** Matches that the index's own ranking may see: it costs time for each, and for each record with any of the words. */
const affordable = 2000;
/** A common word may stand in hardly any title: only so many of the newest entries are looked through for it. */
const titlesScanned = 40_000;
/** Hardly a record has more words of a query than this. */
const mostInOne = 5;
const mostRanked = 200;
const most = 1000;

/**
 * Entries that match any of the terms. With few matches the best ones are the first of the index's own ranking. With very
 * many they are the union of: those with a rare term, and the newest with all terms, with two of the rarest, with any, in
 * the title before anywhere. They do not depend on `wanted`, so that pages fit together; when more than the best are
 * wanted, others follow, up to 1,000 in all.
 */
export function candidates(
  db: Database,
  terms: readonly Term[],
  area: Area,
  wanted: number,
): Candidates {
  const any = anyTerm(terms);
  const matches = terms.reduce((sum, term) => sum + term.hits, 0);
  if (matches <= affordable) {
    const entries = ranked(db, any, area, wanted > mostRanked ? most : mostRanked);
    return { entries, best: Math.min(entries.length, mostRanked) };
  }

  const found = new Map<number, Candidate>();
  const add = (rows: readonly Candidate[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
  };
  const title: Area | undefined =
    !area.columns || area.columns.includes("title")
      ? { ...area, columns: ["title"], first: Math.max(area.first, area.last - titlesScanned) }
      : undefined;
  const addNewest = (expression: string, count: number) => {
    if (title) add(newest(db, expression, title, count));
    add(newest(db, expression, area, count));
  };
  const rare = rarest(terms);
  if (rare.length > 0) add(ranked(db, anyTerm(rare), area, 60));
  if (terms.length > 1 && terms.length <= mostInOne) addNewest(allTerms(terms), 30);
  if (terms.length > 2) addNewest(pairs(terms.slice(0, 3)), 20);
  addNewest(any, 20);
  const best = Math.min(found.size, mostRanked);
  if (wanted > best) add(newest(db, any, area, most));
  return { entries: [...found.values()].slice(0, most), best };
}

/** The best `limit` by the index's own ranking. */
function ranked(db: Database, expression: string, area: Area, limit: number): Candidate[] {
  return matching(db, expression, area, `bm25(search, ${weights}), search.rowid DESC`, limit);
}

/** The `limit` that were stored last. */
function newest(db: Database, expression: string, area: Area, limit: number): Candidate[] {
  return matching(db, expression, area, "search.rowid DESC", limit);
}

function matching(
  db: Database,
  expression: string,
  area: Area,
  order: string,
  limit: number,
): Candidate[] {
  const [join, conditions] =
    area.conditions.length > 0
      ? [
          "CROSS JOIN entries e ON e.id = search.rowid",
          area.conditions.map((condition) => ` AND (${condition})`).join(""),
        ]
      : ["", ""];
  const ids = db
    .prepare<{ id: number }>(
      `SELECT search.rowid AS id FROM search ${join} WHERE search MATCH $match
       AND search.rowid BETWEEN $first AND $last${conditions} ORDER BY ${order} LIMIT $limit`,
    )
    .all({
      ...area.params,
      match: scoped(area.scopes, within(area.columns, expression)),
      first: area.first,
      last: area.last,
      limit,
    });
  const entry = db.prepare<Candidate>(
    "SELECT id, kind, record, created_at AS createdAt FROM entries WHERE id = ?",
  );
  return ids.flatMap(({ id }) => entry.get([id]) ?? []);
}

/** The rarest terms, as many as can be ranked completely together. */
function rarest(terms: readonly Term[]): Term[] {
  let sum = 0;
  return terms.filter((term) => {
    sum += term.hits;
    return sum <= affordable;
  });
}

function pairs(terms: readonly Term[]): string {
  const out: string[] = [];
  terms.forEach((a, i) => {
    for (const b of terms.slice(i + 1)) out.push(allTerms([a, b]));
  });
  return `(${out.join(" OR ")})`;
}

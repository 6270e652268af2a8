// Picks the records that are worth ranking, with bounded work however common the words are.
import type { Database, RecordKind, SqlInput } from "../../../src/sdk/index.ts";
import { allTerms, anyTerm, type Column, scoped, within } from "./expression.ts";
import type { Term } from "./terms.ts";

/** A row of `entries`. */
export interface Candidate {
  id: number;
  kind: RecordKind;
  record: number;
  createdAt: number;
}

/** Where to look: words of the scope column (any of each list), text columns, and conditions on the entry `e` and `search.rowid`. */
export interface Area {
  scopes: string[][];
  columns: readonly Column[] | undefined;
  conditions: string[];
  params: Record<string, SqlInput>;
}

/** Weights of scope, title, facts, subtitle, labels, narrative. */
const weights = "0, 10, 5, 4, 3, 1";

/** Matches that are ranked completely; beyond, the newest and the fullest are taken. */
const affordable = 6000;
/** What is taken of each part when not all can be ranked. */
const partSize = 60;

/**
 * Entries that match any of the terms, at most `limit`, the most promising ones first. With few matches that is simply
 * the index's own ranking. With very many it is the union of: all that have a rare term, the newest with all terms, the
 * newest with a term in the title, the newest. The first of a smaller `limit` are the same.
 */
export function candidates(
  db: Database,
  terms: readonly Term[],
  area: Area,
  limit: number,
): Candidate[] {
  const any = anyTerm(terms);
  const matches = terms.reduce((sum, term) => sum + term.hits, 0);
  if (matches <= affordable) return ranked(db, any, area, affordable, limit);

  const rare = rarest(terms);
  const found = new Map<number, Candidate>();
  const add = (rows: readonly Candidate[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
  };
  if (rare.length > 0) add(ranked(db, `${anyTerm(rare)} AND ${any}`, area, affordable, partSize));
  if (terms.length > 1) {
    const all = ranked(db, allTerms(terms), area, affordable / 2, partSize);
    add(all);
    // Too few have them all: the rarest three in pairs.
    if (all.length < partSize / 2 && terms.length > 2)
      add(ranked(db, pairs(terms.slice(0, 3)), area, affordable / 2, partSize));
  }
  if (!area.columns || area.columns.includes("title"))
    add(ranked(db, any, { ...area, columns: ["title"] }, affordable / 3, partSize / 2));
  add(ranked(db, any, area, affordable / 3, partSize / 2));
  if (found.size < limit) add(ranked(db, any, area, affordable, limit));
  return [...found.values()].slice(0, limit);
}

/** The best `limit` of the newest `among` that match, by the index's own ranking. */
function ranked(
  db: Database,
  expression: string,
  area: Area,
  among: number,
  limit: number,
): Candidate[] {
  const conditions = area.conditions.map((condition) => ` AND (${condition})`).join("");
  return db
    .prepare<Candidate & Record<string, string | number>>(`
      SELECT id, kind, record, createdAt FROM (
        SELECT e.id, e.kind, e.record, e.created_at AS createdAt, bm25(search, ${weights}) AS rank
        FROM search CROSS JOIN entries e ON e.id = search.rowid
        WHERE search MATCH $match${conditions}
        ORDER BY search.rowid DESC LIMIT $among)
      ORDER BY rank, id DESC LIMIT $limit`)
    .all({
      ...area.params,
      match: scoped(area.scopes, within(area.columns, expression)),
      among,
      limit,
    });
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

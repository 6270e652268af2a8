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
const affordable = 4000;
/** What is looked at and what is taken of each part when not all can be ranked. */
const among = 1500;
const partSize = 50;
const mostRanked = 200;
const most = 1000;

/** Entries that match. The first `best` are to be ranked among each other, the others follow as they are. */
export interface Candidates {
  entries: Candidate[];
  best: number;
}

/**
 * Entries that match any of the terms. The best ones are, with few matches, simply the first 200 of the index's own
 * ranking; with very many, the union of: those that have a rare term, the newest with all terms, the newest with a term
 * in the title, the newest. They do not depend on `wanted`, so that pages fit together; the others are there when more
 * than the best are wanted, up to 1,000 in all.
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
    const entries = ranked(db, any, area, affordable, wanted > mostRanked ? most : mostRanked);
    return { entries, best: Math.min(entries.length, mostRanked) };
  }

  const found = new Map<number, Candidate>();
  const add = (rows: readonly Candidate[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
  };
  const rare = rarest(terms);
  if (rare.length > 0) add(ranked(db, `${anyTerm(rare)} AND ${any}`, area, affordable, partSize));
  if (terms.length > 1) {
    const full = ranked(db, allTerms(terms), area, among, partSize);
    add(full);
    // Too few have them all: the rarest three in pairs.
    if (full.length < partSize && terms.length > 2)
      add(ranked(db, pairs(terms.slice(0, 3)), area, among, partSize));
  }
  if (!area.columns || area.columns.includes("title"))
    add(ranked(db, any, { ...area, columns: ["title"] }, among, partSize));
  add(ranked(db, any, area, among, partSize));
  const best = Math.min(found.size, mostRanked);
  if (wanted > best) add(ranked(db, any, area, affordable, most));
  return { entries: [...found.values()].slice(0, most), best };
}

/** The best `limit` of the `newest` that match, by the index's own ranking. */
function ranked(
  db: Database,
  expression: string,
  area: Area,
  newest: number,
  limit: number,
): Candidate[] {
  const [join, conditions] =
    area.conditions.length > 0
      ? [
          "CROSS JOIN entries e ON e.id = search.rowid",
          area.conditions.map((condition) => ` AND (${condition})`).join(""),
        ]
      : ["", ""];
  return db
    .prepare<Candidate & Record<string, string | number>>(`
      SELECT c.id, c.kind, c.record, c.created_at AS createdAt FROM (
        SELECT search.rowid AS id, bm25(search, ${weights}) AS rank
        FROM search ${join} WHERE search MATCH $match${conditions}
        ORDER BY search.rowid DESC LIMIT $newest) r
      JOIN entries c ON c.id = r.id
      ORDER BY r.rank, r.id DESC LIMIT $limit`)
    .all({
      ...area.params,
      match: scoped(area.scopes, within(area.columns, expression)),
      newest,
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

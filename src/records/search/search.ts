// The handler of `storage.search`: filter and text in, ranked results of every kind out.
import type { Database } from "../../host/sqlite.ts";
import type { RecordKind, SearchLevel, SearchQuery, SearchResult } from "../../sdk/storage.ts";
import {
  both,
  conceptWhere,
  fileWhere,
  placeAndTime,
  type ResolvedFilter,
  resolveFilter,
  type Where,
  whereClause,
} from "../filter.ts";
import { page } from "../list.ts";
import { type Area, type Candidate, type Candidates, candidates } from "./candidates.ts";
import { anyWord, type Column, scoped, within } from "./expression.ts";
import { type Found, loadResults } from "./results.ts";
import { conceptWord, kindWord, projectKindWord, projectWord, typeWord } from "./scope.ts";
import { type RankedTerm, rankedTerms, score, termsIn } from "./score.ts";
import { type CountHits, parseTerms } from "./terms.ts";

/** What each retrieval level searches. Without columns: all of them. */
const levels: Record<SearchLevel, { kinds: RecordKind[]; columns?: Column[] }> = {
  sessions: { kinds: ["session"] },
  summaries: { kinds: ["summary"] },
  titles: { kinds: ["observation"], columns: ["title", "subtitle"] },
  facts: { kinds: ["observation"], columns: ["facts"] },
  narratives: { kinds: ["observation"] },
};
const allKinds: RecordKind[] = ["observation", "summary", "session", "prompt", "memory"];

/** Beyond this a word is "common", however many records have it. */
const hitsCounted = 2001;
/** A filter that leaves no more than this is answered by ranking all it leaves. */
const narrow = 400;
const defaultLimit = 20;
const maxLimit = 200;

/** Results best first, at most 1,000 over all pages. `now` (epoch ms) weighs age. */
export function searchRecords(db: Database, query: SearchQuery, now: number): SearchResult[] {
  const { limit, offset } = page(query, defaultLimit, maxLimit);
  const filter = resolveFilter(db, query);
  const level = query.level === undefined ? { kinds: allKinds } : levels[query.level];
  const kinds = level.kinds.filter((kind) => query.kinds?.includes(kind) ?? true);
  if (kinds.length === 0 || filter.projects?.length === 0) return [];
  const where = entryWhere(filter);
  if (query.text.trim() === "") return newest(db, kinds, where, limit, offset);

  const area = searchArea(db, filter, kinds, level.columns);
  if (!area) return [];
  const { terms, corrected } = parseTerms(db, query.text, hitCounter(db, area), (word) =>
    has(db, word),
  );
  if (terms.length === 0) return [];
  const ranks = rankedTerms(terms, newestEntry(db));
  const picked = few(db, filter, kinds, where) ?? candidates(db, terms, area, offset + limit);
  const found = loadResults(db, picked.entries)
    .map((one) => ({ ...one, score: score(one, ranks, area.columns, now) }))
    .filter((one) => one.score > 0);
  return ordered(found, picked)
    .slice(offset, offset + limit)
    .map((one) => ({
      ...one.result,
      ...(query.level === "facts" ? { facts: matchedFacts(one, ranks) } : {}),
      score: rounded(one.score),
      ...(Object.keys(corrected).length > 0 ? { corrected } : {}),
    }));
}

/** Without words: the records that pass the filter, newest first, all with the score 0. */
function newest(
  db: Database,
  kinds: readonly RecordKind[],
  where: Where,
  limit: number,
  offset: number,
): SearchResult[] {
  const entries = newestEntries(db, kinds, where, limit, offset);
  const byEntry = new Map(loadResults(db, entries).map((one) => [one.entry, one.result]));
  return entries.flatMap(({ id }) => {
    const result = byEntry.get(id);
    return result ? [{ ...result, score: 0 }] : [];
  });
}

/** All that a narrow filter leaves, or undefined when it is not narrow. */
function few(
  db: Database,
  filter: ResolvedFilter,
  kinds: readonly RecordKind[],
  where: Where,
): Candidates | undefined {
  const { session, file, since, until } = filter;
  if (session === undefined && file === undefined && since === undefined && until === undefined)
    return undefined;
  const entries = newestEntries(db, kinds, where, narrow + 1, 0);
  return entries.length > narrow ? undefined : { entries, best: entries.length };
}

function newestEntries(
  db: Database,
  kinds: readonly RecordKind[],
  where: Where,
  limit: number,
  offset: number,
): Candidate[] {
  const all = both(where, {
    conditions:
      kinds.length === allKinds.length ? [] : ["e.kind IN (SELECT value FROM json_each($kinds))"],
    params: { kinds: JSON.stringify(kinds) },
  });
  return db
    .prepare<Candidate>(
      `SELECT e.id, e.kind, e.record, e.created_at AS createdAt FROM entries e${whereClause(all)}
       ORDER BY e.created_at DESC, e.id DESC LIMIT $limit OFFSET $offset`,
    )
    .all({ ...all.params, limit, offset });
}

/** The filter's conditions on the entry `e`. */
function entryWhere(filter: ResolvedFilter): Where {
  const where = placeAndTime(filter, {
    project: "e.project",
    session: "e.client_session_id",
    time: "e.created_at",
  });
  if (filter.type !== undefined) {
    where.conditions.push("e.type = $type");
    where.params.type = filter.type;
  }
  const concept = conceptWhere(filter, "e.record");
  const files = (["observation", "summary"] as const).map((kind) => {
    const file = fileWhere(filter, kind, "e.record");
    return { ...file, conditions: file.conditions.map((c) => `e.kind = '${kind}' AND ${c}`) };
  });
  return both(
    where,
    {
      ...concept,
      // The plus keeps SQLite from collecting all observations where it can walk the newest.
      conditions: concept.conditions.map(
        (c) => `${filter.isCommonConcept ? "+" : ""}e.kind = 'observation' AND ${c}`,
      ),
    },
    {
      conditions:
        filter.file === undefined
          ? []
          : [files.flatMap((file) => file.conditions.map((c) => `(${c})`)).join(" OR ")],
      params: files[0]?.params ?? {},
    },
  );
}

/** Where the index has to look, or undefined when the filter leaves no entry at all. */
function searchArea(
  db: Database,
  filter: ResolvedFilter,
  kinds: readonly RecordKind[],
  columns: readonly Column[] | undefined,
): Area | undefined {
  const scopes: string[][] = [];
  const { projects, ...others } = filter;
  const numbers = projects && projectNumbers(db, projects);
  const ofKinds = kinds.length < allKinds.length ? kinds : undefined;
  if (numbers && ofKinds)
    scopes.push(numbers.flatMap((number) => ofKinds.map((kind) => projectKindWord(number, kind))));
  else if (numbers) scopes.push(numbers.map(projectWord));
  else if (ofKinds) scopes.push(ofKinds.map(kindWord));
  if (filter.type !== undefined) scopes.push([typeWord(filter.type)]);
  if (filter.concept !== undefined) scopes.push([conceptWord(filter.concept)]);
  // The words of projects and kinds are exact; the other conditions are checked on the entry.
  const { conditions, params } = entryWhere(others);
  const bounds = entryBounds(db, filter);
  return bounds && { scopes, columns, conditions, params, ...bounds };
}

/** The stretch of entries in which those of a session or a time lie: the index then reads no others. */
function entryBounds(
  db: Database,
  filter: ResolvedFilter,
): Pick<Area, "first" | "last"> | undefined {
  const { session, since, until } = filter;
  if (session === undefined && since === undefined && until === undefined)
    return { first: 0, last: newestEntry(db) };
  const place = placeAndTime(filter, {
    project: "e.project",
    session: "e.client_session_id",
    time: "e.created_at",
  });
  const bounds = db
    .prepare<{ first: number | null; last: number | null }>(
      `SELECT min(e.id) AS first, max(e.id) AS last FROM entries e${whereClause(place)}`,
    )
    .get(place.params);
  if (!bounds || bounds.first === null || bounds.last === null) return undefined;
  return { first: bounds.first, last: bounds.last };
}

function projectNumbers(db: Database, ids: readonly string[]): number[] {
  return db
    .prepare<{ number: number }>(
      "SELECT number FROM projects WHERE id IN (SELECT value FROM json_each(?))",
    )
    .all([JSON.stringify(ids)])
    .map((row) => row.number);
}

/** Counts the records in the area's scope that have any of the words, up to a limit. */
function hitCounter(db: Database, area: Area): CountHits {
  const count = db.prepare<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)",
  );
  return (words, limit = hitsCounted) =>
    count.get([scoped(area.scopes, within(area.columns, anyWord(words))), limit])?.n ?? 0;
}

/** Whether any record has the word, filter or not. */
function has(db: Database, word: string): boolean {
  return (
    db.prepare("SELECT 1 FROM search WHERE search MATCH ? LIMIT 1").get([anyWord([word])]) !==
    undefined
  );
}

/** The id of the newest entry: also about how many there are. */
function newestEntry(db: Database): number {
  return db.prepare<{ n: number | null }>("SELECT max(id) AS n FROM entries").get()?.n ?? 0;
}

interface Scored extends Found {
  score: number;
}

/** The best candidates by score, the others after them as the index ranked them. */
function ordered(found: readonly Scored[], { entries, best }: Candidates): Scored[] {
  const byEntry = new Map(found.map((one) => [one.entry, one]));
  const known = (part: readonly Candidate[]) => part.flatMap(({ id }) => byEntry.get(id) ?? []);
  const head = known(entries.slice(0, best)).sort(
    (a, b) => b.score - a.score || b.createdAt - a.createdAt || b.entry - a.entry,
  );
  let least = head.at(-1)?.score ?? 0;
  const tail = known(entries.slice(best)).map((one) => {
    least = Math.min(one.score, least);
    return { ...one, score: least };
  });
  return [...head, ...tail];
}

function matchedFacts(one: Found, terms: readonly RankedTerm[]): string[] {
  return one.result.facts.filter((fact) => termsIn(fact, terms).length > 0);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

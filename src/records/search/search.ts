// The handler of `storage.search`: filter and text in, ranked results of every kind out.
import type { Database } from "../../host/sqlite.ts";
import type { RecordKind, SearchLevel, SearchQuery, SearchResult } from "../../sdk/storage.ts";
import type { Field, Hit, SearchFilter, SearchIndex } from "../../search/index.ts";
import { type ResolvedFilter, resolveFilter } from "../filter.ts";
import { recordKinds, slashed } from "../kinds.ts";
import { page } from "../list.ts";
import { hiddenDocuments, untoldDocuments } from "../marked.ts";
import { evidenceAt } from "./documents.ts";
import { type Found, loadFound, weigher } from "./found.ts";

/** What each retrieval level searches. Without fields: all of them. */
const levels: Record<SearchLevel, { kinds: RecordKind[]; fields?: Field[] }> = {
  sessions: { kinds: ["session"] },
  summaries: { kinds: ["summary"] },
  titles: { kinds: ["observation"], fields: ["title", "subtitle"] },
  facts: { kinds: ["observation"], fields: ["fact"] },
  narratives: { kinds: ["observation"] },
};

const defaultLimit = 20;
const maxLimit = 200;
/** Results over all pages. */
const most = 1_000;

/** Results best first; without words the newest, all with the score 0. `now` (epoch ms) weighs age. */
export function searchRecords(
  db: Database,
  index: SearchIndex,
  query: SearchQuery,
  now: number,
): SearchResult[] {
  const { limit, offset } = page(query, defaultLimit, maxLimit);
  const level = query.level === undefined ? { kinds: recordKinds } : levels[query.level];
  const kinds = level.kinds.filter((kind) => query.kinds?.includes(kind) ?? true);
  const filter = indexFilter(resolveFilter(db, query), kinds, query);
  const texts = [query.text, ...(query.also ?? [])].filter((text) => text.trim() !== "");
  const hidden = hiddenDocuments(db);
  const asked = underWay(db, query.asking);
  const leftOut = query.hidden === false ? asked.union(hidden).union(untoldDocuments(db)) : asked;
  const marked = ({ result, document: { id } }: Found): Found["result"] => {
    const { marks = [], ...rest } = result;
    const all = hidden.has(id) ? [...new Set([...marks, "hidden" as const])] : marks;
    return all.length > 0 ? { ...rest, marks: all } : rest;
  };
  if (texts.length === 0) {
    // From the first on: what is left out would shift the pages.
    const newest = index.newest(filter, offset + limit + leftOut.size, 0);
    const ids = newest.filter((id) => !leftOut.has(id)).slice(offset, offset + limit);
    const found = loadFound(db, ids);
    return ids.flatMap((id) => {
      const one = found.get(id);
      return one ? [{ ...marked(one), score: 0 }] : [];
    });
  }
  const { hits, corrected } = index.search({
    texts,
    filter,
    ...("fields" in level && level.fields ? { fields: level.fields } : {}),
    by: query.by === "record" ? "document" : (query.by ?? "session"),
    limit: Math.max(0, Math.min(limit, most - offset)),
    offset,
    calendar: { now, ...(query.marks === undefined ? {} : { marks: query.marks }) },
    weigh: weigher(db, now, kinds.includes("turn"), leftOut),
  });
  const found = loadFound(
    db,
    hits.map(({ id }) => id),
  );
  return hits.flatMap((hit) => {
    const one = found.get(hit.id);
    if (!one) return [];
    return {
      ...marked(one),
      ...shown(one, hit, query),
      score: Math.round(hit.score * 10_000) / 10_000,
      ...(Object.keys(corrected).length > 0 ? { corrected } : {}),
    };
  });
}

/** Documents of the prompt that a session is working on, of its turn as far as it is known, and of the session, which repeats its prompts. */
function underWay(db: Database, session: string | undefined): ReadonlySet<string> {
  if (session === undefined || session === "") return new Set();
  const last = `(SELECT max(prompt_number) FROM prompts WHERE session_id = s.id)`;
  const rows = db
    .prepare<{ id: string }>(
      `SELECT 'p' || p.id AS id FROM sessions s JOIN prompts p ON p.session_id = s.id AND p.prompt_number = ${last}
       WHERE s.client_session_id = $session
       UNION ALL
       SELECT 't' || t.id FROM sessions s JOIN turns t ON t.session_id = s.id AND t.prompt_number = ${last}
       WHERE s.client_session_id = $session
       UNION ALL
       SELECT 'session ' || id AS id FROM sessions WHERE client_session_id = $session`,
    )
    .all({ session });
  return new Set(rows.map(({ id }) => id));
}

/** Names looked up already; nothing passes where one is of nobody. */
function indexFilter(
  filter: ResolvedFilter,
  kinds: readonly RecordKind[],
  { client }: SearchQuery,
): SearchFilter {
  const { projects, session, type, concept, file, formerly = [], since, until } = filter;
  return {
    ...(kinds.length < recordKinds.length ? { kinds } : {}),
    ...(projects === undefined ? {} : { projects }),
    ...(session === undefined ? {} : { sessions: session === "" ? [] : [session] }),
    ...(type === undefined ? {} : { type }),
    ...(client === undefined ? {} : { client }),
    ...(concept === undefined ? {} : { concept }),
    ...(file === undefined ? {} : { files: [file, ...formerly].map(slashed) }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The text that was found, and of facts those that were meant. */
function shown({ document }: Found, hit: Hit, query: SearchQuery): Partial<SearchResult> {
  const { piece, start, end } = hit.passage;
  const excerpt = document.pieces[piece]?.text.slice(start, end).trim() ?? "";
  const facts = [
    ...new Set(hit.passages.filter(({ field }) => field === "fact").map((one) => one.piece)),
  ];
  return {
    ...(excerpt === "" ? {} : { excerpt }),
    ...(document.kind === "turn" ? { piece: evidenceAt(piece) } : {}),
    ...(query.level === "facts"
      ? { facts: facts.sort((a, b) => a - b).map((at) => document.pieces[at]?.text ?? "") }
      : {}),
    ...(query.explain === true ? { why: { ...hit.why, field: hit.passage.field } } : {}),
  };
}

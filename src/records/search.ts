// The handler of `storage.search`: filter and text in, ranked results of every kind out, or an entry for each turn.
import type { Database } from "../host/sqlite.ts";
import { firstLine, marksOf, namesTurn, partOf } from "../sdk/record-texts.ts";
import type { RecordKind, SearchLevel, SearchQuery, SearchResult } from "../sdk/storage.ts";
import type { Turn } from "../sdk/turn.ts";
import { stem, tokensOf } from "../search/document.ts";
import type {
  DocumentField,
  Hit,
  ScoredDocument,
  SearchDocument,
  SearchFilter,
  SearchIndex,
} from "../search/index.ts";
import { defaultLimit, oncePerTurn } from "../search/rank/fuse.ts";
import { reach } from "../search/search.ts";
import { failureLine } from "../text/prose/plain.ts";
import { cut, estimateTokens, oneLine } from "../text/text.ts";
import { allKinds, documentOf, kinds, type RecordOf, recordOf, slashed } from "./fields.ts";
import {
  hiddenDocuments,
  projectsIn,
  type ResolvedFilter,
  resolveFilter,
  type Where,
} from "./filter.ts";
import { documentsOfHiddenTitles, page, type Read, readKind } from "./list.ts";
import { evidenceAt, searchDocument } from "./search-index.ts";

/** What each retrieval level searches. Without fields: all of them. */
const levels: Record<SearchLevel, { kinds: RecordKind[]; fields?: DocumentField[] }> = {
  sessions: { kinds: ["session"] },
  summaries: { kinds: ["summary"] },
  titles: { kinds: ["observation"], fields: ["title", "subtitle"] },
  facts: { kinds: ["observation"], fields: ["fact"] },
  narratives: { kinds: ["observation"] },
};

const maxLimit = 200;

/** Results best first; without words the newest, all with the score 0. `now` (epoch ms) weighs age. */
export function searchRecords(
  db: Database,
  index: SearchIndex,
  query: SearchQuery,
  now: number,
): SearchResult[] {
  const { limit, offset } = page(query, defaultLimit, maxLimit);
  const level = query.level === undefined ? { kinds: allKinds } : levels[query.level];
  const kinds = level.kinds.filter((kind) => query.kinds?.includes(kind) ?? true);
  const filter = indexFilter(db, resolveFilter(db, query), kinds, query);
  const texts = [query.text, ...(query.also ?? [])].filter((text) => text.trim() !== "");
  const hidden = hiddenDocuments(db);
  const ownDocuments = underWay(db, query.asking);
  const leftOut =
    query.hidden === false
      ? ownDocuments.union(hidden).union(documentsOfHiddenTitles(db))
      : ownDocuments;
  const marked = ({ result, document: { id } }: Loaded): Loaded["result"] => {
    const { marks = [], ...rest } = result;
    const all = hidden.has(id) ? [...new Set([...marks, "hidden" as const])] : marks;
    return all.length > 0 ? { ...rest, marks: all } : rest;
  };
  const { by } = query;
  const entriesOf = (found: ClientResult[]) =>
    by === "turn"
      ? asTurns(db, found, {
          ...{ kinds, leftOut },
          ofTurn: (read) => marked(loadedOf("turn", read)),
        })
      : found.map(({ result }) => result);
  if (texts.length === 0) {
    const ids = newestIds(db, index, filter, { leftOut, by, end: offset + limit }).slice(offset);
    const loaded = loadRecords(db, ids);
    const found = ids.flatMap((id) => loaded.get(id) ?? []);
    return entriesOf(
      found.map((one) => ({ result: { ...marked(one), score: 0 }, client: one.document.client })),
    );
  }
  const { hits, corrected } = index.search({
    texts,
    filter,
    ...("fields" in level && level.fields ? { fields: level.fields } : {}),
    groupBy: by === "record" ? "document" : (by ?? "session"),
    limit: Math.max(0, Math.min(limit, reach - offset)),
    offset,
    calendar: { now, ...(query.marks === undefined ? {} : { marks: query.marks }) },
    weigh: weigher(db, now, kinds.includes("turn"), leftOut, {
      here: query.here,
      // Who asks in several phrasings has said already what to look for.
      ofRules: texts.length === 1 && asksForRules.test(texts[0] ?? ""),
    }),
  });
  const loaded = loadRecords(
    db,
    hits.map(({ id }) => id),
  );
  const found = hits.flatMap((hit) => {
    const one = loaded.get(hit.id);
    if (!one) return [];
    const result = {
      ...marked(one),
      ...shown(one, hit, query),
      score: Math.round(hit.score * 10_000) / 10_000,
      ...(Object.keys(corrected).length > 0 ? { corrected } : {}),
    };
    return { result, client: one.document.client };
  });
  return entriesOf(found);
}

/** Ids of the newest documents up to `end`; by turn the first of each. */
function newestIds(
  db: Database,
  index: SearchIndex,
  filter: SearchFilter,
  { leftOut, by, end }: { leftOut: ReadonlySet<string>; by: SearchQuery["by"]; end: number },
): string[] {
  // From the first on: what is left out, or is of one turn, would shift the pages.
  for (let asked = end + leftOut.size; ; asked *= 3) {
    const all = index.newest(filter, asked, 0);
    const passing = all.filter((id) => !leftOut.has(id));
    const ids = by === "turn" ? oncePerTurn(placesOf(db, passing)).map(({ id }) => id) : passing;
    if (ids.length >= end || all.length < asked) return ids.slice(0, end);
  }
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
  db: Database,
  filter: ResolvedFilter,
  kinds: readonly RecordKind[],
  { client }: SearchQuery,
): SearchFilter {
  const { projects, session, type, concept, file, formerly = [], since, until } = filter;
  return {
    ...(kinds.length < allKinds.length ? { kinds } : {}),
    ...(projects === undefined ? {} : { projects }),
    ...(session === undefined ? {} : { sessions: session === "" ? [] : [session] }),
    ...(type === undefined ? {} : { type }),
    ...(client === undefined ? {} : { client }),
    ...(concept === undefined ? {} : { concept }),
    ...(file === undefined ? {} : { files: [file, ...formerly].map(slashed) }),
    ...(filter.madeBy && { ids: documentsMadeBy(db, filter.madeBy) }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function documentsMadeBy(db: Database, { conditions, params }: Where): Set<string> {
  const sql = `SELECT c.kind, c.row FROM changes c WHERE c.row IS NOT NULL AND ${conditions.join(" AND ")}`;
  return new Set(db.all<{ kind: RecordKind; row: number }>(sql, params).map(documentOf));
}

/** The text that was found, and of facts those that were meant. */
function shown({ document }: Loaded, hit: Hit, query: SearchQuery): Partial<SearchResult> {
  const { piece, start, end } = hit.passage;
  const excerpt = fromDensest(document.pieces[piece]?.text ?? "", { start, end }, hit.why.words);
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

const sentenceEnd = /(?<=[.!?…:;][)"'”]?)\s+|\n+|(?<=[。！？])/u;

/** As much of a text as a passage is, from the one or two sentences of it on that hold most of what was asked: a line shows only its beginning. */
function fromDensest(
  text: string,
  { start, end }: { start: number; end: number },
  words: Hit["why"]["words"],
): string {
  const passage = text.slice(start, end);
  const adds = new Map(words.map(({ word, adds }) => [stem(word), adds]));
  const sentences = passage.split(sentenceEnd);
  const held = sentences.map((sentence) => new Set(tokensOf(sentence).map(({ term }) => term)));
  const worth = (terms: ReadonlySet<string>) =>
    [...adds].reduce((sum, [term, add]) => sum + (terms.has(term) ? add : 0), 0);
  const scores = held.map((terms, at) =>
    worth(terms) === 0 ? 0 : worth(terms.union(held[at + 1] ?? new Set())),
  );
  const first = sentences[scores.indexOf(Math.max(...scores))] ?? "";
  const from = start + Math.max(0, passage.indexOf(first));
  const rest = text.slice(from, from + end - start);
  const isWhole = from + end - start >= text.length || from === start;
  return (isWhole ? rest : rest.replace(/\s\S*$/u, "")).trim();
}

// Reads records for search: each kind's rows as documents of the index and as results.

/** A record as the index has it, and as a result before it has a score. */
interface Loaded {
  document: SearchDocument;
  result: Omit<SearchResult, "score" | "corrected">;
}

/** The records of documents, by the documents' ids; those that are gone are left out. */
function loadRecords(db: Database, ids: readonly string[]): Map<string, Loaded> {
  const rows = Map.groupBy(
    ids.flatMap((id) => recordOf(id) ?? []),
    ({ kind }) => kind,
  );
  const found = new Map<string, Loaded>();
  for (const [kind, list] of rows) {
    const numbers = JSON.stringify(list.map(({ row }) => row));
    for (const read of readKind(db, kind, "WHERE r.id IN (SELECT value FROM json_each(?))", [
      numbers,
    ])) {
      const one = loadedOf(kind, read);
      found.set(one.document.id, one);
    }
  }
  return found;
}

function loadedOf<Kind extends RecordKind>(kind: Kind, read: Read<Kind>): Loaded {
  const document = searchDocument(kind, read.record, read);
  const shared = {
    kind,
    type: document.type ?? kind,
    session: document.session,
    project: projectOf(read.record),
    subtitle: "",
    createdAt: document.time,
    promptNumber: document.position ?? 0,
    facts: [],
    files: [],
    readTokens: estimateTokens(document.pieces.map(({ text }) => text).join("\n")),
    id: read.record.id,
    ...marksOf(read.record),
  };
  return { document, result: { ...shared, ...resultOf[kind](read.record) } };
}

function projectOf({ project }: { project: string | { id: string } }): string {
  return typeof project === "string" ? project : project.id;
}

/** What a result says of each kind. */
const resultOf: {
  readonly [Kind in RecordKind]: (
    record: RecordOf<Kind>,
  ) => Pick<SearchResult, "title"> & Partial<SearchResult>;
} = {
  observation: ({ title, subtitle, facts, supersededBy, filesModified, filesRead }) => ({
    title,
    subtitle,
    facts,
    ...(supersededBy !== undefined && { supersededBy }),
    files: [...new Set([...filesModified, ...filesRead])],
  }),
  summary: ({ request, completed, learned }) => ({
    title: firstLine(request || completed),
    subtitle: completed || learned,
  }),
  prompt: ({ text }) => ({ title: firstLine(text) }),
  session: ({ title, subtitle, prompts: promptNumber }) => ({ title, subtitle, promptNumber }),
  memory: ({ content, context }) => ({ title: firstLine(content), subtitle: context }),
  turn: (record) => ({
    title: firstLine(record.pieces[0]?.text ?? ""),
    subtitle: firstLine(saidLast(record)),
    files: record.files.map(({ path }) => path),
  }),
};

function saidLast({ pieces }: Turn): string {
  return pieces.findLast(({ kind }) => kind === "closing" || kind === "said")?.text ?? "";
}

// One entry for each turn of a search: what was asked, what came of it, what failed, and the ids of the records that hold it.

/** Kinds of which a turn's record, and what was derived from it, are. */
const partKinds = ["turn", "prompt", "observation", "summary"] as const;
type PartKind = (typeof partKinds)[number];
type Part = { [Kind in PartKind]: { kind: Kind } & Read<Kind> }[PartKind];

/** A result with the client of its session, which tells sessions of one id apart. */
interface ClientResult {
  result: SearchResult;
  client: string | undefined;
}

interface Shown {
  /** The kinds that were asked for: an entry is its turn's record only where turns are among them. */
  kinds: readonly RecordKind[];
  /** Documents that are no answer, what is hidden from the asker among them. */
  leftOut: ReadonlySet<string>;
  /** What a result says of a turn. */
  ofTurn: (read: Read<"turn">) => Omit<SearchResult, "score">;
}

const askedLength = 240;
const mostFailures = 5;

/** The results as entries of their turns. What is of no turn stays as it is. */
function asTurns(
  db: Database,
  found: readonly ClientResult[],
  { kinds, leftOut, ofTurn }: Shown,
): SearchResult[] {
  const parts = partsOf(db, found);
  return found.map(({ result, client }) => {
    const own = (parts.get(placeOf({ client, ...result })) ?? []).filter(
      ({ kind, row }) => !leftOut.has(documentOf({ kind, row })),
    );
    if (own.length === 0 || !isOfTurn(result)) return result;
    const turn = own.find((part) => part.kind === "turn");
    const asked = askedIn(own);
    const named = own.map(partOf);
    const main = namesTurn(named, result.id);
    const entry: SearchResult = {
      ...(turn && kinds.includes("turn") ? ofItsTurn(result, ofTurn(turn)) : result),
      ...(asked !== "" && { asked }),
      ...(turn && failuresIn(turn.record)),
      parts: named,
    };
    if (entry.kind !== "turn" || !main) return entry;
    const { type, title, supersededBy } = main;
    const marks = [...new Set([...(entry.marks ?? []), ...(main.marks ?? [])])];
    return {
      ...{ ...entry, type, title },
      ...(supersededBy !== undefined && { supersededBy }),
      ...(marks.length > 0 && { marks }),
    };
  });
}

/** The turn's own record, with what was found in a part of it. */
function ofItsTurn(found: SearchResult, turn: Omit<SearchResult, "score">): SearchResult {
  if (found.kind === "turn") return found;
  const { score, excerpt, facts, why, corrected, id } = found;
  return {
    ...{ ...turn, score, facts, found: id },
    ...(excerpt !== undefined && { excerpt }),
    ...(why && { why }),
    ...(corrected && { corrected }),
  };
}

function isOfTurn({ kind }: SearchResult): boolean {
  return partKinds.some((one) => one === kind);
}

function askedIn(parts: readonly Part[]): string {
  const turn = parts.find((part) => part.kind === "turn")?.record;
  const typed = turn?.pieces.find(({ kind }) => kind === "prompt")?.text;
  const prompt = parts.find((part) => part.kind === "prompt")?.record.text;
  return cut(oneLine(typed ?? prompt ?? ""), askedLength);
}

/** What failed in a turn, each command once, and whether it passed after files were changed. */
function failuresIn({ pieces }: Turn): Pick<SearchResult, "failures"> {
  const found = new Map<string, NonNullable<SearchResult["failures"]>[number]>();
  for (const { kind, text, about: command = "" } of pieces) {
    if (kind !== "failure" && kind !== "repair") continue;
    const [output = ""] = text.split("\n\n→ ");
    const failed = failureLine(output) || found.get(command)?.failed || command;
    found.set(command, { failed, isFixed: kind === "repair", ...(command && { command }) });
  }
  const failures = [...found.values()].slice(0, mostFailures);
  return failures.length > 0 ? { failures } : {};
}

/** What is stored of the results' turns, by place; of each the turn first, and the rest in time order. */
function partsOf(db: Database, results: readonly ClientResult[]): Map<string, Part[]> {
  const sessions = db.prepare<{ id: number }>(
    "SELECT id FROM sessions WHERE client_session_id = ?",
  );
  const places = results
    .filter(({ result }) => isOfTurn(result))
    .flatMap(({ result: { session, promptNumber } }) =>
      sessions.all([session]).map(({ id }) => [id, promptNumber]),
    );
  const asked = JSON.stringify(places);
  const read = <Kind extends PartKind>(kind: Kind) => {
    const rest =
      "WHERE (r.session_id, r.prompt_number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) ORDER BY r.created_at, r.id";
    return readKind(db, kind, rest, [asked]).map((one) => ({ kind, ...one }) as Part);
  };
  return Map.groupBy(partKinds.flatMap(read), ({ record }) => placeOf(record));
}

/** Which turn of which session. */
function placeOf(of: {
  client?: string | undefined;
  session: string;
  promptNumber: number;
}): string {
  return JSON.stringify([of.client, of.session, of.promptNumber]);
}

/** Documents with the turn that each is of, in their order. */
function placesOf(
  db: Database,
  ids: readonly string[],
): Array<{ id: string; kind: RecordKind; session: string; position: number }> {
  const known = ids.flatMap((id) => {
    const of = recordOf(id);
    return of ? { id, ...of } : [];
  });
  const places = new Map<string, { session: string; position: number }>();
  for (const [kind, list] of Map.groupBy(known, ({ kind }) => kind)) {
    if (!partKinds.some((one) => one === kind)) continue;
    const sql = `SELECT id, session_id, prompt_number FROM ${kinds[kind].table} WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = db.prepare<{ id: number; session_id: number; prompt_number: number }>(sql);
    for (const { id: row, session_id, prompt_number } of rows.all([
      JSON.stringify(list.map(({ row }) => row)),
    ]))
      places.set(documentOf({ kind, row }), {
        session: String(session_id),
        position: prompt_number,
      });
  }
  return known.map(({ id, kind, row }) => ({
    ...{ id, kind, session: kind === "session" ? String(row) : "", position: 0 },
    ...places.get(id),
  }));
}

// What counts for a record beside its words: its kind, its age, and whether a newer one took its place.

/** Prompts repeat the words one searches with without saying what came of it. */
const kindWeights = new Map([
  ["summary", 0.95],
  ["session", 0.85],
  ["prompt", 0.7],
]);
const supersededWeight = 0.5;
/** What a person laid down, where that is asked for: "how do I like commits", "which rule …", "what did we decide on …". */
const ruleWeight = 1.5;
const asksForRules =
  /\b(?:prefer\w*|(?:do|did|does|would) (?:I|we|you|he|she|they) (?:like|want)|rules?|conventions?|decide[ds]?|decisions?|agreed?)\b/iu;
/** Of the projects that the asker is not in. */
const elsewhereWeight = 0.5;
const day = 86_400_000;

/** A factor for each document; 0 for those to be left out, and for a prompt whose turn says the same and more, where turns are searched too. */
export function weigher(
  db: Database,
  now: number,
  withTurns: boolean,
  leftOut: ReadonlySet<string>,
  { here, ofRules = false }: { here?: string | undefined; ofRules?: boolean } = {},
) {
  const ofHere = here === undefined ? undefined : new Set([here, ...projectsIn(db).idsOf(here)]);
  const rowsIn = (sql: string, ids: readonly number[]): Set<number> =>
    ids.length === 0
      ? new Set()
      : new Set(
          db
            .prepare<{ id: number }>(sql)
            .all([JSON.stringify(ids)])
            .map(({ id }) => id),
        );

  return (documents: readonly ScoredDocument[]): number[] => {
    const rows = (kind: string) =>
      documents.flatMap((document) =>
        document.kind === kind ? (recordOf(document.id)?.row ?? []) : [],
      );
    const superseded = rowsIn(
      `SELECT id FROM observations WHERE superseded_by IS NOT NULL
       AND id IN (SELECT value FROM json_each(?))`,
      rows("observation"),
    );
    const repeated = withTurns
      ? rowsIn(
          `SELECT p.id FROM prompts p JOIN turns t ON t.session_id = p.session_id AND t.prompt_number = p.prompt_number
           WHERE p.id IN (SELECT value FROM json_each(?))`,
          rows("prompt"),
        )
      : new Set<number>();
    return documents.map(({ id, kind, time, project }) => {
      if (leftOut.has(id)) return 0;
      const row = recordOf(id)?.row ?? 0;
      if (kind === "prompt" && repeated.has(row)) return 0;
      const state = kind === "observation" && superseded.has(row) ? supersededWeight : 1;
      const place = (ofHere?.has(project) ?? true) ? 1 : elsewhereWeight;
      const said = ofRules && kind === "memory" ? ruleWeight : 1;
      return (kindWeights.get(kind) ?? 1) * state * place * said * freshness(now - time);
    });
  };
}

/** Age takes a twentieth at most: it decides between records that say the same. */
function freshness(age: number): number {
  return 0.95 + 0.05 * Math.exp(-Math.max(0, age) / day / 60);
}

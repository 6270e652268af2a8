// The handler of `storage.search`: what the words find, and beside it what means the same.
import type {
  Evidence,
  HandlerContext,
  HookInput,
  SearchResult,
  Turn,
} from "../../src/sdk/index.ts";
import { cut, estimateTokens, oneLine } from "../../src/text/index.ts";
import type { Config } from "./config.ts";
import type { Questions } from "./endpoint.ts";
import { passagesOf } from "./passages.ts";
import type { KeptTurn, Near, VectorStore } from "./store.ts";

type SearchQuery = HookInput<"storage.search">;

/** What the handler works with. */
export interface Searching {
  store: VectorStore;
  questions: Questions;
}

type Context = HandlerContext<"storage.search", Config, { searching?: Searching }>;

const defaultLimit = 20;
/** As many hits as a search gives at once: deeper pages are those of the words. */
const deepest = 200;
/** So many hits by words are fused at least. */
const least = 50;
/** Below that nothing is meant alike, whatever the model. */
const leastLikeness = 0.2;

/** Where the question's vector does not come in time, or nothing is near: what the words find, unchanged. */
export async function search(
  query: SearchQuery,
  ctx: Context,
): Promise<SearchResult[] | undefined> {
  const { searching } = ctx.state;
  const offset = query.offset ?? 0;
  const end = offset + (query.limit ?? defaultLimit);
  if (!searching || end > deepest || !mayMeanMore(query)) return ctx.next();
  const { store, questions } = searching;
  const texts = [query.text, ...(query.also ?? [])].filter((text) => text.trim() !== "");
  const [words, vectors] = await Promise.all([
    ctx.next({ ...query, offset: 0, limit: Math.max(end, least) }),
    questions.vectors(texts),
  ]);
  if (!words) return undefined;
  const meaning = vectors ? await byMeaning(store, vectors, query, ctx) : [];
  if (meaning.length === 0) return words.slice(offset, end);
  const all = fuse(words, withCorrections(meaning, words), {
    share: ctx.config.meaningShare,
    phrasings: texts.length,
    by: query.by,
  });
  return all.slice(offset, end);
}

/** Where turns are looked for, by more than a name or a phrase that has to be there, and nobody's hook waits. */
function mayMeanMore({
  text,
  also = [],
  kinds,
  level,
  type,
  concept,
  swift,
}: SearchQuery): boolean {
  return (
    swift !== true &&
    level === undefined &&
    concept === undefined &&
    (type === undefined || type === "turn") &&
    (kinds?.includes("turn") ?? true) &&
    [text, ...also].some((words) => /\p{L}.*\s.*\p{L}|[\p{Lo}]{4}/u.test(words)) &&
    ![text, ...also].some((words) => /"[^"]+"/.test(words))
  );
}

async function byMeaning(
  store: VectorStore,
  vectors: readonly Float32Array[],
  query: SearchQuery,
  ctx: Context,
): Promise<SearchResult[]> {
  const passes = await scopeOf(query, ctx);
  const near = store
    .nearest(vectors, passes)
    .filter(({ likeness }) => likeness >= leastLikeness)
    .slice(0, least * 2);
  if (near.length === 0) return [];
  const records = await ctx.storage.get({ ids: [...new Set(near.map(({ turn }) => turn))] });
  const turns = new Map(
    (records ?? []).flatMap((one) => (one.kind === "turn" ? [[one.record.id, one.record]] : [])),
  );
  return resultsOf(near satisfies Near[], turns, {
    all: query.by === "passage",
    explain: query.explain === true,
  });
}

/** Which turns the filters let pass. Files and people are asked of storage, which knows who and what is meant. */
async function scopeOf(query: SearchQuery, ctx: Context): Promise<(turn: KeptTurn) => boolean> {
  const { project, session, client, since, until, file, person, asking } = query;
  const [projects, asked, last] = await Promise.all([
    project === undefined ? undefined : projectsOf(project, ctx),
    file === undefined && person === undefined ? undefined : turnsOf(query, ctx),
    asking === undefined || asking === "" ? undefined : lastPrompt(asking, ctx),
  ]);
  return (turn) =>
    (projects?.has(turn.project) ?? true) &&
    (asked?.has(turn.id) ?? true) &&
    (session === undefined || (session !== "" && turn.session.startsWith(session))) &&
    (client === undefined || turn.client === client) &&
    (since === undefined || turn.time >= since) &&
    (until === undefined || turn.time < until) &&
    (last === undefined || turn.session !== asking || turn.promptNumber !== last);
}

async function projectsOf(project: string, ctx: Context): Promise<ReadonlySet<string>> {
  const known = (await ctx.storage.stats({}))?.projects ?? [];
  const byId = known.filter(({ id, ids = [id] }) => ids.includes(project));
  const found = byId.length > 0 ? byId : known.filter(({ name }) => name === project);
  return new Set(found.flatMap(({ id, ids = [] }) => [id, ...ids]));
}

async function turnsOf(query: SearchQuery, ctx: Context): Promise<ReadonlySet<string>> {
  const { also: _also, explain: _explain, ...narrowed } = query;
  const found = await ctx.next({
    ...narrowed,
    text: "",
    kinds: ["turn"],
    by: "record",
    offset: 0,
    limit: deepest,
  });
  return new Set((found ?? []).map(({ id }) => id));
}

/** The number of the prompt that the asking session is working on. */
async function lastPrompt(session: string, ctx: Context): Promise<number | undefined> {
  return (await ctx.storage.prompts({ session, limit: 1 }))?.[0]?.promptNumber;
}

function withCorrections(
  meaning: readonly SearchResult[],
  words: readonly SearchResult[],
): SearchResult[] {
  const corrected = words[0]?.corrected;
  return meaning.map((result) => (corrected ? { ...result, corrected } : result));
}

// Near passages → results as a search answers them, from the turns as they are stored now.

const titleLength = 120;

/** In the order of `near`; for each turn its best passage, or with `all` each. What a turn does not say any more is left out. */
export function resultsOf(
  near: readonly Near[],
  turns: ReadonlyMap<string, Turn>,
  how: { all: boolean; explain: boolean },
): SearchResult[] {
  const shown = new Set<string>();
  return near.flatMap(({ turn: id, hash, likeness }, rank) => {
    const turn = turns.get(id);
    if (!turn || (!how.all && shown.has(id))) return [];
    const passage = passagesOf(turn).find((one) => one.hash === hash);
    if (!passage) return [];
    shown.add(id);
    const { piece, start, end } = passage;
    const why = {
      words: [],
      field: turn.pieces[piece]?.kind ?? "said",
      session: 0,
      documentRank: rank + 1,
      likeness: Math.round(likeness * 1_000) / 1_000,
    };
    return {
      ...resultOf(turn),
      score: Math.max(0, likeness),
      excerpt: turn.pieces[piece]?.text.slice(start, end).trim() ?? "",
      piece,
      ...(how.explain ? { why } : {}),
    };
  });
}

function resultOf({ id, session, project, startedAt, promptNumber, pieces, files }: Turn) {
  const said = pieces.findLast(({ kind }) => kind === "closing" || kind === "said")?.text ?? "";
  const everything = pieces.map((piece: Evidence) => `${piece.text}\n${piece.about ?? ""}`);
  return {
    id,
    kind: "turn" as const,
    type: "turn",
    session,
    project,
    title: cut(oneLine(pieces[0]?.text ?? ""), titleLength),
    subtitle: cut(oneLine(said), titleLength),
    createdAt: startedAt,
    promptNumber,
    facts: [],
    files: files.map(({ path }) => path),
    readTokens: estimateTokens(everything.join("\n")),
  };
}

// Hits by words and hits by meaning become one list, by their scores: a question that words answer well has one hit far above the others, and keeps it. Pure.

/** A session by meaning: its best hits, each counting half of the one before. */
const hitsCounted = 3;
const hitFall = 0.5;
/** What a session's further hits are worth beside the first hits of other sessions, as in the search by words. */
const furtherShare = 0.8;

/** A hit with its worth, from 0 to 1. */
interface Weighed {
  result: SearchResult;
  worth: number;
}

/** What the best hit by meaning counts beside the best by words, for a question in so many phrasings; and what is ranked. */
interface Weights {
  share: number;
  phrasings: number;
  by?: SearchQuery["by"];
}

/**
 * Both best first. The best of either list is worth 1, of those by meaning the last 0, for likenesses have no zero of their
 * own. Each further phrasing leaves words less of a gap, so that meaning counts the less.
 */
export function fuse(
  words: readonly SearchResult[],
  meaning: readonly SearchResult[],
  { share: alone, phrasings, by = "session" }: Weights,
): SearchResult[] {
  const share = alone / phrasings;
  const byWords = weighed(words, 0);
  const byMeaning = weighed(meaning, Math.min(...meaning.map(({ score }) => score)));
  const sorted = joinHits(byWords, byMeaning, share, by);
  const highest = sorted[0]?.worth || 1;
  if (by !== "session" && by !== "turn")
    return sorted.map(({ result, worth }) => scored(result, worth / highest));
  const sessions = joinSessions(byWords, byMeaning, share);
  const best = Math.max(...sessions.values()) || 1;
  const shown = new Set<string>();
  return sorted
    .map(({ result, worth }) => {
      const session = (sessions.get(result.session) ?? 0) / best;
      const isFirst = !shown.has(result.session);
      shown.add(result.session);
      // Never before the first of its own session.
      return scored(
        result,
        isFirst ? session : Math.min(session, (furtherShare * worth) / highest),
      );
    })
    .sort((a, b) => b.score - a.score);
}

function weighed(results: readonly SearchResult[], least: number): Weighed[] {
  const most = Math.max(...results.map(({ score }) => score));
  return results.map((result) => ({
    result,
    worth: most > least ? (result.score - least) / (most - least) : 1,
  }));
}

function joinHits(
  words: readonly Weighed[],
  meaning: readonly Weighed[],
  share: number,
  by: SearchQuery["by"],
): Weighed[] {
  const key = by === "passage" ? passageKey : ({ id, kind }: SearchResult) => `${kind} ${id}`;
  const found = firsts(words, key);
  for (const [name, { result, worth }] of firsts(meaning, key)) {
    const known = found.get(name);
    found.set(name, {
      result: known ? joined(known.result, result) : result,
      worth: (known?.worth ?? 0) + share * worth,
    });
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth);
}

/** Of those with one key the first, in their order. */
function firsts(list: readonly Weighed[], key: (result: SearchResult) => string) {
  const found = new Map<string, Weighed>();
  for (const one of list) if (!found.has(key(one.result))) found.set(key(one.result), one);
  return found;
}

/** By words a session is worth its first hit, which stands where its session stands. */
function joinSessions(
  words: readonly Weighed[],
  meaning: readonly Weighed[],
  share: number,
): Map<string, number> {
  const sessions = new Map<string, number>();
  for (const { result, worth } of words)
    sessions.set(result.session, Math.max(worth, sessions.get(result.session) ?? 0));
  const groups = Map.groupBy(meaning, ({ result }) => result.session);
  const near = [...groups].map(([session, found]) => {
    const best = found.map(({ worth }) => worth).sort((a, b) => b - a);
    const worth = best.slice(0, hitsCounted).reduce((sum, one, i) => sum + one * hitFall ** i, 0);
    return { session, worth };
  });
  const most = Math.max(...near.map(({ worth }) => worth)) || 1;
  for (const { session, worth } of near)
    sessions.set(session, (sessions.get(session) ?? 0) + (share * worth) / most);
  return sessions;
}

/** Words tell better where in a record they stand; meaning adds how near it is. */
function joined(words: SearchResult, meaning: SearchResult): SearchResult {
  const likeness = meaning.why?.likeness;
  if (words.why === undefined || likeness === undefined) return words;
  return { ...words, why: { ...words.why, likeness } };
}

/** Passages are cut otherwise for words than for meaning: those of one piece are one. */
function passageKey({ kind, id, piece, excerpt }: SearchResult): string {
  return `${kind} ${id} ${piece ?? excerpt ?? ""}`;
}

function scored(result: SearchResult, score: number): SearchResult {
  return { ...result, score: Math.round(score * 10_000) / 10_000 };
}

// What results are told by: turns and standing items by themselves, what was derived by the turn that it quotes.
import type { Place, SearchResult, StorageClient, Turn } from "../../src/sdk/index.ts";
import { saidIn } from "./passage.ts";
import type { Relevant } from "./relevance.ts";
import { type TellsOf, worthOf } from "./words.ts";

/** Something to tell, best first; without a turn it is told by what the search shows. */
export interface Source {
  result: SearchResult;
  /** Share of the prompt's weight that it has. */
  coverage: number;
  turn?: Turn;
}

/** What says less than this share of what the best says of a prompt is not told beside it. */
const gap = 0.5;
/** Turns of one session that are looked through for what a summary of it quotes. */
const mostTurns = 30;
/** So much of a quotation finds its place. */
const quoted = 60;

/** The turns among these results, by id. */
export async function turnsOf(
  results: readonly SearchResult[],
  storage: StorageClient,
): Promise<Map<string, Turn>> {
  const ids = results.flatMap(({ kind, id }) => (kind === "turn" ? id : []));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  return new Map(
    records.flatMap(({ kind, record }) => (kind === "turn" ? [[record.id, record] as const] : [])),
  );
}

/**
 * The first `most` different sources that are new: turns and standing items in their order, then what only derived
 * records lead to. What says much less of the prompt than the best is left out; a session by itself is only a label.
 */
export async function sourcesOf(
  relevant: readonly Relevant[],
  turns: ReadonlyMap<string, Turn>,
  storage: StorageClient,
  { most, isNew, tells }: { most: number; isNew: (id: string) => boolean; tells: TellsOf },
): Promise<Source[]> {
  const sources = new Map<string, Source>();
  const best = Math.max(0, ...relevant.map(({ coverage }) => coverage));
  const near = relevant.filter(({ coverage }) => coverage >= best * gap);
  const isSource = ({ result }: Relevant) => result.kind === "turn" || result.kind === "memory";
  for (const { result, coverage } of [...near.filter(isSource), ...near]) {
    if (sources.size >= most) break;
    if (result.kind === "session" || sources.has(result.id)) continue;
    const turn = turns.get(result.id) ?? (await quotedTurn(result, storage, tells));
    const id = turn?.id ?? result.id;
    if (sources.has(id) || !isNew(id)) continue;
    const at = turn && result.kind !== "turn" ? placeIn(turn, result.excerpt ?? "") : result.piece;
    const { piece: _, ...rest } = result;
    sources.set(id, {
      result: { ...rest, id, ...(at === undefined ? {} : { piece: at }) },
      coverage,
      ...(turn && { turn }),
    });
  }
  return [...sources.values()];
}

/** Ids of those told by themselves that are the user's own words: typed, said to be kept, or edited. */
export async function usersOwn(
  sources: readonly Source[],
  storage: StorageClient,
): Promise<Set<string>> {
  const ids = sources.flatMap(({ result, turn }) => (turn ? [] : result.id));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  return new Set(
    records.flatMap(({ kind, record }) => {
      const isSaid = kind === "prompt" || (kind === "memory" && record.state !== undefined);
      return isSaid || record.edited !== undefined ? record.id : [];
    }),
  );
}

/** The turn itself where it was not read yet, or the one that a derived record quotes. */
async function quotedTurn(
  { kind, id, session, excerpt = "" }: SearchResult,
  storage: StorageClient,
  tells: TellsOf,
): Promise<Turn | undefined> {
  const [stored] = kind === "memory" ? [] : await storage.get({ ids: [id] });
  if (stored?.kind === "turn") return stored.record;
  if (stored?.kind !== "observation" && stored?.kind !== "summary") return undefined;
  // The user's own words stand for themselves.
  if (stored.record.edited) return undefined;
  const numbers = new Set(turnsIn(stored.record.evidence ?? [], session));
  const [only] = numbers;
  if (only === undefined) return undefined;
  const turns = await storage.turns(
    numbers.size === 1 ? { session, promptNumber: only } : { session, limit: mostTurns },
  );
  const named = turns.filter(({ promptNumber }) => numbers.has(promptNumber));
  const source = named.find((turn) => placeIn(turn, excerpt) !== undefined);
  if (source) return source;
  const worths = named.map((turn) => worthOf(tells(saidIn(turn).join("\n"))));
  return named[worths.indexOf(Math.max(...worths))];
}

/** Numbers of the session's turns among places. */
function turnsIn(places: readonly Place[], session: string): number[] {
  return places.flatMap((place) => ((place.session ?? session) === session ? place.turn : []));
}

/** The piece that a quotation stands in; undefined where it stands in none. */
function placeIn({ pieces }: Turn, excerpt: string): number | undefined {
  const words = plain(excerpt).slice(0, quoted);
  const at = words === "" ? -1 : pieces.findIndex(({ text }) => plain(text).includes(words));
  return at < 0 ? undefined : at;
}

/** Only letters and digits: what was derived is written without marks. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

// A timeline: turns (or prompts), observations and summaries of a project or session, mixed in time order.
import type { Observation, Prompt, Summary } from "../../sdk/model.ts";
import type { ListQuery, StoredRecord, TurnListQuery } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";

/** One entry, oldest first in a timeline. */
export type TimelineItem = Extract<StoredRecord, { record: Observation | Prompt | Summary | Turn }>;

export interface TimelineQuery {
  project?: string;
  session?: string;
  client?: string;
  since?: number;
  until?: number;
  limit?: number;
}

/** The questions a timeline is made from. */
export interface TimelineSource {
  observations(query: ListQuery): Promise<Observation[]>;
  prompts(query: ListQuery): Promise<Prompt[]>;
  summaries(query: ListQuery): Promise<Summary[]>;
  turns(query: TurnListQuery): Promise<Turn[]>;
}

const defaultLimit = 50;

/** The newest entries that pass the query, oldest of them first. */
export async function timeline(
  source: TimelineSource,
  query: TimelineQuery,
): Promise<TimelineItem[]> {
  return (await collect(source, query, "newest")).reverse();
}

/** The entries before and after a moment (epoch ms), half of the limit each, oldest first; with what holds no more. */
export async function timelineAround(
  source: TimelineSource,
  query: TimelineQuery,
  time: number,
): Promise<TimelineItem[]> {
  const limit = query.limit ?? defaultLimit;
  const older = Math.ceil(limit / 2);
  const until = Math.min(query.until ?? time + 1, time + 1);
  const since = Math.max(query.since ?? time + 1, time + 1);
  const [before, after] = await Promise.all([
    collect(source, { ...query, until, limit: older }, "newest", true),
    limit > older
      ? collect(source, { ...query, since, limit: limit - older }, "oldest", true)
      : Promise.resolve([]),
  ]);
  return [...before.reverse(), ...after];
}

async function collect(
  source: TimelineSource,
  query: TimelineQuery,
  order: "newest" | "oldest",
  superseded = false,
): Promise<TimelineItem[]> {
  const limit = query.limit ?? defaultLimit;
  const list: ListQuery = { ...query, limit, order };
  const [observations, prompts, summaries, turns] = await Promise.all([
    source.observations({ ...list, superseded }),
    source.prompts(list),
    source.summaries(list),
    source.turns(list),
  ]);
  const hasTurn = new Set(turns.map(placeOf));
  const items: TimelineItem[] = [
    ...turns.map((record) => ({ kind: "turn" as const, record })),
    // A turn has its prompt.
    ...prompts
      .filter((prompt) => !hasTurn.has(placeOf(prompt)))
      .map((record) => ({ kind: "prompt" as const, record })),
    ...observations.map((record) => ({ kind: "observation" as const, record })),
    ...summaries.map((record) => ({ kind: "summary" as const, record })),
  ];
  const direction = order === "newest" ? -1 : 1;
  // At one moment a prompt stands before what came of it.
  const ranked = items.map((item, rank) => ({ item, rank }));
  ranked.sort((a, b) => direction * (momentOf(a.item) - momentOf(b.item) || a.rank - b.rank));
  return ranked.slice(0, limit).map(({ item }) => item);
}

/** Epoch ms; a turn stands where its prompt was. */
export function momentOf(item: TimelineItem): number {
  return item.kind === "turn" ? item.record.startedAt : item.record.time;
}

function placeOf({ client, session, promptNumber }: Prompt | Turn): string {
  return JSON.stringify([client, session, promptNumber]);
}

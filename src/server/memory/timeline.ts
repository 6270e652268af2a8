// A timeline: turns (or prompts), observations and summaries of a project or session, mixed in time order; of a place and a time, or around a record.
import type { Prompt } from "../../sdk/model.ts";
import type { ListQuery, StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { list, momentOf, projectOf, recordOf, type WithHooks } from "./records.ts";

/** One entry, oldest first in a timeline. */
export type TimelineItem = Extract<
  StoredRecord,
  { kind: "observation" | "prompt" | "summary" | "turn" }
>;

type TimelineQuery = Pick<
  ListQuery,
  "project" | "session" | "client" | "since" | "until" | "limit"
>;

const defaultLimit = 50;

/**
 * The newest entries that pass the query, oldest of them first. With `around` a record's id: the entries before and after its
 * moment, half of the limit each, with what holds no more, and that record. Throws `record_not_found`.
 */
export async function timeline(
  runtime: WithHooks,
  { around, ...query }: TimelineQuery & { around?: string },
): Promise<{ items: TimelineItem[]; around?: StoredRecord }> {
  const { limit = defaultLimit } = query;
  if (around === undefined) {
    const newest = await collect(runtime, { ...query, limit, order: "newest" }, false);
    return { items: newest.reverse() };
  }
  const centre = await recordOf(runtime, around);
  const scope = { project: projectOf(centre), ...query };
  const next = momentOf(centre) + 1;
  const older = Math.ceil(limit / 2);
  const until = Math.min(query.until ?? next, next);
  const since = Math.max(query.since ?? next, next);
  const [before, after] = await Promise.all([
    collect(runtime, { ...scope, until, limit: older, order: "newest" }, true),
    limit > older
      ? collect(runtime, { ...scope, since, limit: limit - older, order: "oldest" }, true)
      : [],
  ]);
  return { around: centre, items: [...before.reverse(), ...after] };
}

async function collect(
  runtime: WithHooks,
  query: ListQuery & { limit: number },
  superseded: boolean,
): Promise<TimelineItem[]> {
  const [observations, prompts, summaries, turns] = await Promise.all([
    list(runtime, "observation", { ...query, superseded }),
    list(runtime, "prompt", query),
    list(runtime, "summary", query),
    list(runtime, "turn", query),
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
  const direction = query.order === "newest" ? -1 : 1;
  // At one moment a prompt stands before what came of it.
  const ranked = items.map((item, rank) => ({ item, rank }));
  ranked.sort((a, b) => direction * (momentOf(a.item) - momentOf(b.item) || a.rank - b.rank));
  return ranked.slice(0, query.limit).map(({ item }) => item);
}

function placeOf({ client, session, promptNumber }: Prompt | Turn): string {
  return JSON.stringify([client, session, promptNumber]);
}

// A timeline: the turns of a project or session in time order, each once with the records of it; of a place and a time, or around a record.
import { partOf } from "../../sdk/record-texts.ts";
import type { ListQuery, RecordPart, StoredRecord } from "../../sdk/storage.ts";
import { list, momentOf, projectOf, recordOf, stored, type WithHooks } from "./records.ts";

/** One entry, oldest first in a timeline: a turn with the records of it, or what no turn was kept of. */
export type TimelineItem = Moment & { parts: RecordPart[] };
type Moment = Extract<StoredRecord, { kind: "observation" | "prompt" | "summary" | "turn" }>;

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

/** A moment takes the place of those that come after it here. */
const heads = ["turn", "prompt", "observation", "summary"] as const;
const dayMs = 24 * 60 * 60_000;
const mostParts = 2_000;

async function collect(
  runtime: WithHooks,
  query: ListQuery & { limit: number },
  superseded: boolean,
): Promise<TimelineItem[]> {
  const direction = query.order === "newest" ? -1 : 1;
  const read = async (of: Parameters<typeof list>[2]): Promise<Moment[]> => {
    const lists = await Promise.all(
      heads.map(async (kind) => {
        const narrowed = kind === "observation" ? { ...of, superseded } : of;
        return stored(kind, await list(runtime, kind, narrowed));
      }),
    );
    return lists.flat() as Moment[];
  };
  const found = Map.groupBy(await read(query), placeOf);
  const shown = await Promise.all(
    [...found.values()].map(async ([first]) =>
      first && !(await isOfOtherTime(runtime, first)) ? first : [],
    ),
  );
  const entries = shown
    .flat()
    .map((one, rank) => ({ one, rank }))
    .sort((a, b) => direction * (momentOf(a.one) - momentOf(b.one) || a.rank - b.rank))
    .slice(0, query.limit)
    .map(({ one }) => one);
  if (entries.length === 0) return [];
  const { project, session, client, person } = query;
  const ends = entries.map(({ record }) => record.time);
  const since = Math.min(...entries.map(momentOf));
  const span = { project, session, client, person, since, until: Math.max(...ends) + dayMs };
  const parts = Map.groupBy(await read({ ...span, limit: mostParts, order: "oldest" }), placeOf);
  return entries.map((entry) => ({
    ...entry,
    parts: (parts.get(placeOf(entry)) ?? [entry]).map(partOf),
  }));
}

/** A part of a turn that began before or after what was asked for: it is shown there. */
async function isOfOtherTime(runtime: WithHooks, moment: Moment): Promise<boolean> {
  if (moment.kind === "turn") return false;
  const { session, promptNumber } = moment.record;
  const turns = await list(runtime, "turn", { session, promptNumber });
  return turns.some((record) => placeOf({ kind: "turn", record }) === placeOf(moment));
}

function placeOf({ record: { client, session, promptNumber } }: Moment): string {
  return JSON.stringify([client, session, promptNumber]);
}

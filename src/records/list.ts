// The listing hooks: observations, summaries, prompts and sessions that pass a filter, in time order.
import type { Database } from "../host/sqlite.ts";
import type { MemoryItem, Observation, Prompt, Session, Summary } from "../sdk/model.ts";
import type {
  ListQuery,
  MemoryListQuery,
  RecordKind,
  SummaryListQuery,
  TurnListQuery,
} from "../sdk/storage.ts";
import type { Turn } from "../sdk/turn.ts";
import {
  both,
  conceptWhere,
  fileWhere,
  placeAndTime,
  type ResolvedFilter,
  resolveFilter,
  type Where,
  whereClause,
} from "./filter.ts";
import { marksWhere, toldSession } from "./marked.ts";
import { type Read, readKind } from "./rows.ts";

const defaultLimit = 50;
const maxLimit = 10_000;

/** The handler of `storage.observations`. */
export function listObservations(db: Database, query: ListQuery): Observation[] {
  const filter = resolveFilter(db, query);
  const where = observationWhere(filter);
  if (!(query.superseded ?? query.session !== undefined))
    where.conditions.push("o.superseded_by IS NULL");
  return listed(db, "observation", where, query);
}

/** The handler of `storage.summaries`. A summary has the type "summary" and no concepts. */
export function listSummaries(db: Database, query: SummaryListQuery): Summary[] {
  const filter = resolveFilter(db, query);
  if (!isOfType(filter, "summary") || filter.concept !== undefined) return [];
  const where = both(placeAndTime(filter, columnsOf("y")), fileWhere(filter, "summary", "y.id"));
  if (query.scope !== undefined) {
    where.conditions.push("y.scope = $scope");
    where.params.scope = query.scope;
  }
  return listed(db, "summary", where, query);
}

/** The handler of `storage.prompts`. A prompt has the type "prompt", no concepts and no files. */
export function listPrompts(db: Database, query: ListQuery): Prompt[] {
  const filter = resolveFilter(db, query);
  if (!isOfType(filter, "prompt") || filter.concept !== undefined || filter.file !== undefined)
    return [];
  return listed(db, "prompt", placeAndTime(filter, columnsOf("p")), query);
}

/** The handler of `storage.memory`. */
export function listMemory(db: Database, query: MemoryListQuery): MemoryItem[] {
  const where = placeAndTime(resolveFilter(db, query), {
    project: "m.project",
    session: "m.client_session_id",
    time: "m.created_at",
  });
  if (query.kinds !== undefined) {
    where.conditions.push("m.kind IN (SELECT value FROM json_each($kinds))");
    where.params.kinds = JSON.stringify(query.kinds);
  }
  return listed(db, "memory", where, query);
}

/** The handler of `storage.turns`. */
export function listTurns(db: Database, query: TurnListQuery): Turn[] {
  const filter = resolveFilter(db, query);
  const where = both(placeAndTime(filter, columnsOf("t")), fileWhere(filter, "turn", "t.id"));
  if (query.promptNumber !== undefined) {
    where.conditions.push("t.prompt_number = $promptNumber");
    where.params.promptNumber = query.promptNumber;
  }
  return listed(db, "turn", where, query);
}

/** The handler of `storage.sessions`: those active in the time asked for, and with an observation of the type, concept or file. */
export function listSessions(db: Database, query: ListQuery): Session[] {
  const { type, concept, file, formerly, isCommonConcept, since, until, ...place } = resolveFilter(
    db,
    query,
  );
  const where = placeAndTime(place, columnsOf("s", "last_active_at"));
  if (since !== undefined) where.conditions.push("s.last_active_at >= $since");
  if (until !== undefined) where.conditions.push("s.started_at < $until");
  Object.assign(where.params, { since, until });
  if (type !== undefined || concept !== undefined || file !== undefined) {
    const about = observationWhere({
      ...(type === undefined ? {} : { type }),
      ...(concept === undefined ? {} : { concept }),
      ...(file === undefined ? {} : { file }),
      ...(formerly === undefined ? {} : { formerly }),
      isCommonConcept: isCommonConcept ?? false,
    });
    // A file or a rare concept leads to few sessions; of a type there are many, and the newest sessions soon have one.
    const isSelective = file !== undefined || (concept !== undefined && !isCommonConcept);
    if (!isSelective) about.conditions.push("o.session_id = s.id");
    const observations = `FROM observations o${whereClause(about)}`;
    where.conditions.push(
      isSelective
        ? `s.id IN (SELECT o.session_id ${observations})`
        : `EXISTS (SELECT 1 ${observations})`,
    );
    Object.assign(where.params, about.params);
  }
  const found = listed(db, "session", where, query, "last_active_at");
  return query.hidden === false ? found.map((session) => toldSession(db, session)) : found;
}

/** Conditions on `o` (observations) joined with `s` (sessions). */
function observationWhere(filter: ResolvedFilter): Where {
  const where = both(
    placeAndTime(filter, columnsOf("o")),
    conceptWhere(filter, "o.id"),
    fileWhere(filter, "observation", "o.id"),
  );
  if (filter.type !== undefined) {
    where.conditions.push("o.type = $type");
    where.params.type = filter.type;
  }
  return where;
}

function isOfType(filter: ResolvedFilter, type: string): boolean {
  return filter.type === undefined || filter.type === type;
}

/** Where a kind's rows say their place and time: in its own table, under `letter`, and in that of sessions. */
function columnsOf(letter: string, time = "created_at") {
  return {
    project: `${letter}.project`,
    session: "s.client_session_id",
    client: "s.client",
    time: `${letter}.${time}`,
  };
}

function listed<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  where: Where,
  query: ListQuery,
  time = "created_at",
): Array<Read<Kind>["record"]> {
  const direction = query.order === "oldest" ? "ASC" : "DESC";
  const all = (letter: string) => ({
    ...where,
    conditions: [...where.conditions, ...marksWhere(kind, letter, query)],
  });
  const rest = (letter: string) =>
    `${whereClause(all(letter))} ORDER BY ${letter}.${time} ${direction}, ${letter}.id ${direction} LIMIT $limit OFFSET $offset`;
  const params = { ...where.params, ...page(query, defaultLimit, maxLimit) };
  return readKind(db, kind, rest, params).map(({ record }) => record);
}

/** A limit and offset inside their bounds, whole and not negative. */
export function page(
  query: { limit?: number; offset?: number },
  fallback: number,
  most: number,
): { limit: number; offset: number } {
  const whole = (value: number | undefined, otherwise: number) =>
    value === undefined || Number.isNaN(value) ? otherwise : Math.max(0, Math.trunc(value));
  return {
    limit: Math.min(whole(query.limit, fallback), most),
    offset: Math.min(whole(query.offset, 0), Number.MAX_SAFE_INTEGER),
  };
}

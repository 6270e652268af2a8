// Lists records of one kind that pass a filter, in time order.
import type { Database } from "../host/sqlite.ts";
import type {
  ListQuery,
  MemoryListQuery,
  RecordKind,
  StoredRecord,
  SummaryListQuery,
  TurnListQuery,
} from "../sdk/storage.ts";
import {
  both,
  conceptWhere,
  fileWhere,
  placeAndTime,
  type ResolvedFilter,
  resolveFilter,
  timeColumn,
  type Where,
  whereClause,
} from "./filter.ts";
import { parseId } from "./kinds.ts";
import { marksWhere, toldSession } from "./marked.ts";
import { type Read, readKind } from "./rows.ts";

const defaultLimit = 50;
const maxLimit = 10_000;

type AnyListQuery = ListQuery &
  Pick<SummaryListQuery, "scope"> &
  Pick<MemoryListQuery, "kinds"> &
  Pick<TurnListQuery, "promptNumber">;

/** The handler of `storage.observations` and the like. Sessions are those active in the time asked for. */
export function listRecords<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  query: AnyListQuery,
): Array<Read<Kind>["record"]> {
  const where = conditionsOf[kind](resolveFilter(db, query), query);
  if (!where) return [];
  where.conditions.push(...marksWhere(kind, query));
  const direction = query.order === "oldest" ? "ASC" : "DESC";
  const found = readKind(
    db,
    kind,
    `${whereClause(where)} ORDER BY ${timeColumn(kind)} ${direction}, r.id ${direction} LIMIT $limit OFFSET $offset`,
    { ...where.params, ...page(query, defaultLimit, maxLimit) },
    // What is marked is little, wherever in a project it stands.
    { byRow: query.marked !== undefined },
  );
  return found.map(({ record }) =>
    kind === "session" && query.hidden === false
      ? toldSession(db, record as Read<"session">["record"])
      : record,
  ) as Array<Read<Kind>["record"]>;
}

type Conditions = (filter: ResolvedFilter, query: AnyListQuery) => Where | undefined;

/** What each kind makes of a filter; undefined: none of it passes. */
const conditionsOf: Readonly<Record<RecordKind, Conditions>> = {
  observation(filter, { superseded, session }) {
    const where = both(placeAndTime(filter, "observation"), aboutWhere(filter, "r"));
    if (!(superseded ?? session !== undefined)) where.conditions.push("r.superseded_by IS NULL");
    return where;
  },
  summary(filter, { scope }) {
    if (!isOfType(filter, "summary") || filter.concept !== undefined) return undefined;
    return both(
      placeAndTime(filter, "summary"),
      fileWhere(filter, "summary"),
      equals("r.scope", "scope", scope),
    );
  },
  prompt(filter) {
    const { concept, file } = filter;
    if (!isOfType(filter, "prompt") || concept !== undefined || file !== undefined)
      return undefined;
    return placeAndTime(filter, "prompt");
  },
  memory(filter, { kinds }) {
    const where = placeAndTime(filter, "memory");
    if (kinds === undefined) return where;
    const params = { kinds: JSON.stringify(kinds) };
    return both(where, {
      conditions: ["r.kind IN (SELECT value FROM json_each($kinds))"],
      params,
    });
  },
  turn: (filter, { promptNumber }) =>
    both(
      placeAndTime(filter, "turn"),
      fileWhere(filter, "turn"),
      equals("r.prompt_number", "promptNumber", promptNumber),
    ),
  session({ since, until, ...filter }) {
    const { type, concept, file } = filter;
    const where = placeAndTime(filter, "session");
    if (since !== undefined) where.conditions.push("r.last_active_at >= $since");
    if (until !== undefined) where.conditions.push("r.started_at < $until");
    Object.assign(where.params, { since, until });
    const isAbout = type !== undefined || concept !== undefined || file !== undefined;
    return isAbout ? both(where, sessionsWith(filter)) : where;
  },
};

/** Sessions `r` with an observation of the type, concept and file. */
function sessionsWith(filter: ResolvedFilter): Where {
  const { conditions, params } = aboutWhere(filter, "o");
  // A file or a rare concept leads to few sessions; of a type there are many, and the newest sessions soon have one.
  const isSelective =
    filter.file !== undefined || (filter.concept !== undefined && !filter.isCommonConcept);
  const condition = isSelective
    ? `r.id IN (SELECT o.session_id FROM observations o${whereClause({ conditions, params })})`
    : `EXISTS (SELECT 1 FROM observations o${whereClause({ conditions: [...conditions, "o.session_id = r.id"], params })})`;
  return { conditions: [condition], params };
}

/** What observations are about. */
function aboutWhere(filter: ResolvedFilter, alias: string): Where {
  return both(
    conceptWhere(filter, alias),
    fileWhere(filter, "observation", alias),
    equals(`${alias}.type`, "type", filter.type),
  );
}

function equals(column: string, name: string, value: string | number | undefined): Where {
  if (value === undefined) return { conditions: [], params: {} };
  return { conditions: [`${column} = $${name}`], params: { [name]: value } };
}

function isOfType(filter: ResolvedFilter, type: string): boolean {
  return filter.type === undefined || filter.type === type;
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

// The handler of `storage.get`: records by id, in the order asked.

/** Which are asked for; `hidden: false` leaves out what the user hid. */
interface Asked {
  ids: readonly string[];
  hidden?: boolean;
}

/** Unknown ids are left out. What has not the form of a record's id, or names none, is taken for a client's session id. */
export function getRecords(db: Database, { ids, ...marks }: Asked): StoredRecord[] {
  return ids.flatMap((id) => numbered(db, id, marks) ?? session(db, id, marks) ?? []);
}

type Marks = Omit<Asked, "ids">;

function numbered(db: Database, id: string, marks: Marks): StoredRecord | undefined {
  const parsed = parseId(id);
  if (!parsed) return undefined;
  const { kind, row } = parsed;
  const conditions = ["r.id = ?", ...marksWhere(kind, marks)];
  const [found] = readKind(db, kind, `WHERE ${conditions.join(" AND ")}`, [row]);
  return found && ({ kind, record: found.record } as StoredRecord);
}

/** The latest active, should two clients have used one id. */
function session(db: Database, id: string, marks: Marks): StoredRecord | undefined {
  const conditions = ["r.client_session_id = ?", ...marksWhere("session", marks)].join(" AND ");
  const rest = `WHERE ${conditions} ORDER BY r.last_active_at DESC LIMIT 1`;
  const [found] = readKind(db, "session", rest, [id]);
  if (!found) return undefined;
  const record = marks.hidden === false ? toldSession(db, found.record) : found.record;
  return { kind: "session", record };
}

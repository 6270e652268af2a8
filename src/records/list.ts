// Reads records: of one kind by what a filter says, in time order; by id; and counts them.

import { stat } from "node:fs/promises";
import { isAnswered } from "../home/database/intact.ts";
import { schemaVersion } from "../home/database/open-file.ts";
import { type Database, perState, type Row, readColumn, type SqlParams } from "../host/sqlite.ts";
import type { Author } from "../sdk/change.ts";
import type { Session } from "../sdk/model.ts";
import { onlyIn, textOf } from "../sdk/record-texts.ts";
import type {
  ListQuery,
  MemoryListQuery,
  RecordKind,
  StorageStats,
  StoredRecord,
  SummaryListQuery,
  TurnListQuery,
} from "../sdk/storage.ts";
import { documentOf, kinds, parseId, type ReadJson, type RecordOf, readFields } from "./fields.ts";
import {
  both,
  conceptWhere,
  fileWhere,
  hiddenPrompts,
  marksWhere,
  placeAndTime,
  projectsIn,
  type ResolvedFilter,
  resolveFilter,
  type Where,
  whereClause,
} from "./filter.ts";
import { identityAt, rowAt, wordsAbout } from "./log.ts";
import { projectCounts } from "./project-list.ts";

/** A record, and what its row says beside it. */
export interface Read<Kind extends RecordKind> {
  record: RecordOf<Kind>;
  /** The row's number. */
  row: number;
  /** The folder of its session, or empty. */
  root: string;
  /** The id of its project as it was captured. */
  captured: string;
  /** Epoch ms; of kinds that have the column. */
  createdAt: number;
}

/** What is read beside a row, and from where. */
function besideOf(kind: RecordKind): { columns: string; join: string } {
  switch (kind) {
    case "session":
      return {
        columns: "(SELECT count(*) FROM observations c WHERE c.session_id = r.id) AS observations",
        join: "",
      };
    case "memory":
      return { columns: "'' AS root", join: "" };
    default:
      return {
        columns: "s.client, s.client_session_id, s.root",
        join: "JOIN sessions s ON s.id = r.session_id",
      };
  }
}

/**
 * The kind's records that meet conditions. `rest` begins with WHERE or ORDER: there `r` is the record's row, and `s` its session's
 * where it is of one. `byRow`: the conditions name the rows, and no index over others is worth a look.
 */
export function readKind<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  rest: string,
  params: SqlParams,
  { byRow = false } = {},
): Array<Read<Kind>> {
  const { table } = kinds[kind];
  const { columns, join } = besideOf(kind);
  const projects = projectsIn(db);
  const sql = `SELECT r.*, ${columns}, k.pinned, k.hidden, k.merged, k.edited_at, k.was${makerColumn(db, kind)} FROM ${table} r ${byRow ? "NOT INDEXED" : ""} ${join}
    LEFT JOIN marks k ON k.kind = '${kind}' AND k.record = r.id ${rest}`;
  return db
    .prepare<Row>(sql)
    .all(params)
    .filter((row) => isAnswered(db, table, row))
    .map((row) => {
      const captured = String(row.project);
      const { id: project, name: project_name } = projects.of(captured);
      const number = Number(row.id);
      const parse: ReadJson = (column, json) =>
        readColumn(db, json, () => `${documentOf({ kind, row: number })} (${column})`);
      const named = { ...row, project, project_name };
      const from = makerOf(db, row.maker);
      const record = {
        ...readFields(kinds[kind].fields, named, parse),
        ...marksOf(db, kind, row, parse),
        ...(from && { from }),
      };
      return {
        record: record as RecordOf<Kind>,
        row: number,
        root: String(row.root),
        captured,
        createdAt: Number(row.created_at),
      };
    });
}

/** The record in one row. */
export function readRow<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  row: number,
): Read<Kind> | undefined {
  return readKind(db, kind, "WHERE r.id = ?", [row])[0];
}

/** What the user made of it. */
function marksOf(db: Database, kind: RecordKind, row: Row, parse: ReadJson) {
  const { pinned, hidden, merged, edited_at: time, was } = row;
  const into = hidden && typeof merged === "string" ? rowAt(db, merged) : undefined;
  const editor = time === null ? undefined : editorOf(db, kind, Number(row.id));
  return {
    ...(pinned ? { pinned: true } : {}),
    ...(hidden ? { hidden: true } : {}),
    ...(into ? { merged: documentOf(into) } : {}),
    ...(time === null
      ? {}
      : {
          edited: {
            time,
            was: typeof was === "string" ? (parse("was", was) ?? {}) : {},
            ...(editor && { by: editor }),
          },
        }),
  };
}

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
    `${whereClause(where)} ORDER BY ${kinds[kind].time} ${direction}, r.id ${direction} LIMIT $limit OFFSET $offset`,
    { ...where.params, ...page(query, defaultLimit, maxLimit) },
    // What is marked is little, wherever in a project it stands.
    { byRow: query.marked !== undefined },
  );
  return found.map(({ record }) =>
    kind === "session" && query.hidden === false
      ? shownSession(db, record as Read<"session">["record"])
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

// Who made it, where that was another member.

/** Who there is beside this memory, by the numbers of their replicas, and who it is itself. */
const makersIn = perState((db: Database) => {
  const rows = db.all<{ n: number; own: number; author: string }>(
    "SELECT n, own, author FROM replicas WHERE author IS NOT NULL",
  );
  const own = rows.find((one) => one.own)?.author;
  const me = JSON.parse(own ?? "{}") as Author;
  /** Nobody where it is this memory, under an earlier identity too. */
  const makerOf = (author: string): Author | undefined => {
    const { person, machine } = JSON.parse(author) as Author;
    const isMe = person !== undefined && person === me.person;
    if (isMe && machine === me.machine) return undefined;
    return {
      ...(person !== undefined && { person }),
      ...(machine !== undefined && { machine }),
      ...(isMe && { own: true as const }),
    };
  };
  const others = rows.filter((one) => !one.own);
  return { makerOf, others: new Map(others.map(({ n, author }) => [n, makerOf(author)])) };
});

/** SQL of who made the record in row `r`, for `makerOf`; none where there is nobody else. */
function makerColumn(db: Database, kind: RecordKind): string {
  if (makersIn(db).others.size === 0) return "";
  return `, (SELECT c.replica || ' ' || coalesce(c.author, '') FROM changes c WHERE c.kind = '${kind}' AND c.row = r.id) AS maker`;
}

/** The other member that made it; undefined: it was made here. */
function makerOf(db: Database, column: unknown): Author | undefined {
  if (typeof column !== "string") return undefined;
  const { others, makerOf: read } = makersIn(db);
  const [, replica, author = ""] = /^(\d+) (.*)$/s.exec(column) ?? [];
  return author === "" ? others.get(Number(replica)) : read(author);
}

/** The other member who edited a record last. */
function editorOf(db: Database, kind: RecordKind, row: number): Author | undefined {
  const identity = makersIn(db).others.size > 0 ? identityAt(db, kind, row) : undefined;
  const last = identity && wordsAbout(db, identity, "('correction')").at(-1);
  return last ? makerOf(db, `${last.replica} ${last.author ?? ""}`) : undefined;
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
  const record = marks.hidden === false ? shownSession(db, found.record) : found.record;
  return { kind: "session", record };
}

// Titles of sessions that say what only a hidden turn said: agents do not see them, and the session is not found by them.

/** A session of which something is hidden: its row, and its texts that agents do not see. */
interface HiddenTexts {
  row: number;
  texts: Partial<Record<"title" | "subtitle", "">>;
}

/** By client and id; what the user wrote is shown. */
const hiddenTitles = perState((db): ReadonlyMap<string, HiddenTexts> => {
  const asked = db
    .prepare<{ id: number }>(`SELECT DISTINCT session_id AS id FROM (${hiddenPrompts})`)
    .all();
  return new Map(asked.map(({ id }) => hiddenTextsOf(db, id)));
});

function hiddenTextsOf(db: Database, id: number): [string, HiddenTexts] {
  const session = readRow(db, "session", id);
  if (!session) return ["", { row: id, texts: {} }];
  const said = (condition: string) => {
    const where = `WHERE r.session_id = ? AND (r.session_id, r.prompt_number) ${condition} (${hiddenPrompts})`;
    const prompts = readKind(db, "prompt", where, [id]).map(({ record }) => record.text);
    const turns = readKind(db, "turn", where, [id]).map(({ record }) => record);
    return [...prompts, textOf(turns)].join("\n");
  };
  const says = onlyIn(said("IN"), said("NOT IN"));
  const { client, id: name, edited, title, subtitle } = session.record;
  const isHidden = (field: "title" | "subtitle", text: string) =>
    edited?.was[field] === undefined && says(text);
  const texts = {
    ...(isHidden("title", title) && { title: "" as const }),
    ...(isHidden("subtitle", subtitle) && { subtitle: "" as const }),
  };
  return [keyOf(client, name), { row: id, texts }];
}

function keyOf(client: string, id: string): string {
  return `${client} ${id}`;
}

/** The session as agents see it. */
function shownSession(db: Database, session: Session): Session {
  return { ...session, ...hiddenTitles(db).get(keyOf(session.client, session.id))?.texts };
}

/** Documents of sessions that would be found by what agents do not see. */
export function documentsOfHiddenTitles(db: Database): ReadonlySet<string> {
  const hidden = [...hiddenTitles(db).values()];
  return new Set(
    hidden.flatMap(({ row, texts }) => (Object.keys(texts).length > 0 ? `session ${row}` : [])),
  );
}

// The handler of `storage.stats`: what is stored, for whom, and how large it is.

/** Counts of an open database at `path`; `bytes` includes its write-ahead log. */
export async function storageStats(db: Database, path: string): Promise<StorageStats> {
  const sizes = await Promise.all([path, `${path}-wal`].map(sizeOf));
  const count = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return {
    sessions: count("sessions"),
    prompts: count("prompts"),
    observations: count("observations"),
    summaries: count("session_summaries"),
    memory: count("memory"),
    turns: count("turns"),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    schemaVersion: schemaVersion(db),
    projects: projectCounts(db),
  };
}

/** 0 for a file that is not there. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (info) => info.size,
    () => 0,
  );
}

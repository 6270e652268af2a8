// What another memory is given of the change log, and how its changes are taken in: `storage.changes` and `storage.apply`.
import * as v from "valibot";
import { sumRows } from "../home/database/row-sums.ts";
import type { Database } from "../host/sqlite.ts";
import type {
  ApplyRequest,
  ApplyResult,
  Change,
  ChangesPage,
  ChangesQuery,
  Position,
} from "../sdk/change.ts";
import { ChangeSchema } from "../sdk/change.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { kinds } from "./fields.ts";
import { projectsIn } from "./filter.ts";
import { readKind } from "./list.ts";
import {
  headOf,
  hexOf,
  insert,
  type LogRow,
  msOf,
  newReplica,
  nextNumber,
  ownReplica,
  replicaNumber,
  rowAt,
  setAuthor,
  wordKinds,
} from "./log.ts";
import { type Findable, gathering } from "./search-index.ts";
import { createTaking } from "./taking.ts";

const defaultLimit = 500;
/** A clock may be wrong by so much: what claims to be later could never be corrected. */
const mostAheadMs = 2 * 365 * 86_400_000;

/** The replicas' numbers as they are known here. */
function positionOf(db: Database): Position {
  const rows = db.all<{ id: string; position: number }>("SELECT id, position FROM replicas");
  return Object.fromEntries(rows.map(({ id, position }) => [id, position]));
}

/** The handler of `storage.changes`. */
export function changesPage(db: Database, query: ChangesQuery): ChangesPage {
  return db.transaction(() => pageOf(db, query));
}

function pageOf(db: Database, query: ChangesQuery): ChangesPage {
  const { after = {}, newest = false, limit = defaultLimit } = query;
  const own = ownReplica(db);
  const wanted = query.replica === "own" ? own.id : query.replica;
  const position = positionOf(db);
  const rows: LogRow[] = [];
  const upTo: Position = { ...after };
  if (newest)
    rows.push(...db.all<LogRow>("SELECT * FROM changes ORDER BY time DESC LIMIT ?", [limit]));
  else
    for (const { n, id } of db.all<{ n: number; id: string }>(
      "SELECT n, id FROM replicas ORDER BY id",
    )) {
      if (wanted !== undefined && wanted !== id) continue;
      const left = limit - rows.length;
      const from = after[id] ?? 0;
      if (left <= 0 || (position[id] ?? 0) <= from) continue;
      const found = db.all<LogRow>(
        "SELECT * FROM changes WHERE replica = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?",
        [n, from, position[id], left],
      );
      rows.push(...found);
      upTo[id] = found.length < left ? (position[id] ?? 0) : (found.at(-1)?.number ?? from);
    }
  const projects = query.projects && projectsOf(db, query.projects);
  const except = query.except && projectsOf(db, query.except);
  const changes = said(db, rows).filter(
    ({ project }) => (projects?.has(project) ?? true) && !except?.has(project),
  );
  return { replica: own.id, position, changes, upTo };
}

/** The captured ids that are meant. */
function projectsOf(db: Database, named: readonly string[]): Set<string> {
  const known = projectsIn(db);
  return new Set(named.flatMap((one) => [one, ...known.idsOf(one)]));
}

/** Rows of the log as changes, with what they say; those that say nothing are left out. */
function said(db: Database, rows: readonly LogRow[]): Change[] {
  const replicas = new Map(
    db
      .all<{ n: number; id: string; author: string | null }>("SELECT n, id, author FROM replicas")
      .map((one) => [one.n, one]),
  );
  const bodies = new Map<string, Change["body"] & { project: string }>();
  for (const [kind, of] of Map.groupBy(rows, (row) => row.kind))
    if (kind in kinds)
      for (const [row, body] of bodiesOf(db, kind as RecordKind, of))
        bodies.set(`${kind} ${row}`, body);
  return rows.flatMap((one): Change[] => {
    const { kind, number, time, body: json, author } = one;
    const replica = replicas.get(one.replica);
    const isWord = wordKinds.has(kind);
    const found = isWord ? undefined : bodies.get(`${kind} ${one.row}`);
    if (!replica || !(isWord || found)) return [];
    const word = isWord ? (JSON.parse(json ?? "{}") as Change["body"]) : {};
    const record = hexOf(one.record);
    const by = author ?? replica.author;
    return [
      {
        ...{ replica: replica.id, number, time, kind, record },
        project: found ? projectIn(found) : (one.project ?? projectOf(db, record)),
        body: { ...(found ?? word), ...(json === "anew" && { anew: true }) },
        ...(by !== null && { by: JSON.parse(by) as NonNullable<Change["by"]> }),
      },
    ];
  });
}

function projectIn({ project }: { project: unknown }): string {
  return typeof project === "string" ? project : String((project as { id: string }).id);
}

function projectOf(db: Database, record: string): string {
  const at = rowAt(db, record);
  if (!at) return "";
  const { table } = kinds[at.kind];
  return (
    db.get<{ project: string }>(`SELECT project FROM ${table} WHERE id = ?`, [at.row])?.project ??
    ""
  );
}

/** What records of one kind say, by their rows: as they were before any edit, without what is this machine's alone. */
function bodiesOf(
  db: Database,
  kind: RecordKind,
  rows: readonly LogRow[],
): Array<[number, Change["body"] & { project: string }]> {
  const ids = rows.flatMap(({ row }) => row ?? []);
  const where = "WHERE r.id IN (SELECT value FROM json_each(?))";
  return readKind(db, kind, where, [JSON.stringify(ids)]).map(
    ({ record, row, captured, createdAt }) => {
      const {
        edited,
        pinned: _,
        hidden: __,
        merged: ___,
        from: ____,
        ...rest
      } = record as Record<string, unknown> & {
        edited?: { was: Record<string, unknown> };
      };
      const was = Object.entries(edited?.was ?? {}).map(([name, text]) => [
        name,
        text ?? undefined,
      ]);
      const body: Record<string, unknown> = {
        ...rest,
        ...Object.fromEntries(was),
        project: captured,
      };
      for (const name of ["supersededBy", "observations", "transcriptPath"]) delete body[name];
      if (kind === "memory") body.createdAt = createdAt;
      if (kind === "session") {
        const { branch } = rest.project as { branch?: string };
        body.project = { id: captured, ...(branch !== undefined && { branch }) };
      } else delete body.id;
      return [row, JSON.parse(JSON.stringify(body)) as Change["body"] & { project: string }];
    },
  );
}

/** The handler of `storage.apply`: all of it, or nothing. */
export function applyChanges(
  db: Database,
  index: Findable,
  request: ApplyRequest,
  now: () => number,
): ApplyResult {
  let would: ApplyResult | undefined;
  try {
    return db.transaction(() => {
      const result = applied(db, index, request, now);
      if (!request.dryRun) return result;
      would = result;
      throw new Error("It was only asked what would come of it.");
    });
  } catch (error) {
    if (would) return would;
    throw error;
  }
}

function applied(
  db: Database,
  index: Findable,
  request: ApplyRequest,
  now: () => number,
): ApplyResult {
  const { changes = [], from, upTo, author, renewAfter, renewAs, again, about } = request;
  if (author) setAuthor(db, author);
  if (renewAfter !== undefined) renew(db, renewAfter, renewAs);
  const own = ownReplica(db);
  const words = gathering(index);
  const taking = createTaking(db, words, now);
  const projects = about && projectsOf(db, about.projects);
  /** Why somebody may not say this of a record that is there. */
  const notTheirs = ({ record, kind }: Change): string | undefined => {
    if (!about || !projects) return undefined;
    if (kind === "project") return "what projects are made of is each memory's own";
    const head = headOf(db, record);
    if (!head) return undefined;
    const from = db.get<{ id: string }>("SELECT id FROM replicas WHERE n = ?", [head.replica]);
    const isTheirs = about.replicas.includes(from?.id ?? "") || projects.has(projectOf(db, record));
    return isTheirs ? undefined : "it is about a record that is not shared";
  };
  const refused: ApplyResult["refused"] = [];
  let copied = (upTo?.[own.id] ?? 0) > own.position;
  for (const one of changes) {
    const { success, output: change } = v.safeParse(ChangeSchema, one);
    const { replica, number } = one;
    if (!success) refused.push({ replica, number, why: "it has not the form of a change" });
    else if (msOf(change.time) > now() + mostAheadMs)
      refused.push({ replica, number, why: "its time is years ahead" });
    else if (replica === own.id) {
      if (number > own.position) copied = true;
      else taking.repeat();
    } else {
      const why = notTheirs(change) ?? taking.take(change);
      if (why !== undefined) refused.push({ replica, number, why });
    }
  }
  const taken = taking.settle();
  words.settle();
  move(db, from, upTo, own.id);
  if (again) numberAgain(db, again);
  sumRows(db, changes.length);
  return { replica: own.id, position: positionOf(db), ...taken, refused, copied };
}

/** The positions, as far as nothing between is missing. */
function move(db: Database, from: Position = {}, upTo: Position = {}, own: string): void {
  for (const [id, number] of Object.entries(upTo)) {
    if (id === own) continue;
    const n = replicaNumber(db, id);
    db.run(
      "UPDATE replicas SET position = max(position, $number) WHERE n = $n AND position >= $from",
      { n, number, from: from[id] ?? 0 },
    );
  }
}

/** What was made after a number is given out again under a new identity. */
function renew(db: Database, after: number, as: string | undefined): void {
  const before = ownReplica(db);
  newReplica(db, as);
  renumber(
    db,
    db.all<LogRow>("SELECT * FROM changes WHERE replica = ? AND number > ? ORDER BY number", [
      before.n,
      after,
    ]),
  );
  db.run("UPDATE replicas SET position = min(position, ?) WHERE n = ?", [after, before.n]);
}

function numberAgain(db: Database, named: readonly string[]): void {
  const { n } = ownReplica(db);
  const projects = projectsOf(db, named);
  const rows = db.all<LogRow>("SELECT * FROM changes WHERE replica = ? ORDER BY number", [n]);
  const theirs = new Set(
    said(db, rows).flatMap(({ project, number }) => (projects.has(project) ? number : [])),
  );
  renumber(
    db,
    rows.filter(({ number }) => theirs.has(number)),
  );
}

function renumber(db: Database, rows: readonly LogRow[]): void {
  for (const row of rows) {
    db.run("DELETE FROM changes WHERE replica = ? AND number = ?", [row.replica, row.number]);
    insert(db, { ...row, ...nextNumber(db) });
  }
}

// What another memory is given of the change log, and how its changes are taken in: `storage.changes` and `storage.apply`.
import * as v from "valibot";
import { sumRows } from "../home/database/intact.ts";
import type { Database } from "../host/sqlite.ts";
import type {
  ApplyRequest,
  ApplyResult,
  Change,
  ChangesPage,
  ChangesQuery,
  Position,
  TakenBack,
} from "../sdk/change.ts";
import { ChangeSchema } from "../sdk/change.ts";
import { type AnyRecord, bodyOf, msOf } from "../sdk/identity.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { kinds } from "./fields.ts";
import { projectsIn } from "./filter.ts";
import { type Read, readKind } from "./list.ts";
import {
  headOf,
  hexOf,
  insert,
  type LogRow,
  newReplica,
  nextNumber,
  ownReplica,
  projectIdentity,
  replicaNumber,
  rowAt,
  setAuthor,
  wordKinds,
} from "./log.ts";
import { holdingBack, type RecordIndex } from "./search-index.ts";
import { createTaking } from "./taking.ts";

const defaultLimit = 500;
/** A clock may be wrong by so much: what claims to be later could never be corrected. */
const mostAheadMs = 2 * 365 * 86_400_000;

const UnnumberedSchema = v.omit(ChangeSchema, ["replica", "number"]);

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
  return {
    replica: own.id,
    position,
    changes: said(db, rows, query).filter(wanting(db, query)),
    upTo,
  };
}

/** Whether a change is of the projects that are asked for; of what is gone, by the project's hash. */
function wanting(db: Database, query: ChangesQuery): (change: Change) => boolean {
  const named = (ids: readonly string[] | undefined) => ids && projectsOf(db, ids);
  const [projects, except] = [named(query.projects), named(query.except)];
  if (!projects) return ({ project }) => !except?.has(project);
  const also = named(query.forgotten) ?? [];
  const gone = new Set([...projects, ...also].flatMap((id) => [id, projectIdentity(id)]));
  return ({ kind, project }) => (kind === "forget" ? gone : projects).has(project);
}

/** The captured ids that are meant. */
function projectsOf(db: Database, named: readonly string[]): Set<string> {
  const known = projectsIn(db);
  return new Set(named.flatMap((one) => [one, ...known.idsOf(one)]));
}

/** What is asked of what changes say. */
type Form = Pick<ChangesQuery, "shown" | "since">;
/** What a record's change says, and the project as it was captured. */
interface Saying {
  body: Change["body"];
  project: string;
}

/** Rows of the log as changes, with what they say; those that say nothing are left out. */
function said(db: Database, rows: readonly LogRow[], form: Form = {}): Change[] {
  const replicas = new Map(
    db
      .all<{ n: number; id: string; author: string | null }>("SELECT n, id, author FROM replicas")
      .map((one) => [one.n, one]),
  );
  const sayings = new Map<string, Saying>();
  for (const [kind, of] of Map.groupBy(rows, (row) => row.kind))
    if (kind in kinds)
      for (const [row, saying] of sayingsOf(db, kind as RecordKind, of, form))
        sayings.set(`${kind} ${row}`, saying);
  return rows.flatMap((one): Change[] => {
    const { kind, number, time, body: json, author } = one;
    const replica = replicas.get(one.replica);
    // What is shown has a person's words in it; what was forgotten has not.
    const isWord = wordKinds.has(kind) && (!form.shown || kind === "forget");
    if (isWord && form.since !== undefined && msOf(time) < form.since) return [];
    const found = isWord ? undefined : sayings.get(`${kind} ${one.row}`);
    if (!replica || !(isWord || found)) return [];
    const word = isWord ? (JSON.parse(json ?? "{}") as Change["body"]) : {};
    const record = hexOf(one.record);
    const by = author ?? replica.author;
    return [
      {
        ...{ replica: replica.id, number, time, kind, record },
        project: found?.project ?? one.project ?? projectOf(db, record),
        body: { ...(found?.body ?? word), ...(json === "anew" && { anew: true }) },
        ...(by !== null && { by: JSON.parse(by) as NonNullable<Change["by"]> }),
      },
    ];
  });
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

/** What records of one kind say, by their rows. */
function sayingsOf<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  rows: readonly LogRow[],
  { shown = false, since = Number.MIN_SAFE_INTEGER }: Form,
): Array<[number, Saying]> {
  const ids = rows.flatMap(({ row }) => row ?? []);
  const where = `WHERE r.id IN (SELECT value FROM json_each(?)) AND ${kinds[kind].time} >= ?`;
  const merged = db.prepare<{ merged: string }>(
    "SELECT merged FROM marks WHERE kind = ? AND record = ? AND hidden = 1 AND merged IS NOT NULL",
  );
  return readKind(db, kind, where, [JSON.stringify(ids), since]).map((read) => {
    const { row, record, captured: project } = read;
    const into = shown && record.merged && merged.get([kind, row]);
    const body = shown ? { record, ...(into && into) } : shippedBody(kind, read);
    return [row, { body: JSON.parse(JSON.stringify(body)) as Change["body"], project }];
  });
}

/** As it was before any edit, without what is this machine's alone. */
function shippedBody<Kind extends RecordKind>(
  kind: Kind,
  { record, captured, createdAt }: Read<Kind>,
): Change["body"] {
  const body = bodyOf({ kind, record } as unknown as AnyRecord);
  if (kind !== "session")
    return { ...body, project: captured, ...(kind === "memory" && { createdAt }) };
  const { branch } = (record as Read<"session">["record"]).project;
  const { transcriptPath: _, ...rest } = body;
  return { ...rest, project: { id: captured, ...(branch !== undefined && { branch }) } };
}

/** The handler of `storage.apply`: all of it, or nothing. */
export function applyChanges(
  db: Database,
  index: Pick<RecordIndex, "putAll" | "putLater">,
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
  index: Pick<RecordIndex, "putAll" | "putLater">,
  request: ApplyRequest,
  now: () => number,
): ApplyResult {
  const {
    changes = [],
    unnumbered,
    from,
    upTo,
    author,
    renewAfter,
    renewAs,
    again,
    about,
    takenBack = [],
  } = request;
  if (author) setAuthor(db, author);
  if (renewAfter !== undefined) renew(db, renewAfter, renewAs);
  const own = ownReplica(db);
  const words = holdingBack(index);
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
      const why = notTheirs(change);
      const outcome = why === undefined ? taking.take(change) : { why };
      if (typeof outcome === "object") refused.push({ replica, number, why: outcome.why });
    }
  }
  const came = unnumbered?.map((one) => {
    const { success, output: change } = v.safeParse(UnnumberedSchema, one);
    if (!success) return "it has not the form of a change";
    if (msOf(change.time) > now() + mostAheadMs) return "its time is years ahead";
    const outcome = taking.take(change);
    return typeof outcome === "object" ? outcome.why : outcome;
  });
  for (const one of takenBack) for (const row of rowsOf(db, one)) taking.takeOut(row);
  const taken = taking.settle();
  // What somebody asked for is found once it is answered.
  words.settle(unnumbered === undefined);
  move(db, from, upTo, own.id);
  if (again) numberAgain(db, again);
  sumRows(db, changes.length + (came?.length ?? 0));
  return {
    ...{ replica: own.id, position: positionOf(db), ...taken, refused, copied },
    ...(came && { came }),
  };
}

/** What is still as this replica said it up to a number. */
function rowsOf(db: Database, { replica, upTo, projects }: TakenBack): LogRow[] {
  const n = replicaNumber(db, replica);
  const rows = db.all<LogRow>(
    "SELECT * FROM changes WHERE replica = ? AND number <= ? AND row IS NOT NULL",
    [n, upTo],
  );
  if (!projects) return rows;
  const theirs = new Set(
    said(db, rows).flatMap(({ project, number }) => (projects.includes(project) ? number : [])),
  );
  return rows.filter(({ number }) => theirs.has(number));
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
  const rows = db.all<LogRow>("SELECT * FROM changes WHERE replica = ? ORDER BY number", [n]);
  const isTheirs = wanting(db, { projects: [...named] });
  const theirs = new Set(said(db, rows).flatMap((one) => (isTheirs(one) ? one.number : [])));
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

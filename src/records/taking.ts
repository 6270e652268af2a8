// Takes changes of other memories in: what each is about is settled once all of them are there, so that their order says nothing.
import * as v from "valibot";
import { type Database, isDatabaseFault } from "../host/sqlite.ts";
import type { Change } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  type AnyRecord,
  identityOfParts,
  itemsIdentity,
  momentOf,
  type UnnumberedChange,
} from "../sdk/identity.ts";
import {
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  type Project,
  SessionUpdateSchema,
} from "../sdk/model.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { NewTurnSchema } from "../sdk/turn.ts";
import { forgetProjects } from "./deleting.ts";
import { documentOf, kinds } from "./fields.ts";
import {
  bytesOf,
  gravesOf,
  headOf,
  hexOf,
  insert,
  isDead,
  isWordKnown,
  type LogRow,
  nextNumber,
  ownReplica,
  removeWords,
  replaceHead,
  replicaNumber,
  rowAt,
  wordKinds,
} from "./log.ts";
import { settleMarks, uncover } from "./marker.ts";
import { settleChoices, settleFolders } from "./project-choices.ts";
import { clean, createWriters, ofSessionOf } from "./put.ts";
import { supersede, supersededBy } from "./rows.ts";
import type { Findable } from "./search-index.ts";

const schemas: Readonly<Record<RecordKind, v.GenericSchema>> = {
  session: v.object({
    ...SessionUpdateSchema.entries,
    project: v.object({
      ...{ id: v.string(), branch: v.optional(v.string()) },
      ...{ name: v.optional(v.string()), root: v.optional(v.string()) },
    }),
  }),
  prompt: NewPromptSchema,
  turn: NewTurnSchema,
  observation: NewObservationSchema,
  summary: NewSummarySchema,
  memory: v.object({ ...MemoryItemSchema.entries, createdAt: v.number() }),
};

const texts = v.union([v.string(), v.array(v.string()), v.null()]);
/** What a person's change may say; more is left alone. */
const wordBody = v.looseObject({
  on: v.optional(v.boolean()),
  into: v.optional(v.nullable(v.string())),
  id: v.optional(v.string()),
  name: v.optional(v.nullable(v.string())),
  items: v.optional(v.nullable(v.string())),
  undo: v.optional(v.boolean()),
  set: v.optional(v.record(v.string(), texts)),
});

/** What one transaction takes, and what it touched: every step of it works on this. */
interface Taking {
  db: Database;
  index: Findable;
  writers: ReturnType<typeof createWriters>;
  counts: { applied: number; repeated: number; waiting: number };
  /** Replicas that changes are of, by their ids: a page of them is of one or two. */
  replicas: Map<string, Replica>;
  /** Something was forgotten, ever. */
  hasGraves: boolean;
  /** Records that were written, by identity. */
  changed: Map<string, { kind: RecordKind; row: number }>;
  /** Documents that were taken out. */
  gone: Set<string>;
  /** Records of which a person said something. */
  spoken: Set<string>;
  graves: Grave[];
  /** Projects about which a person decided something. */
  projects: Set<string>;
  /** Observations that were superseded by one which is gone. */
  pointing: Set<number>;
  /** Records of a file are among them, with folders. */
  hasOwn: boolean;
}

interface Replica {
  n: number;
  /** JSON of its author; null: nobody is known. */
  author: string | null;
}

interface Grave {
  record: string;
  time: string;
  items: unknown;
}

/** For one transaction. */
export function createTaking(db: Database, index: Findable, now: () => number) {
  const taking: Taking = {
    db,
    index,
    writers: createWriters(db, index, now),
    counts: { applied: 0, repeated: 0, waiting: 0 },
    replicas: new Map(),
    hasGraves: db.get("SELECT 1 FROM changes WHERE kind = 'forget'") !== undefined,
    changed: new Map(),
    gone: new Set(),
    spoken: new Set(),
    graves: [],
    projects: new Set(),
    pointing: new Set(),
    hasOwn: false,
  };
  return {
    take: blaming((change: Incoming) => take(taking, change)),
    repeat: () => taking.counts.repeated++,
    /** What its author took back. */
    takeOut: blaming(({ kind, row }: LogRow) => {
      if (row !== null) remove(taking, kind as RecordKind, row);
    }),
    /** Once all are taken. */
    settle: blaming(() => settle(taking)),
  };
}

/** A change of another memory, or of a file, which becomes this memory's own. */
type Incoming = Change | UnnumberedChange;
/** What came of it; of one that is left out, why. */
type Outcome = "new" | "known" | "forgotten" | { why: string };

function take(taking: Taking, change: Incoming): Outcome {
  const outcome = wordKinds.has(change.kind)
    ? takeWord(taking, change)
    : takeRecord(taking, change);
  if (outcome === "known") taking.counts.repeated++;
  else if (typeof outcome === "string") taking.counts.applied++;
  return outcome;
}

function takeWord(taking: Taking, change: Incoming): Outcome {
  const { db } = taking;
  const { record, kind, time, body } = change;
  if (!v.is(wordBody, body)) return { why: `its ${kind} says nothing that can be kept` };
  if (kind === "project" && typeof body.id !== "string") return { why: "it names no project" };
  if (isWordNoted(taking, change)) return "known";
  if (kind === "forget") {
    taking.graves.push({ record, time, items: body.items });
    taking.hasGraves = true;
  } else if (kind === "project") taking.projects.add(String(body.id));
  else {
    if (gravesOf(db, { identity: record, of: record }).some((grave) => time <= grave.time))
      return "forgotten";
    taking.spoken.add(record);
  }
  insert(db, { ...rowOf(taking, change), body: JSON.stringify(body) });
  return "new";
}

function isWordNoted({ db, replicas }: Taking, change: Incoming): boolean {
  if (!("replica" in change)) return isWordKnown(db, change);
  const at = [replicaOf(db, replicas, change.replica).n, change.number];
  return db.get("SELECT 1 FROM changes WHERE replica = ? AND number = ?", at) !== undefined;
}

function takeRecord(taking: Taking, change: Incoming): Outcome {
  const { db, writers } = taking;
  const kind = change.kind as RecordKind;
  const { anew, ...body } = change.body;
  const parsed = v.safeParse(schemas[kind], body);
  if (!parsed.success)
    return { why: `its ${kind} is none: ${v.getDotPath(parsed.issues[0]) ?? ""}` };
  const isOwn = !("replica" in change);
  const one = recordIn(kind, clean(parsed.output) as Record<string, unknown>, isOwn);
  const head = headOf(db, change.record);
  if (head && head.kind !== kind) return { why: `its record is a ${head.kind}` };
  // A row may be lost to damage; the file has it still.
  const isThere = head && (head.row !== null || !isOwn);
  if (isThere && !isLater(db, change, head)) return "known";
  const of = ofSessionOf(one);
  const ms = kind === "memory" ? Number.POSITIVE_INFINITY : momentOf(one);
  const graves = taking.hasGraves ? gravesOf(db, { identity: change.record, of }) : [];
  const isGone = isDead(graves, {
    ...{ time: change.time, isAnew: anew === true, ms },
  });
  if (isGone && isOwn) return "forgotten";
  const row = { ...rowOf(taking, change), project: null, body: anew === true ? "anew" : null };
  if (head?.row != null && isGone) remove(taking, kind, head.row);
  if (isGone) {
    replaceHead(db, head, row);
    return "forgotten";
  }
  const known = head?.row ?? undefined;
  if (known !== undefined) uncover(db, { kind, row: known });
  const { createdAt } = body as { createdAt?: number };
  const how = { known, isExact: true, ...(createdAt !== undefined && { createdAt }) };
  const written = writers[kind](one.record as never, how);
  if (kind === "session") writers.bare.add(written.row);
  replaceHead(db, head, { ...row, row: written.row });
  taking.changed.set(change.record, { kind, row: written.row });
  taking.hasOwn ||= isOwn;
  return "new";
}

function rowOf({ db, replicas }: Taking, change: Incoming): LogRow {
  const { time, kind, record, project, by } = change;
  const isOwn = !("replica" in change);
  const replica = replicaOf(db, replicas, isOwn ? ownReplica(db).id : change.replica);
  const at = isOwn ? nextNumber(db) : { replica: replica.n, number: change.number };
  const known = replica.author;
  const author = by ? JSON.stringify(by) : null;
  const isFirst = !isOwn && known === null;
  if (author && isFirst) {
    db.run("UPDATE replicas SET author = ? WHERE n = ?", [author, replica.n]);
    replica.author = author;
  }
  return {
    ...{ ...at, time, kind, record: bytesOf(record), row: null, project },
    ...{ body: null, author: isFirst || known === author ? null : author },
  };
}

function replicaOf(db: Database, known: Map<string, Replica>, id: string): Replica {
  const there = known.get(id);
  if (there) return there;
  const n = replicaNumber(db, id);
  const sql = "SELECT author FROM replicas WHERE n = ?";
  const { author = null } = db.get<Pick<Replica, "author">>(sql, [n]) ?? {};
  const found = { n, author };
  known.set(id, found);
  return found;
}

function settle(taking: Taking) {
  const { db, index, writers, counts, changed, gone, spoken, projects, pointing, graves } = taking;
  for (const grave of graves) bury(taking, grave);
  for (const [record, at] of changed)
    if (gone.size === 0 || rowAt(db, record)) settleMarks(db, index, at, record);
  for (const record of spoken) {
    const at = rowAt(db, record);
    if (!at) counts.waiting++;
    else if (!changed.has(record)) {
      settleMarks(db, index, at, record);
      changed.set(record, at);
    }
  }
  writers.settleBare();
  forgetProjects(db);
  if (projects.size > 0) settleChoices(db);
  if (projects.size > 0 || taking.hasOwn) settleFolders(db, index);
  const observations = [...changed.values()].flatMap(({ kind, row }) =>
    kind === "observation" ? [row] : [],
  );
  supersede(db, [...observations, ...pointing]);
  return { ...counts, changed: [...changed.values()].map(documentOf), gone: [...gone] };
}

/** What a forget reaches: the record, what is of the session, or the items of one. */
function bury(taking: Taking, { record, time, items }: Grave): void {
  const { db } = taking;
  removeWords(db, record, time);
  // One that was put anew since then stays, without what was said of it before.
  taking.spoken.add(record);
  const at = rowAt(db, record);
  const reached: Array<{ kind: RecordKind; row: number; of: string }> = [];
  if (at) reached.push({ ...at, of: record });
  const session = at ? at.kind === "session" && at.row : bareSession(db, record);
  if (session) for (const one of childrenOf(db, session)) reached.push({ ...one, of: record });
  if (typeof items === "string" && itemsIdentity(items) === record)
    for (const { id } of db.all<{ id: number }>(
      "SELECT id FROM memory WHERE client_session_id = ?",
      [items],
    ))
      reached.push({ kind: "memory", row: id, of: record });
  for (const { kind, row, of } of reached) {
    const head = db.get<LogRow>("SELECT * FROM changes WHERE kind = ? AND row = ?", [kind, row]);
    if (!head) continue;
    const ms = kind === "memory" ? Number.POSITIVE_INFINITY : momentAt(db, kind, row);
    const found = gravesOf(db, { identity: hexOf(head.record), of });
    if (isDead(found, { time: head.time, isAnew: head.body === "anew", ms }))
      remove(taking, kind, row);
  }
}

/** The row of a session that has no change of its own here. */
function bareSession(db: Database, record: string): number | undefined {
  return db
    .all<{ id: number; client: string; name: string }>(
      "SELECT id, client, client_session_id AS name FROM sessions WHERE title = '' AND prompts = 0",
    )
    .find(({ client, name }) => identityOfParts("session", [client, name]) === record)?.id;
}

function childrenOf(db: Database, session: number): Array<{ kind: RecordKind; row: number }> {
  return (["turn", "prompt", "observation", "summary"] as const).flatMap((kind) =>
    db
      .all<{ id: number }>(`SELECT id FROM ${kinds[kind].table} WHERE session_id = ?`, [session])
      .map(({ id: row }) => ({ kind, row })),
  );
}

/** Takes a row out; its change stays. */
function remove(taking: Taking, kind: RecordKind, row: number): void {
  const { db, writers } = taking;
  if (kind === "observation") for (const id of supersededBy(db, [row])) taking.pointing.add(id);
  taking.gone.add(idAt(db, kind, row));
  if (kind !== "session") {
    const { table } = kinds[kind];
    if (kind !== "memory") {
      const sql = `SELECT session_id AS session FROM ${table} WHERE id = ?`;
      const of = db.get<{ session: number }>(sql, [row]);
      if (of) writers.bare.add(of.session);
    }
    db.run(`DELETE FROM ${table} WHERE id = ?`, [row]);
    return;
  }
  // Known by what is left of it, if anything.
  db.run(
    `UPDATE sessions SET title = '', subtitle = '', root = '', branch = NULL, transcript_path = NULL, prompts = 0, status = 'active',
     ended_at = NULL, end_reason = NULL WHERE id = ?`,
    [row],
  );
  db.run("UPDATE changes SET row = NULL WHERE kind = 'session' AND row = ?", [row]);
  db.run("DELETE FROM marks WHERE kind = 'session' AND record = ?", [row]);
  writers.bare.add(row);
}

function idAt(db: Database, kind: RecordKind, row: number): string {
  if (kind !== "session") return documentOf({ kind, row });
  const sql = "SELECT client_session_id AS id FROM sessions WHERE id = ?";
  return db.get<{ id: string }>(sql, [row])?.id ?? "";
}

function momentAt(db: Database, kind: RecordKind, row: number): number {
  const column = kind === "session" ? "last_active_at" : "created_at";
  return Number(
    db.get<{ ms: number }>(`SELECT ${column} AS ms FROM ${kinds[kind].table} WHERE id = ?`, [row])
      ?.ms,
  );
}

/** Throws `record_invalid` where it is what a change says that stops the work, and no fault of the database. */
function blaming<Args extends unknown[], Result>(work: (...args: Args) => Result) {
  return (...args: Args): Result => {
    try {
      return work(...args);
    } catch (cause) {
      if (isDatabaseFault(cause)) throw cause;
      throw new MemoirError("record_invalid", "A change says what no record can hold.", { cause });
    }
  };
}

/** The later of two changes, whoever looks; of a file that says the same time it is the same change. */
function isLater(db: Database, change: Incoming, head: LogRow): boolean {
  if (change.time !== head.time) return change.time > head.time;
  if (!("replica" in change)) return false;
  const theirs =
    db.get<{ id: string }>("SELECT id FROM replicas WHERE n = ?", [head.replica])?.id ?? "";
  if (change.replica !== theirs) return change.replica > theirs;
  return change.number > head.number;
}

/** A folder, a transcript and a project's name are a machine's own: of another machine's change they say nothing. */
function recordIn(kind: RecordKind, body: Record<string, unknown>, isOwn: boolean): AnyRecord {
  if (kind !== "session") return { kind, record: body } as unknown as AnyRecord;
  const { transcriptPath, ...rest } = body;
  const { id, branch, name = "", root = "" } = body.project as Partial<Project>;
  const project = {
    ...{ id, name: isOwn ? name : "", root: isOwn ? root : "" },
    ...(branch !== undefined && { branch }),
  };
  const here = isOwn && transcriptPath !== undefined && { transcriptPath };
  return { kind, record: { ...rest, ...here, project } } as unknown as AnyRecord;
}

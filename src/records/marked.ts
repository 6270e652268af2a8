// Which records are marked by the user, as SQL conditions and as ids of documents. Hidden is also what was made of what is hidden.

import type { Database } from "../host/sqlite.ts";
import type { Session } from "../sdk/model.ts";
import type { RecordKind } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";
import { onlyIn, textOf } from "../text/words-of.ts";
import { kinds, recordKinds } from "./kinds.ts";
import { readKind, readRow } from "./rows.ts";

// Titles of sessions that say what only a hidden turn said: agents are not told them, and the session is not found by them.

/** A session of which something is hidden: its row, and its texts that are not told. */
interface Untold {
  row: number;
  texts: Partial<Record<"title" | "subtitle", "">>;
}

/** By client and id; what the user wrote is told. */
const untoldTitles = perState((db): ReadonlyMap<string, Untold> => {
  const asked = db
    .prepare<{ id: number }>(`SELECT DISTINCT session_id AS id FROM (${hiddenPrompts})`)
    .all();
  return new Map(asked.map(({ id }) => untoldOf(db, id)));
});

function untoldOf(db: Database, id: number): [string, Untold] {
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
  const isUntold = (field: "title" | "subtitle", text: string) =>
    edited?.was[field] === undefined && says(text);
  const texts = {
    ...(isUntold("title", title) && { title: "" as const }),
    ...(isUntold("subtitle", subtitle) && { subtitle: "" as const }),
  };
  return [keyOf(client, name), { row: id, texts }];
}

function keyOf(client: string, id: string): string {
  return `${client} ${id}`;
}

/** The session as agents are told of it. */
export function toldSession(db: Database, session: Session): Session {
  return { ...session, ...untoldTitles(db).get(keyOf(session.client, session.id))?.texts };
}

/** Documents of sessions that would be found by what is not told. */
export function untoldDocuments(db: Database): ReadonlySet<string> {
  const untold = [...untoldTitles(db).values()];
  return new Set(
    untold.flatMap(({ row, texts }) => (Object.keys(texts).length > 0 ? `session ${row}` : [])),
  );
}

/** Hidden is also what is of a hidden session, and what was made of a hidden turn or quotes one. */
export function marksWhere(
  kind: RecordKind,
  { hidden, marked }: { hidden?: boolean; marked?: keyof Marks },
): string[] {
  const conditions: string[] = [];
  if (hidden === false) for (const { where } of hiddenBy(kind)) conditions.push(`NOT (${where})`);
  if (marked !== undefined) conditions.push(`r.id IN ${rows(kind, marked)}`);
  return conditions;
}

const conditions: Readonly<Record<keyof Marks, string>> = {
  pinned: "pinned = 1",
  hidden: "hidden = 1",
  merged: "merged IS NOT NULL",
  edited: "edited_at IS NOT NULL",
};

function rows(kind: RecordKind, mark: keyof Marks): string {
  const condition = conditions[mark];
  return `(SELECT record FROM marks WHERE kind = '${kind}' AND ${condition})`;
}

const sessions = rows("session", "hidden");
/** Sessions as evidence names them. */
const named = `(SELECT client_session_id FROM sessions WHERE id IN ${sessions})`;
/** Numbers of sessions and of their prompts that are hidden, each with its turn or before there is one. */
export const hiddenPrompts = `SELECT session_id, prompt_number FROM turns WHERE id IN ${rows("turn", "hidden")}
  UNION SELECT session_id, prompt_number FROM prompts WHERE id IN ${rows("prompt", "hidden")}`;
const places = `(SELECT a.client_session_id, h.prompt_number FROM (${hiddenPrompts}) h JOIN sessions a ON a.id = h.session_id)`;
/** Sessions of which something is hidden. */
const partly = `(SELECT session_id FROM (${hiddenPrompts}))`;

/** One way in which a record is hidden, and the records among which it may be, where that is not what the condition itself looks up. */
interface HiddenBy {
  where: string;
  among?: string;
}

/** The ways in which a row `r` is hidden. A session's summary tells of all its turns, so that it is hidden with any of them. */
function hiddenBy(kind: RecordKind): HiddenBy[] {
  const own = { where: `r.id IN ${rows(kind, "hidden")}` };
  if (kind === "session") return [own];
  if (kind === "memory")
    return [
      own,
      { where: `r.client_session_id IN ${named}` },
      {
        where: quotes("r.client_session_id"),
        among: `r.project IN (SELECT project FROM sessions WHERE id IN ${sessions} OR id IN ${partly})`,
      },
    ];
  const ofSession = { where: `r.session_id IN ${sessions}` };
  const ofPrompt = { where: `(r.session_id, r.prompt_number) IN (${hiddenPrompts})` };
  if (kind === "turn" || kind === "prompt") return [own, ofSession, ofPrompt];
  const session = "(SELECT client_session_id FROM sessions WHERE id = r.session_id)";
  const quoting = { where: quotes(session), among: `r.session_id IN ${partly}` };
  if (kind === "observation") return [own, ofSession, ofPrompt, quoting];
  const ofWhole = { where: `r.scope = 'session' AND r.session_id IN ${partly}` };
  return [own, ofSession, ofPrompt, ofWhole, quoting];
}

/** Whether its evidence names what is hidden; a place without a session is of the record's own. */
function quotes(own: string): string {
  const of = `coalesce(e.value ->> 'session', ${own})`;
  const evidence = "CASE WHEN json_valid(r.evidence) THEN r.evidence END";
  return `EXISTS (SELECT 1 FROM json_each(${evidence}) e WHERE ${of} IN ${named} OR (${of}, e.value ->> 'turn') IN ${places})`;
}

/** Documents of all that is hidden, by itself or with what it is of or was made of. */
export const hiddenDocuments = perState((db): ReadonlySet<string> => {
  if (!db.prepare("SELECT 1 FROM marks WHERE hidden = 1 LIMIT 1").get()) return new Set();
  const parts = recordKinds.flatMap((kind) =>
    hiddenBy(kind).map(({ where, among }) => {
      const id = kind === "session" ? "'session ' || r.id" : `'${kinds[kind].letter}' || r.id`;
      const all = among === undefined ? where : `${among} AND ${where}`;
      return `SELECT ${id} AS id FROM ${kinds[kind].table} r WHERE ${all}`;
    }),
  );
  const found = db.prepare<{ id: string }>(parts.join(" UNION ALL ")).all();
  return new Set(found.map(({ id }) => id));
});

// What is asked of the database once for each state of it.

/** The same answer until something was written, through this connection or another. */
export function perState<Value>(ask: (db: Database) => Value): (db: Database) => Value {
  const known = new WeakMap<Database, { state: string; value: Value }>();
  return (db) => {
    const version = db.prepare<{ data_version: number }>("PRAGMA data_version").get();
    const changes = db.prepare<{ n: number }>("SELECT total_changes() AS n").get();
    const state = `${version?.data_version} ${changes?.n}`;
    const last = known.get(db);
    if (last?.state === state) return last.value;
    const value = ask(db);
    known.set(db, { state, value });
    return value;
  };
}

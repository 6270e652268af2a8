// The handler of `storage.delete`: records go by id, in one transaction; triggers tell the index what to forget.
import type { Database, SqlStatement } from "../host/sqlite.ts";
import { itemsIdentity } from "../sdk/identity.ts";
import type { DeleteResult, RecordKind } from "../sdk/storage.ts";
import { idOf, kinds, parseId } from "./fields.ts";
import { identityAt, noteOwnWord, projectIdentity, removeWords } from "./log.ts";
import { tidyProjects } from "./project-choices.ts";
import { sessionWriter, supersede, supersededBy } from "./rows.ts";
import type { Findable } from "./search-index.ts";

/** Later than every change. */
const lastTime = "~";

/** When it is; by a rule of this home other memories hear nothing of it. */
interface DeleteHow {
  time: number;
  isRule: boolean;
}

/** Observations that the ids, or what is of them, supersede. */
function pointingAt(db: Database, ids: readonly string[]): number[] {
  const rows = ids.flatMap((id) => {
    const of = parseId(id);
    if (of) return of.kind === "observation" ? [of.row] : [];
    return db
      .all<{ id: number }>(
        "SELECT o.id FROM observations o JOIN sessions s ON s.id = o.session_id WHERE s.client_session_id = ?",
        [id],
      )
      .map((one) => one.id);
  });
  return supersededBy(db, rows);
}

/** A project of which nothing is left is not named either. */
export function forgetProjects(db: Database): void {
  db.exec(`DELETE FROM projects WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.project = projects.id)
    AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.project = projects.id)`);
  tidyProjects(db);
}

/** Sessions of which something goes: one that is known by its records alone is then known by the others. */
function sessionsOf(db: Database, ids: readonly string[]): Set<number> {
  const rows = ids.flatMap((id) => {
    const of = parseId(id);
    if (!of || of.kind === "memory") return [];
    return db.all<{ session: number }>(
      `SELECT session_id AS session FROM ${kinds[of.kind].table} WHERE id = ?`,
      [of.row],
    );
  });
  return new Set(rows.map(({ session }) => session));
}

/** Each record by itself, and of a session what nobody here knows: every memory takes it out. */
function noteForgotten(db: Database, id: string, until: number): void {
  const say = (identity: string | undefined, project: string | undefined, more: object = {}) => {
    const of = project === undefined ? null : projectIdentity(project);
    if (identity) noteOwnWord(db, identity, of, "forget", { until, ...more }, until);
  };
  const sayOf = (kind: RecordKind, row: number) =>
    say(identityAt(db, kind, row), projectAt(db, kind, row));
  const of = parseId(id);
  if (of) {
    sayOf(of.kind, of.row);
    const prompts = of.kind === "turn" ? promptsOf(db, of.row) : [];
    for (const prompt of prompts) sayOf("prompt", prompt);
    return;
  }
  const sessions = db.all<{ id: number }>("SELECT id FROM sessions WHERE client_session_id = ?", [
    id,
  ]);
  const [first] = sessions;
  // The beginning of a session's id, or nobody's.
  if (!first) return;
  for (const session of sessions) {
    for (const kind of ofSession)
      for (const row of db.all<{ id: number }>(
        `SELECT id FROM ${kinds[kind].table} WHERE session_id = ?`,
        [session.id],
      ))
        sayOf(kind, row.id);
    sayOf("session", session.id);
  }
  for (const row of db.all<{ id: number }>("SELECT id FROM memory WHERE client_session_id = ?", [
    id,
  ]))
    sayOf("memory", row.id);
  say(itemsIdentity(id), projectAt(db, "session", first.id), { items: id });
}

/** What is forgotten names its project by a hash alone. */
function projectAt(db: Database, kind: RecordKind, row: number): string | undefined {
  const sql = `SELECT project FROM ${kinds[kind].table} WHERE id = ?`;
  return db.get<{ project: string }>(sql, [row])?.project;
}

type NumberedKind = Parameters<typeof idOf>[0];

/** Unknown ids are left out; a turn takes its prompt with it, a session all that is of it. */
export function deleteRecords(
  db: Database,
  index: Findable,
  ids: readonly string[],
  how: DeleteHow,
): DeleteResult {
  return db.transaction(() => {
    const pointing = pointingAt(db, ids);
    const touched = sessionsOf(db, ids);
    const sessions = sessionWriter(db, index);
    if (!how.isRule) for (const id of ids) noteForgotten(db, id, how.time);
    const deleted = ids.flatMap((id) => {
      const parts = removeNumbered(db, id);
      return parts.length > 0 ? parts : removeSession(db, id);
    });
    supersede(db, pointing);
    for (const row of touched) sessions.settleBare(row);
    if (deleted.length > 0) forgetProjects(db);
    return { deleted: [...new Set(deleted)] };
  });
}

function removeNumbered(db: Database, id: string): string[] {
  const found = parseId(id);
  if (!found) return [];
  const { kind, row } = found;
  const prompts = kind === "turn" ? promptsOf(db, row) : [];
  const gone = remove(db, kind, row) ? [id] : [];
  return [...gone, ...prompts.filter((prompt) => remove(db, "prompt", prompt)).map(promptId)];
}

function remove(db: Database, kind: NumberedKind, row: number): boolean {
  const identity = identityAt(db, kind, row);
  if (identity) removeWords(db, identity, lastTime);
  return db.prepare(`DELETE FROM ${kinds[kind].table} WHERE id = ?`).run([row]).changes > 0;
}

const ofSession: readonly NumberedKind[] = ["turn", "prompt", "observation", "summary"];

/** By the client's whole id, as records are asked for; should two clients have used it, the sessions of both. */
function removeSession(db: Database, id: string): string[] {
  const rows = db
    .prepare<{ id: number }>("SELECT id FROM sessions WHERE client_session_id = ?")
    .all([id])
    .map((session) => session.id);
  if (rows.length === 0) return [];
  const parts = rows.flatMap((row) =>
    ofSession.flatMap((kind) =>
      removeAll(
        db,
        kind,
        db.prepare(`SELECT id FROM ${kinds[kind].table} WHERE session_id = ?`),
        row,
      ),
    ),
  );
  const items = db.prepare("SELECT id FROM memory WHERE client_session_id = ?");
  parts.push(...removeAll(db, "memory", items, id));
  for (const row of rows) {
    removeWords(db, identityAt(db, "session", row) ?? "", lastTime);
    db.prepare("DELETE FROM sessions WHERE id = ?").run([row]);
  }
  return [id, ...parts];
}

function removeAll(
  db: Database,
  kind: NumberedKind,
  select: SqlStatement,
  of: number | string,
): string[] {
  const rows = select.all([of]).map(({ id }) => Number(id));
  return rows.filter((row) => remove(db, kind, row)).map((row) => idOf(kind, row));
}

/** What was typed stands in the turn, and once more by itself. */
function promptsOf(db: Database, turn: number): number[] {
  return db
    .prepare<{ id: number }>(
      `SELECT p.id FROM prompts p
       JOIN turns t ON t.session_id = p.session_id AND t.prompt_number = p.prompt_number WHERE t.id = ?`,
    )
    .all([turn])
    .map(({ id }) => id);
}

function promptId(row: number): string {
  return idOf("prompt", row);
}

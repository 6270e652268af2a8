// The handler of `storage.delete`: records go by id, in one transaction; triggers tell the index what to forget.
import type { Database, SqlStatement } from "../host/sqlite.ts";
import type { DeleteResult } from "../sdk/storage.ts";
import { idOf, kinds, parseId } from "./kinds.ts";

type NumberedKind = Parameters<typeof idOf>[0];

/** Unknown ids are left out; a turn takes its prompt with it, a session all that is of it. */
export function deleteRecords(db: Database, ids: readonly string[]): DeleteResult {
  return db.transaction(() => {
    const deleted = ids.flatMap((id) => {
      const parts = removeNumbered(db, id);
      return parts.length > 0 ? parts : removeSession(db, id);
    });
    // A project of which nothing is left is not named either.
    if (deleted.length > 0)
      db.exec(
        `DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions)
         AND id NOT IN (SELECT project FROM memory)`,
      );
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
  for (const row of rows) db.prepare("DELETE FROM sessions WHERE id = ?").run([row]);
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

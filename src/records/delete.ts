// The handler of `storage.delete`: records go by id, in one transaction; triggers tell the index what to forget.
import type { Database } from "../host/sqlite.ts";
import type { DeleteResult } from "../sdk/storage.ts";
import { idOf, parseId } from "./ids.ts";

const tables = {
  observation: "observations",
  summary: "session_summaries",
  prompt: "prompts",
  memory: "memory",
  turn: "turns",
} as const;

/** Unknown ids and sessions are left out; a turn takes its prompt with it. */
export function deleteRecords(db: Database, ids: readonly string[]): DeleteResult {
  return db.transaction(() => {
    const deleted = ids.flatMap((id) => {
      const found = parseId(id);
      if (!found) return [];
      const { kind, row } = found;
      const prompts = kind === "turn" ? promptsOf(db, row) : [];
      const gone = remove(db, kind, row) ? [id] : [];
      return [...gone, ...prompts.filter((prompt) => remove(db, "prompt", prompt)).map(promptId)];
    });
    return { deleted: [...new Set(deleted)] };
  });
}

function remove(db: Database, kind: keyof typeof tables, row: number): boolean {
  return db.prepare(`DELETE FROM ${tables[kind]} WHERE id = ?`).run([row]).changes > 0;
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

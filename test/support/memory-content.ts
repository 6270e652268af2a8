// What a home's memory holds, without what differs from run to run: row numbers and the times of writing.
import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Every session, prompt, turn, observation and summary as text, sorted. */
export function memoryContent(home: string): string[] {
  const db = new Database(join(home, "memory.db"), { readonly: true });
  try {
    const session = "(SELECT client_session_id FROM sessions s WHERE s.id = t.session_id) AS owner";
    const rows = [
      db.query("SELECT * FROM sessions").all(),
      db.query(`SELECT ${session}, t.* FROM prompts t`).all(),
      db
        .query(
          `SELECT ${session}, (SELECT title FROM observations o WHERE o.id = t.superseded_by) AS newer, t.* FROM observations t`,
        )
        .all(),
      db.query(`SELECT ${session}, t.* FROM session_summaries t`).all(),
      db.query(`SELECT ${session}, t.* FROM turns t`).all(),
    ].flat() as Array<Record<string, unknown>>;
    // A row's sum is of its numbers too, which are others where a server was killed in between.
    return rows
      .map(({ id: _, session_id: __, superseded_by: ___, sum: ____, ...row }) =>
        JSON.stringify(row),
      )
      .sort();
  } finally {
    db.close();
  }
}

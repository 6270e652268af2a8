// Writes memory items: one row a project, kind and content; a repeat renews its date and context.
import type { Database } from "../host/sqlite.ts";
import type { NewMemoryItem } from "../sdk/model.ts";
import type { EntryWriter } from "./entries.ts";
import type { SessionWriter } from "./put-session.ts";

/** The writer for one open database. */
export function memoryWriter(
  db: Database,
  entries: EntryWriter,
  sessions: SessionWriter,
  now: () => number,
) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO memory (project, client_session_id, kind, date, content, context, created_at)
    VALUES ($project, $session, $kind, $date, $content, $context, $createdAt)
    ON CONFLICT (project, kind, content) DO UPDATE SET
      client_session_id = excluded.client_session_id, date = excluded.date, context = excluded.context,
      created_at = excluded.created_at
    RETURNING id`);

  function write(item: NewMemoryItem): void {
    const { kind, date, content, context, session, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is.
    const isToday = new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    const row = upsert.get({ project, session, kind, date, content, context, createdAt });
    entries.write({
      kind: "memory",
      record: row?.id ?? 0,
      project,
      projectNumber: sessions.projectNumber(project),
      session,
      type: "memory",
      createdAt,
      text: { facts: content, narrative: context, labels: kind },
    });
  }

  return { write };
}

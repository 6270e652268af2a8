// Writes memory items: one row a project, kind and content; a repeat renews its date and context.
import type { Database } from "../host/sqlite.ts";
import type { NewMemoryItem } from "../sdk/model.ts";
import { idOf } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { placesJson } from "./rows.ts";
import { memoryDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** The writer for one open database. */
export function memoryWriter(
  db: Database,
  index: Findable,
  sessions: SessionWriter,
  now: () => number,
) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO memory (project, client_session_id, kind, date, content, context, state, quote, evidence, created_at)
    VALUES ($project, $session, $kind, $date, $content, $context, $state, $quote, $evidence, $createdAt)
    ON CONFLICT (project, kind, content) DO UPDATE SET
      client_session_id = excluded.client_session_id, date = excluded.date, context = excluded.context,
      state = coalesce(excluded.state, state), quote = coalesce(excluded.quote, quote),
      evidence = coalesce(excluded.evidence, evidence), created_at = excluded.created_at
    RETURNING id`);

  function write(item: NewMemoryItem): void {
    const { kind, date, content, context, session, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is.
    const isToday = new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    const row = upsert.get({
      ...{ project, session, kind, date, content, context, createdAt },
      state: item.state,
      quote: item.quote,
      evidence: placesJson(item.evidence),
    });
    sessions.knowProject(project);
    index.put(memoryDocument({ ...item, id: idOf("memory", row?.id ?? 0) }, createdAt));
  }

  return { write };
}

// Writes memory items: one row a project, kind and content; a repeat renews its date and context.
import type { Database } from "../host/sqlite.ts";
import type { NewMemoryItem } from "../sdk/model.ts";
import { idOf } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { placesJson } from "./rows.ts";
import { memoryDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** The writer for one open database; `write` gives the item's id. */
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
  const findOriginal = db.prepare<{ id: number }>(`
    SELECT m.id FROM marks k JOIN memory m ON m.id = k.record
    WHERE k.kind = 'memory' AND m.project = $project AND m.kind = $kind AND k.was ->> '$.content' = $content`);
  const renew = db.prepare<{ id: number }>(`
    UPDATE memory SET client_session_id = $session, date = $date, context = $context, state = coalesce($state, state),
      quote = coalesce($quote, quote), evidence = coalesce($evidence, evidence), created_at = $createdAt
    WHERE id = $id RETURNING id`);

  function write(item: NewMemoryItem, isImported: boolean): string {
    const { kind, date, content, context, session, project } = item;
    const day = Date.parse(date);
    // A day says no time; what is of today is as new as it is. When it was imported says nothing.
    const isToday = !isImported && new Date(now()).toISOString().startsWith(date);
    const createdAt = Number.isNaN(day) || isToday ? now() : day;
    const said = {
      ...{ session, date, context, createdAt },
      state: item.state,
      quote: item.quote,
      evidence: placesJson(item.evidence),
    };
    // What the user wrote otherwise is not there a second time as it was.
    const original = findOriginal.get({ project, kind, content });
    const row = original
      ? renew.get({ ...said, id: original.id })
      : upsert.get({ ...said, project, kind, content });
    const id = idOf("memory", row?.id ?? 0);
    sessions.knowProject(project);
    index.put(memoryDocument({ ...item, id }, createdAt));
    return id;
  }

  return { write };
}

// Carries over what a damaged journal still gives: sessions, so that prompts go on counting, and events nobody worked on yet.
import type { Database, Row } from "../../sdk/database.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { appendEvent } from "./append-event.ts";
import type { OpenDeps } from "./open-journal.ts";

/** How much was read; a damaged file may give all, some or none. */
export interface Salvaged {
  sessions: number;
  events: number;
}

const sessionColumns =
  "client, session, project, project_id, prompts, transcript_path, started_at, opened_at, last_event_at, last_received_at, ended_at";

/** Never rejects: what cannot be read stays in the file at `from`. */
export async function salvage(from: string, into: Database, deps: OpenDeps): Promise<Salvaged> {
  const saved: Salvaged = { sessions: 0, events: 0 };
  let old: Database | undefined;
  try {
    old = await deps.open(from, { create: false });
    const names = sessionColumns.split(", ");
    const insert = into.prepare(
      `INSERT INTO sessions (${sessionColumns}) VALUES (${names.map(() => "?").join(", ")})`,
    );
    for (const row of old.prepare(`SELECT ${sessionColumns} FROM sessions`).iterate()) {
      insert.run(names.map((name) => row[name]));
      saved.sessions++;
    }
    const unsettled = old.prepare<Row & { payload: string; prompt_number: number }>(
      "SELECT payload, prompt_number FROM events WHERE outcome IS NULL ORDER BY seq",
    );
    for (const { payload, prompt_number } of unsettled.iterate()) {
      const { seq } = appendEvent(into, JSON.parse(payload) as ClientEvent, payload, deps.now());
      into.prepare("UPDATE events SET prompt_number = ? WHERE seq = ?").run([prompt_number, seq]);
      saved.events++;
    }
  } catch {
    // The first unreadable page ends it.
  } finally {
    old?.close();
  }
  return saved;
}

// What has to be minded when a damaged journal's rows are carried over: nobody's work is half known, and no event is without its session.
import type { DatabaseForm } from "../../home/database-file.ts";
import type { Database, SqlInput } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/unreadable-rows.ts";
import type { Project } from "../../sdk/model.ts";

type Row = Readonly<Record<string, SqlInput>>;

/** Work is planned anew from the events that nobody finished: half of it may be lost. */
export const journalRecovery: NonNullable<DatabaseForm["recovery"]> = {
  counted: ["sessions"],
  rebuilt: true,
  derived: ["work", "work_events"],
  take(table, row) {
    if (table === "sessions") return broughtUpToDate(row);
    return table === "events" && row.outcome === null ? { ...row, planned: 0 } : row;
  },
  settle(db) {
    db.transaction(() => {
      db.exec(`
        DELETE FROM payloads WHERE seq NOT IN (SELECT seq FROM events);
        DELETE FROM events WHERE outcome IS NULL AND seq NOT IN (SELECT seq FROM payloads)`);
      addLostSessions(db);
      db.exec(`
        DELETE FROM payloads WHERE seq IN (SELECT seq FROM events WHERE session NOT IN (SELECT id FROM sessions));
        DELETE FROM events WHERE session NOT IN (SELECT id FROM sessions);
        DELETE FROM forgotten WHERE session NOT IN (SELECT id FROM sessions)`);
    });
  },
};

/** A session of the first version, as its migration leaves it. */
function broughtUpToDate(row: Row): Row {
  if ("open_prompt" in row) return row;
  const { prompts, last_received_at, started_at } = row;
  return {
    ...row,
    open_prompt: prompts,
    heard_at: last_received_at,
    first_heard_at: started_at,
  };
}

/** What a session's events tell of it. */
interface Told {
  session: number;
  prompts: number;
  first: number;
  last: number;
  json: string;
}

interface ToldSession {
  client: string;
  session: string;
  project: Project;
}

/** A session whose row is lost is known by its events, as far as one of them still has its text. */
function addLostSessions(db: Database): void {
  const lost = db
    .prepare<Told>(
      `SELECT e.session, max(e.prompt_number) AS prompts, min(e.time) AS first, max(e.received_at) AS last, p.json
       FROM events e JOIN payloads p USING (seq)
       WHERE e.session NOT IN (SELECT id FROM sessions) GROUP BY e.session`,
    )
    .all();
  const insert = db.prepare(
    `INSERT OR IGNORE INTO sessions (id, client, session, project, project_id, prompts, started_at, opened_at,
       last_event_at, last_received_at, open_prompt, heard_at, first_heard_at)
     VALUES ($id, $client, $session, $project, $projectId, $prompts, $first, $first, $last, $last, $prompts, $last, $first)`,
  );
  for (const { session: id, json, ...told } of lost) {
    const { client, session, project } = parsedObject<Partial<ToldSession>>(json) ?? {};
    if (!client || !session || !project) continue;
    insert.run({
      id,
      client,
      session,
      project: JSON.stringify(project),
      projectId: project.id,
      ...told,
    });
  }
}

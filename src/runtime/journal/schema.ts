// The journal's tables and their version.
import type { DatabaseForm } from "../../home/database/open-file.ts";
import type { Database, SqlInput } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/sqlite.ts";
import type { Project } from "../../sdk/model.ts";
import { readEvent } from "./events.ts";
import firstVersion from "./migrations/1-journal.sql.txt" with { type: "text" };
import recovery from "./migrations/2-recovery.sql.txt" with { type: "text" };
import forgottenAndNoted from "./migrations/3-forgotten-and-noted.sql.txt" with { type: "text" };
import { remember } from "./seen-before.ts";

// What has to be minded when a damaged journal's rows are carried over: nobody's work is half known, and no event is without its session.

type Row = Readonly<Record<string, SqlInput>>;

/** Work is planned anew from the events that nobody finished: half of it may be lost. */
const journalRecovery: NonNullable<DatabaseForm["recovery"]> = {
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

/** What is known of a session by its events. */
interface LostSession {
  session: number;
  prompts: number;
  first: number;
  last: number;
  json: string;
}

interface NamedSession {
  client: string;
  session: string;
  project: Project;
}

/** A session whose row is lost is known by its events, as far as one of them still has its text. */
function addLostSessions(db: Database): void {
  const lost =
    db.all<LostSession>(`SELECT e.session, max(e.prompt_number) AS prompts, min(e.time) AS first, max(e.received_at) AS last, p.json
       FROM events e JOIN payloads p USING (seq)
       WHERE e.session NOT IN (SELECT id FROM sessions) GROUP BY e.session`);
  const insert = db.prepare(
    `INSERT OR IGNORE INTO sessions (id, client, session, project, project_id, prompts, started_at, opened_at,
       last_event_at, last_received_at, open_prompt, heard_at, first_heard_at)
     VALUES ($id, $client, $session, $project, $projectId, $prompts, $first, $first, $last, $last, $prompts, $last, $first)`,
  );
  for (const { session: id, json, ...rest } of lost) {
    const { client, session, project } = parsedObject<Partial<NamedSession>>(json) ?? {};
    if (!client || !session || !project) continue;
    insert.run({
      id,
      client,
      session,
      project: JSON.stringify(project),
      projectId: project.id,
      ...rest,
    });
  }
}

/** Version 4: most events are of the prompt that is open, and name it: nothing has to be looked up for them. */
const openPromptId = `
ALTER TABLE sessions ADD COLUMN open_prompt_id TEXT;  -- the client's id of the prompt that open_prompt numbers
`;

/** Version 5. */
const tombstoneTables = `
-- Hashes of what the user had forgotten. "until" is set for a session: what it does after that is remembered again.
CREATE TABLE tombstones (hash TEXT PRIMARY KEY, until INTEGER) WITHOUT ROWID;
CREATE TABLE home_salt (salt TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** The journal's file. A commit changes many pages and the next changes most of them again: its log is folded in seldom. */
export const journalForm: DatabaseForm = {
  name: "The journal",
  migrations: [
    firstVersion,
    (db) => {
      db.exec(recovery);
      rememberHappened(db);
    },
    forgottenAndNoted,
    openPromptId,
    tombstoneTables,
  ],
  tables: ["sessions", "events", "payloads", "work"],
  isHomes: true,
  autoVacuum: true,
  recovery: journalRecovery,
  logBytes: 16 * 1024 * 1024,
  logPages: 4_000,
};

/** What an earlier version journaled happened too. */
function rememberHappened(db: Database): void {
  const events = db
    .prepare<{ seq: number; json: string }>(
      `SELECT seq, json FROM events JOIN payloads USING (seq)
       WHERE name IN ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure')`,
    )
    .iterate();
  for (const { seq, json } of events) {
    const event = readEvent(db, seq, json);
    if (event) remember(db, event);
  }
}

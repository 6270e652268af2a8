// The journal's tables and their version.
import type { DatabaseForm } from "../../home/database/open-file.ts";
import type { Database, SqlInput } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/sqlite.ts";
import type { Project } from "../../sdk/model.ts";
import { readEvent } from "./events.ts";
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

/** Version 1. */
export const firstVersion = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,          -- JSON
  project_id TEXT NOT NULL,
  prompts INTEGER NOT NULL,
  transcript_path TEXT,
  started_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,     -- time of the newest SessionStart or prompt
  last_event_at INTEGER NOT NULL,
  last_received_at INTEGER NOT NULL,
  ended_at INTEGER,
  activity_seq INTEGER,           -- newest prompt, tool use or Stop
  activity_key TEXT,
  summarized_seq INTEGER NOT NULL DEFAULT 0,
  UNIQUE (client, session)
);
CREATE INDEX sessions_by_session ON sessions (session);
CREATE INDEX sessions_by_project ON sessions (project_id);

CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES sessions (id),
  name TEXT NOT NULL,
  time INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  prompt_number INTEGER NOT NULL,
  prompt_id TEXT,
  tool_use TEXT,
  agent TEXT,
  spoken INTEGER NOT NULL,
  bytes INTEGER NOT NULL,         -- of the payload
  planned INTEGER NOT NULL,
  outcome TEXT,
  reason TEXT,
  observations TEXT,              -- JSON
  settled_at INTEGER,
  told INTEGER                    -- tool uses only: 0 from settling until listeners heard of it
);
-- Apart from their events, which are updated several times and read without them.
CREATE TABLE payloads (
  seq INTEGER PRIMARY KEY REFERENCES events (seq) ON DELETE CASCADE,
  json TEXT NOT NULL
);
CREATE INDEX events_unplanned ON events (session, seq) WHERE planned = 0;
CREATE INDEX events_unsettled ON events (received_at) WHERE outcome IS NULL;
CREATE INDEX events_untold ON events (seq) WHERE told = 0;
CREATE INDEX events_by_prompt ON events (session, prompt_number, name);
CREATE INDEX events_by_prompt_id ON events (session, prompt_id) WHERE prompt_id IS NOT NULL;
CREATE INDEX events_by_tool_use ON events (tool_use) WHERE tool_use IS NOT NULL;
CREATE INDEX events_by_settling ON events (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE work (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions (id),
  prompt_number INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  state TEXT NOT NULL,            -- pending, leased, done, parked
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  storage TEXT,                   -- in force while leased
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX work_open ON work (session, id) WHERE state IN ('pending', 'leased');
CREATE INDEX work_by_state ON work (state, updated_at);

CREATE TABLE work_events (
  work INTEGER NOT NULL REFERENCES work (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
  PRIMARY KEY (work, seq)
) WITHOUT ROWID;
CREATE INDEX work_events_by_seq ON work_events (seq);

CREATE TABLE counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
`;

/** Version 2: what transcripts tell afterwards, and what sessions were given. */
const recovery = `
ALTER TABLE sessions ADD COLUMN open_prompt INTEGER NOT NULL DEFAULT 0;  -- number of the newest prompt by time
ALTER TABLE sessions ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;     -- prompts and the main agent's tool uses told by hooks
ALTER TABLE sessions ADD COLUMN heard_at INTEGER;                        -- last event told by a hook; null: all from a transcript
ALTER TABLE sessions ADD COLUMN first_heard_at INTEGER;
ALTER TABLE sessions ADD COLUMN model_free INTEGER NOT NULL DEFAULT 0;   -- no model may be asked for it
ALTER TABLE events ADD COLUMN recovered INTEGER NOT NULL DEFAULT 0;      -- read from a transcript
UPDATE sessions SET open_prompt = prompts, heard_at = last_received_at, first_heard_at = started_at;

-- Hashes of what happened, kept when its event is long deleted, so that no transcript tells it a second time. A tool use
-- comes in when its event goes.
CREATE TABLE happened (hash INTEGER PRIMARY KEY);

-- How far each transcript was read, by whom (backfill, watch).
CREATE TABLE transcripts (
  path TEXT NOT NULL,
  reader TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  offset INTEGER NOT NULL,        -- of the newest prompt's line: reading goes on there
  lines INTEGER NOT NULL,
  cwd TEXT,
  PRIMARY KEY (path, reader)
) WITHOUT ROWID;

-- What a session was given to read.
CREATE TABLE injections (
  id INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,
  event TEXT NOT NULL,
  time INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  tokens INTEGER NOT NULL,        -- estimate
  records TEXT NOT NULL,          -- JSON list of the ids it names
  requests INTEGER NOT NULL       -- the session's requests before it
);
CREATE INDEX injections_by_time ON injections (time);
`;

/** Version 3: prompts of which nothing is made any more, by the user's word; and what plugins counted. */
const forgottenAndNoted = `
CREATE TABLE forgotten (
  session INTEGER NOT NULL REFERENCES sessions (id),
  prompt_number INTEGER NOT NULL,
  PRIMARY KEY (session, prompt_number)
) WITHOUT ROWID;

-- What plugins counted of what they told (failure:told), by project and hour.
CREATE TABLE noted (
  hour INTEGER NOT NULL,          -- since 1970
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (hour, project, name)
) WITHOUT ROWID;
`;

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

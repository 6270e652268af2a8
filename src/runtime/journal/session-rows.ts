// Reading sessions out of the journal.

import type { Database, Row } from "../../host/sqlite.ts";
import { readObject } from "../../host/unreadable-rows.ts";
import type { Project } from "../../sdk/model.ts";
import { baseName } from "../../text/text.ts";
import type { SessionState } from "./journal-types.ts";

interface SessionRow extends Row {
  id: number;
  client: string;
  session: string;
  project: string;
  project_id: string;
  prompts: number;
  transcript_path: string | null;
  started_at: number;
  last_event_at: number;
  last_received_at: number;
  ended_at: number | null;
  activity_seq: number | null;
  activity_key: string | null;
  summarized_seq: number;
}

/** By the journal's own number. */
export function sessionState(db: Database, row: number): SessionState | undefined {
  const found = db.prepare<SessionRow>("SELECT * FROM sessions WHERE id = ?").get([row]);
  return found && parse(db, found);
}

/** By the client's id; without a client the one heard of last. */
export function sessionById(db: Database, id: string, client?: string): SessionState | undefined {
  const found = db
    .prepare<SessionRow>(
      `SELECT * FROM sessions WHERE session = $id AND ($client IS NULL OR client = $client)
       ORDER BY last_received_at DESC, id DESC LIMIT 1`,
    )
    .get({ id, client });
  return found && parse(db, found);
}

/** Journal numbers of the sessions with this client session id. */
export function sessionRows(db: Database, session: string): number[] {
  return ids(
    db.prepare<{ id: number }>("SELECT id FROM sessions WHERE session = ?").all([session]),
  );
}

/** Journal numbers of a project's sessions. */
export function projectRows(db: Database, project: string): number[] {
  return ids(
    db.prepare<{ id: number }>("SELECT id FROM sessions WHERE project_id = ?").all([project]),
  );
}

/** Sessions with unplanned events, open work, or activity that no summary covers. Steps from session to session: under traffic each has many events. */
export function unfinishedRows(db: Database): number[] {
  return ids(
    db
      .prepare<{ id: number }>(
        `WITH RECURSIVE unplanned (session) AS (
           SELECT min(session) FROM events WHERE planned = 0
           UNION ALL
           SELECT (SELECT min(session) FROM events WHERE planned = 0 AND session > unplanned.session)
           FROM unplanned WHERE session IS NOT NULL
         )
         SELECT id FROM sessions WHERE activity_seq > summarized_seq
         UNION SELECT session FROM unplanned WHERE session IS NOT NULL
         UNION SELECT session FROM work WHERE state IN ('pending', 'leased')`,
      )
      .all(),
  );
}

function ids(rows: ReadonlyArray<{ id: number }>): number[] {
  return rows.map(({ id }) => id);
}

function parse(db: Database, row: SessionRow): SessionState {
  return {
    row: row.id,
    session: row.session,
    client: row.client,
    project: projectOf(db, row),
    prompts: row.prompts,
    ...(row.transcript_path !== null && { transcriptPath: row.transcript_path }),
    startedAt: row.started_at,
    lastEventAt: row.last_event_at,
    lastReceivedAt: row.last_received_at,
    endedAt: row.ended_at,
    lastActivity:
      row.activity_seq !== null && row.activity_key !== null
        ? { seq: row.activity_seq, key: row.activity_key }
        : null,
    summarizedSeq: row.summarized_seq,
  };
}

/** Of a project that does not parse its id is known all the same. */
function projectOf(db: Database, { session, project, project_id: id }: SessionRow): Project {
  const read = readObject<Project>(db, project, () => `session ${session} (project)`);
  return read ?? { id, name: baseName(id), root: "" };
}

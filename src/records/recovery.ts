// What has to be minded when a damaged file's records are carried over: whose they were, and the look-ups made from them.
import type { DatabaseForm } from "../home/database/open-file.ts";
import type { Database } from "../host/sqlite.ts";
import { baseName } from "../text/text.ts";
import { type FileKind, kinds, recordTables } from "./kinds.ts";
import { lookUpWriter, readKind } from "./rows.ts";

/** SQLite's own index of each session's client and id: it tells who a session was whose row is lost. */
const sessionKeys = "sqlite_autoindex_sessions_1";

export const recordsRecovery: NonNullable<DatabaseForm["recovery"]> = {
  counted: recordTables,
  fromBackup: true,
  rebuilt: true,
  derived: [
    ...["observation_files", "observation_concepts", "summary_files", "turn_files"],
    "unsearched",
  ],
  indexes(from, into) {
    const keys = from.prepare<{ id: number; client: string; session: string }>(
      `SELECT id, client, client_session_id AS session FROM sessions INDEXED BY ${sessionKeys}`,
    );
    into.exec(
      "CREATE TEMP TABLE IF NOT EXISTS session_keys (id INTEGER PRIMARY KEY, client, session)",
    );
    const add = into.prepare("INSERT OR IGNORE INTO session_keys VALUES ($id, $client, $session)");
    for (const key of keys.iterate()) add.run(key);
  },
  async settle(db, _, others) {
    db.exec(
      "CREATE TEMP TABLE IF NOT EXISTS session_keys (id INTEGER PRIMARY KEY, client, session)",
    );
    db.transaction(() => addLostParents(db));
    db.exec("DROP TABLE temp.session_keys");
    for (const kind of ["observation", "summary", "turn"] as const)
      for (let after: number | undefined = 0; after !== undefined; ) {
        const from: number = after;
        after = db.transaction(() => makeLookUps(db, kind, from));
        await others();
      }
  },
};

/** Records whose session is lost keep their place: in a session of its client's id where an index still has that. */
function addLostParents(db: Database): void {
  const children = ["prompts", "observations", "session_summaries", "turns"]
    .map((table) => `SELECT session_id, project, prompt_number, created_at FROM ${table}`)
    .join(" UNION ALL ");
  db.exec(`
    INSERT OR IGNORE INTO sessions (id, client, client_session_id, project, root, prompts, status, started_at, last_active_at)
      SELECT session_id, coalesce(k.client, 'unknown'), coalesce(k.session, 'recovered-' || session_id), project, project,
        max(prompt_number), 'ended', min(created_at), max(created_at)
      FROM (${children}) LEFT JOIN temp.session_keys k ON k.id = session_id
      WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id;
    UPDATE observations SET superseded_by = NULL
      WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT id FROM observations)`);
  const kept = Object.entries(kinds).map(
    ([kind, { table }]) => `(kind = '${kind}' AND record IN (SELECT id FROM ${table}))`,
  );
  db.exec(`DELETE FROM marks WHERE NOT (${kept.join(" OR ")})`);
  const lost = db
    .prepare<{ project: string }>(
      "SELECT DISTINCT project FROM sessions WHERE project NOT IN (SELECT id FROM projects)",
    )
    .all();
  for (const { project } of lost)
    db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)").run([project, baseName(project)]);
}

/** Records of which look-ups are made in one step. */
const together = 200;

/** Makes the look-ups of some records; answers the last one's number, or undefined when there are no more. */
function makeLookUps(db: Database, kind: FileKind, after: number): number | undefined {
  const lookUps = lookUpWriter(db, kind);
  const found = readKind(db, kind, "WHERE r.id > ? ORDER BY r.id LIMIT ?", [after, together]);
  for (const { row, record } of found) lookUps(row, record);
  return found.at(-1)?.row;
}

// Schema version 12: the log of changes, with a change for everything that was there before it.
import type { Database, Row } from "../host/sqlite.ts";
import { changeTime, identityOfParts } from "../sdk/identity.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { bytesOf, insert, nextNumber, projectIdentity } from "./log.ts";
import itemsMayRepeat from "./migrations/12-items-may-repeat.sql.txt" with { type: "text" };
import log from "./migrations/12-log.sql.txt" with { type: "text" };

const tables: Record<RecordKind, string> = {
  session: "sessions",
  turn: "turns",
  prompt: "prompts",
  observation: "observations",
  summary: "session_summaries",
  memory: "memory",
};

const goneTriggers = Object.entries(tables)
  .map(
    ([kind, table]) => `CREATE TRIGGER ${table}_gone AFTER DELETE ON ${table} BEGIN
  UPDATE changes SET row = NULL WHERE kind = '${kind}' AND row = old.id;
END;`,
  )
  .join("\n");

/** Leads from version 11. */
export function beginLog(db: Database): void {
  db.exec(itemsMayRepeat);
  const made = db.all<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE tbl_name = 'memory' AND type IN ('trigger', 'index') AND sql IS NOT NULL",
  );
  // Without the triggers: what is dropped was not deleted.
  for (const { name } of db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE tbl_name = 'memory' AND type = 'trigger'",
  ))
    db.exec(`DROP TRIGGER ${name}`);
  db.exec("DROP TABLE memory; ALTER TABLE memory_next RENAME TO memory;");
  for (const { sql } of made) db.exec(sql);
  db.exec(
    `CREATE INDEX memory_by_content ON memory (project, kind, content); ${log} ${goneTriggers}`,
  );
  noteUnnoted(db);
  for (const one of db.all<Row>("SELECT id, project, name FROM project_choices")) {
    const { id, project: into, name } = one;
    insert(db, {
      ...nextNumber(db),
      ...{ time: changeTime(0), kind: "project", record: bytesOf(projectIdentity(String(id))) },
      ...{ row: null, project: String(id), author: null },
      body: JSON.stringify({ id, ...(into !== null && { into }), ...(name !== null && { name }) }),
    });
  }
  for (const mark of db.all<Row>("SELECT * FROM marks")) noteMark(db, mark);
  db.exec(`UPDATE marks SET merged = (SELECT lower(hex(c.record)) FROM changes c
    WHERE c.kind = marks.kind AND c.row = CAST(substr(marks.merged, 2) AS INTEGER)) WHERE merged IS NOT NULL`);
}

const ofSession = (table: string, parts: string, time = "r.created_at") =>
  `SELECT r.id, ${time} AS time, json_array(s.client, s.client_session_id, ${parts}) AS parts
   FROM ${table} r JOIN sessions s ON s.id = r.session_id`;

/** What identities are made from. */
const identified: Record<RecordKind, string> = {
  session: `SELECT r.id, r.last_active_at AS time, json_array(r.client, r.client_session_id) AS parts FROM sessions r
    WHERE NOT (r.title = '' AND r.root = '' AND r.branch IS NULL AND r.transcript_path IS NULL AND r.prompts = 0 AND r.status = 'active')`,
  turn: ofSession("turns", "r.prompt_number", "r.last_at"),
  prompt: ofSession("prompts", "r.prompt_number"),
  observation: ofSession("observations", "r.content_hash"),
  summary: ofSession("session_summaries", "r.scope, r.prompt_number"),
  memory: `SELECT r.id, r.created_at AS time, json_array(r.project, r.kind, coalesce(k.was ->> '$.content', r.content)) AS parts
    FROM memory r LEFT JOIN marks k ON k.kind = 'memory' AND k.record = r.id`,
};

/** Notes every record without a change, as of its own time: of a memory from before the log, or whose log is damaged. */
function noteUnnoted(db: Database): void {
  for (const kind of Object.keys(identified) as RecordKind[]) {
    const rows = db.all<{ id: number; time: number; parts: string }>(
      `SELECT * FROM (${identified[kind]}) u WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.kind = '${kind}' AND c.row = u.id) ORDER BY u.id`,
    );
    for (const { id: row, time, parts } of rows)
      insert(db, {
        ...nextNumber(db),
        ...{ time: changeTime(time), kind, row, project: null, body: null, author: null },
        record: bytesOf(identityOfParts(kind, JSON.parse(parts) as unknown[])),
      });
  }
}

/** After rows of several copies of a file were put together: no number is given twice, and a record has its latest change alone. */
export function mendLog(db: Database): void {
  const records = `kind IN ('${Object.keys(identified).join("', '")}')`;
  db.exec(`
    UPDATE replicas SET position = max(position, coalesce((SELECT max(number) FROM changes WHERE replica = replicas.n), 0));
    DELETE FROM changes WHERE ${records} AND EXISTS (SELECT 1 FROM changes l WHERE l.record = changes.record AND l.${records}
      AND (l.time, l.replica, l.number) > (changes.time, changes.replica, changes.number));`);
  noteUnnoted(db);
}

/** What a person made of a record before there was a log. */
function noteMark(
  db: Database,
  { kind, record, pinned, hidden, merged, edited_at, texts }: Row,
): void {
  const find = db.prepare<{ record: Uint8Array; time: string; project: string }>(
    `SELECT c.record, c.time FROM changes c WHERE c.kind = ? AND c.row = ?`,
  );
  const of = find.get([kind, record]);
  if (!of) return;
  const say = (word: "correction" | "pin" | "hide" | "merge", body: object, time = of.time) =>
    insert(db, {
      ...nextNumber(db),
      ...{ time, kind: word, record: of.record, row: null, project: null, author: null },
      body: JSON.stringify(body),
    });
  if (pinned) say("pin", { on: true });
  const into = merged ? find.get([kind, Number(String(merged).slice(1))]) : undefined;
  if (into) say("merge", { into: Buffer.from(into.record).toString("hex") });
  else if (hidden) say("hide", { on: true });
  if (edited_at !== null)
    say("correction", { set: JSON.parse(String(texts)) }, changeTime(Number(edited_at)));
}

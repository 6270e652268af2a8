// What strategies decided about sessions and have to repeat to the byte, as rows; and what the gateway of earlier versions kept in a file of its own.
import { rm } from "node:fs/promises";
import type { Log } from "../../home/log.ts";
import { isThere } from "../../home/read-file.ts";
import { type Database, isBusy, type Row } from "../../host/sqlite.ts";
import type { Decision } from "../../sdk/endless.ts";

/** `at` in epoch ms; `tool_use` is empty where it is about none, `records` a JSON list of ids. */
export const decisionsTable = `
CREATE TABLE decisions (
  strategy TEXT NOT NULL,
  session TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tool_use TEXT NOT NULL,
  records TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (strategy, session, key)
) WITHOUT ROWID;
CREATE INDEX decisions_tool_use ON decisions (tool_use) WHERE tool_use <> '';
`;

/** Of one session; what is null is taken back. */
export function writeDecisions(
  db: Database,
  strategy: string,
  session: string,
  decisions: readonly Decision[],
  at: number,
): void {
  const add = db.prepare(
    "INSERT OR REPLACE INTO decisions VALUES ($strategy, $session, $key, $value, $toolUse, $records, $at)",
  );
  const remove = db.prepare(
    "DELETE FROM decisions WHERE strategy = $strategy AND session = $session AND key = $key",
  );
  for (const { key, value, toolUseId: toolUse = "", records = [] } of decisions) {
    const place = { strategy, session, key };
    if (value === null || value === undefined) remove.run(place);
    else
      add.run({
        ...place,
        value: JSON.stringify(value),
        toolUse,
        records: JSON.stringify(records),
        at,
      });
  }
}

type DecisionRow = Row & { key: string; value: string; tool_use: string; records: string };

/** Of a session, or about these tool uses in any; the oldest first. */
export function decisionsOf(
  db: Database,
  strategy: string,
  { session, toolUseIds }: { session?: string; toolUseIds?: readonly string[] },
): Decision[] {
  const [where, asked] = toolUseIds
    ? ["tool_use <> '' AND tool_use IN (SELECT value FROM json_each($asked))", toolUseIds]
    : ["session = $asked", session];
  return db
    .prepare<DecisionRow>(
      `SELECT key, value, tool_use, records FROM decisions WHERE strategy = $strategy AND ${where} ORDER BY at, session, key`,
    )
    .all({ strategy, asked: toolUseIds ? JSON.stringify(asked) : session })
    .map(({ key, value, tool_use: toolUseId, records }) => ({
      ...{ key, value: JSON.parse(value) as unknown, records: JSON.parse(records) as string[] },
      ...(toolUseId !== "" && { toolUseId }),
    }));
}

/** What names one of these records, or stands in the place of one of these tool uses. Gives how many went. */
export function forgetDecisions(
  db: Database,
  { sessions, toolUses, records }: Record<"sessions" | "toolUses" | "records", readonly string[]>,
): number {
  const listed = "(SELECT value FROM json_each(?))";
  const { changes } = db
    .prepare(
      `DELETE FROM decisions WHERE (tool_use <> '' AND tool_use IN ${listed})
         OR (records <> '[]' AND (session IN ${listed}
           OR EXISTS (SELECT 1 FROM json_each(records) named WHERE named.value IN ${listed})))`,
    )
    .run([toolUses, sessions, records].map((ids) => JSON.stringify(ids)));
  return changes;
}

/** Whole sessions only: one that goes on for long needs its first decisions as much as its last. */
export function pruneDecisions(db: Database, before: number): void {
  db.prepare(
    "DELETE FROM decisions WHERE session IN (SELECT session FROM decisions GROUP BY session HAVING max(at) < ?)",
  ).run([before]);
}

/** Beside the database, in versions before 0.2. */
export const oldBookName = "endless-gateway.db";

const takeOverSql = `
INSERT OR IGNORE INTO decisions SELECT 'gateway', session, 'sent ' || hash, json_object('at', at, 'model', model), '', '[]', at
  FROM old.sent;
INSERT OR IGNORE INTO decisions SELECT 'gateway', session, part || ' ' || tool_use,
  json_object('hash', hash, 'instead', instead), tool_use, '[]', at FROM old.edits;
INSERT OR IGNORE INTO decisions SELECT 'gateway', session, 'put ' || hash,
  json_object('place', place, 'json', json), '', observations, at FROM old.injections;
`;

/** Open sessions go on from it once. Never rejects: a damaged one costs what its sessions have in the cache. */
export async function takeOverOldBook(db: Database, path: string, log: Log): Promise<void> {
  if (!(await isThere(path))) return;
  try {
    db.prepare("ATTACH ? AS old").run([path]);
    try {
      db.transaction(() => db.exec(takeOverSql));
    } finally {
      db.exec("DETACH old");
    }
  } catch (error) {
    log.warn("What the gateway of an earlier version decided could not be read.", { error });
    if (isBusy(error)) return;
  }
  for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
}

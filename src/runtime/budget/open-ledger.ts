// Opens the file that calls are counted in; a damaged one is put aside, and counting begins anew.
import { type DatabaseForm, openOrBeginAnew } from "../../home/database-file.ts";
import type { Log } from "../../home/log.ts";
import type { Database } from "../../host/sqlite.ts";

/** With `IF NOT EXISTS`: the first files had no version. In tokens; `cost` in US dollars, null when unknown. `reserved` counts while a call is open, and for good when it was lost. */
const schema = `
CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  day TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  purpose TEXT NOT NULL,
  plugin TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT NOT NULL,
  state TEXT NOT NULL,
  error TEXT,
  ms INTEGER,
  reserved INTEGER NOT NULL,
  input INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  cache_read INTEGER NOT NULL DEFAULT 0,
  cache_write INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL,
  cost REAL
);
CREATE INDEX IF NOT EXISTS calls_day ON calls (day);
CREATE INDEX IF NOT EXISTS calls_session ON calls (session);
CREATE TABLE IF NOT EXISTS told (key TEXT PRIMARY KEY);
`;

/** Calls are counted for a year; pages of older ones are used again. */
const keptMs = 366 * 24 * 60 * 60_000;

/** Its file. */
export const ledgerForm: DatabaseForm = {
  name: "The count of model calls",
  migrations: [schema],
  tables: ["calls"],
  isHomes: true,
};

/** The database with its tables. Calls that a killed server left open are closed as lost: what they reserved stays counted. */
export async function openLedgerFile(
  path: string,
  { now, log }: { now: () => number; log: Log },
): Promise<Database> {
  const db = await openOrBeginAnew(path, ledgerForm, {
    now,
    replaced: (file, _, error) =>
      log.error("The count of model calls was damaged: it was put aside and begun anew.", {
        file,
        error,
      }),
  });
  db.exec("UPDATE calls SET state = 'lost' WHERE state = 'open'");
  db.prepare("DELETE FROM calls WHERE at < ?").run([now() - keptMs]);
  return db;
}

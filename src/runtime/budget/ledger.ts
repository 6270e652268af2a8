// Every call to a model, counted: room is reserved before it, the provider's own figures replace it afterwards.

import { closeDatabase, standingAt } from "../../home/database/contents.ts";
import type { DatabaseForm } from "../../home/database/open-file.ts";
import { openOrBeginAnew } from "../../home/database/replace.ts";
import type { Log } from "../../home/log.ts";
import type { Database } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { totalTokens, type Usage } from "../../sdk/provider.ts";
import { localClock } from "../../text/amounts.ts";
import { readUsage, type UsageQuery, type UsageReport } from "./usage-report.ts";

/** Hard limits, in tokens of all kinds. */
export interface Limits {
  dailyTokens: number;
  sessionTokens: number;
}

/** A call that is about to be made. */
interface PlannedCall {
  purpose: string;
  /** Who asks. */
  plugin: string;
  session: string;
  project: string;
  /** The most it may take, estimated from above. */
  reserve: number;
}

/** How a call ended. */
type CallEnd =
  | { provider: string; model: string; usage: Usage; cost: number | null }
  /** `spent`: tokens it may have taken before it failed; 0 where the provider refused it unread. */
  | { provider: string | null; error: string; spent: number };

export interface Ledger {
  /** Reserves room and gives the call's number. Throws `budget_day` or `budget_session` when there is not enough. */
  begin(call: PlannedCall, limits: Limits): number;
  end(id: number, end: CallEnd): void;
  /** Tokens used and reserved on the day of now: a day's budget begins at the user's midnight. */
  usedToday(): number;
  usedBy(session: string): number;
  report(query: UsageQuery): UsageReport;
  /** True the first time a key is asked, also after a restart. */
  isNews(key: string): boolean;
  close(): void;
}

/** Opens the ledger. Rejects when its file cannot be used. */
export async function openLedger(
  path: string,
  deps: { now: () => number; log: Log },
): Promise<Ledger> {
  const { now } = deps;
  const db = await openLedgerFile(path, deps);
  const standing = standingAt(path);
  const started = new Map<number, number>();

  const sum = (where: string, value: string) =>
    db
      .prepare<{ tokens: number }>(
        `SELECT coalesce(sum(tokens), 0) AS tokens FROM calls WHERE ${where} = ?`,
      )
      .get([value])?.tokens ?? 0;

  function begin(call: PlannedCall, limits: Limits): number {
    const { purpose, plugin, session, project, reserve } = call;
    return db.transaction(() => {
      check(
        "budget_day",
        "Today's budget",
        sum("day", localClock.day(now())),
        reserve,
        limits.dailyTokens,
      );
      check(
        "budget_session",
        "This session's budget",
        sum("session", session),
        reserve,
        limits.sessionTokens,
      );
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO calls (at, day, purpose, plugin, session, project, state, reserved, tokens)
           VALUES ($at, $day, $purpose, $plugin, $session, $project, 'open', $reserve, $reserve)`,
        )
        .run({ at: now(), day: localClock.day(now()), purpose, plugin, session, project, reserve });
      started.set(lastInsertRowid, now());
      return lastInsertRowid;
    });
  }

  function end(id: number, how: CallEnd): void {
    const begun = started.get(id) ?? now();
    started.delete(id);
    const failed = "error" in how;
    const usage = failed ? { input: how.spent, output: 0, cacheRead: 0, cacheWrite: 0 } : how.usage;
    db.prepare(
      `UPDATE calls SET provider = $provider, model = $model, state = $state, error = $error, ms = $ms,
         input = $input, output = $output, cache_read = $cacheRead, cache_write = $cacheWrite,
         tokens = $tokens, cost = $cost WHERE id = $id`,
    ).run({
      id,
      provider: how.provider,
      model: failed ? null : how.model,
      state: failed ? "failed" : "done",
      error: failed ? how.error : null,
      ms: now() - begun,
      ...usage,
      tokens: totalTokens(usage),
      cost: failed ? null : how.cost,
    });
  }

  return {
    begin,
    end,
    usedToday: () => sum("day", localClock.day(now())),
    usedBy: (session) => sum("session", session),
    report: (query) => readUsage(db, query),
    isNews: (key) =>
      db.prepare("INSERT INTO told (key) VALUES (?) ON CONFLICT DO NOTHING").run([key]).changes ===
      1,
    close: () => closeDatabase(path, db, standing),
  };
}

function check(
  code: "budget_day" | "budget_session",
  what: string,
  used: number,
  wanted: number,
  limit: number,
): void {
  if (used + wanted <= limit) return;
  throw new MemoirError(
    code,
    `${what} of ${limit.toLocaleString("en")} tokens has no room for this call: ${used.toLocaleString("en")} are used, up to ${wanted.toLocaleString("en")} would be needed.`,
  );
}

// Opens the file that calls are counted in; a damaged one is put aside, and counting begins anew.

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
async function openLedgerFile(
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

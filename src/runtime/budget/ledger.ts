// Every call to a model, counted: room is reserved before it, the provider's own figures replace it afterwards.

import { closeDatabase, standingAt } from "../../home/database/intact.ts";
import type { DatabaseForm } from "../../home/database/open-file.ts";
import { openOrBeginAnew } from "../../home/database/replace.ts";
import type { Log } from "../../home/log.ts";
import type { Database } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { totalTokens, type Usage } from "../../sdk/provider.ts";
import { localClock } from "../../text/text.ts";

/** Hard limits, in tokens of all kinds; and in money, where one is set. */
export interface Limits {
  dailyTokens: number;
  sessionTokens: number;
  monthlyDollars?: number;
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
  /** Reserves room and gives the call's number. Throws `budget_month`, `budget_day` or `budget_session` when there is not enough. */
  begin(call: PlannedCall, limits: Limits): number;
  end(id: number, end: CallEnd): void;
  /** Tokens used and reserved on the day of now: a day's budget begins at the user's midnight. */
  usedToday(): number;
  usedBy(session: string): number;
  /** US dollars since the first of the month, of calls whose price is known. */
  spentThisMonth(): number;
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
      checkMonth(spentSince(db, monthOf(now())), limits);
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
    spentThisMonth: () => spentSince(db, monthOf(now())),
    report: (query) => readUsage(db, query),
    isNews: (key) =>
      db.prepare("INSERT INTO told (key) VALUES (?) ON CONFLICT DO NOTHING").run([key]).changes ===
      1,
    close: () => closeDatabase(path, db, standing),
  };
}

/** The day that its month began. */
function monthOf(time: number): string {
  return `${localClock.day(time).slice(0, 7)}-01`;
}

function spentSince(db: Database, day: string): number {
  const sql = "SELECT coalesce(sum(cost), 0) AS cost FROM calls WHERE day >= ?";
  return db.prepare<{ cost: number }>(sql).get([day])?.cost ?? 0;
}

function checkMonth(spent: number, { monthlyDollars = Infinity }: Limits): void {
  if (spent < monthlyDollars) return;
  throw new MemoirError(
    "budget_month",
    `This month's budget of $${monthlyDollars} is used up: $${spent.toFixed(2)} are spent.`,
  );
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
      log.error("The count of model calls was damaged: it was set aside and started again.", {
        file,
        error,
      }),
  });
  db.exec("UPDATE calls SET state = 'lost' WHERE state = 'open'");
  db.prepare("DELETE FROM calls WHERE at < ?").run([now() - keptMs]);
  return db;
}

// What model calls took, added up by day, project, model and purpose.

/** Which calls; absent bounds mean all. */
export interface UsageQuery {
  /** Epoch ms, inclusive. */
  since?: number;
  /** Epoch ms, exclusive. */
  until?: number;
  /** `Project.id`, or its last part. */
  project?: string;
  session?: string;
}

/** Sums over some calls. */
export interface UsageSum {
  calls: number;
  failed: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** All of them, with what open and lost calls reserved. */
  tokens: number;
  /** US dollars, estimated from list prices; of the calls whose model has a known price. */
  cost: number;
  /** Answered calls whose price is not known. */
  unpriced: number;
}

export interface UsageRow extends UsageSum {
  /** The day, project id, model or purpose. */
  key: string;
}

export interface UsageReport {
  total: UsageSum;
  /** Newest first. */
  byDay: UsageRow[];
  /** The others most tokens first. */
  byProject: UsageRow[];
  byModel: UsageRow[];
  byPurpose: UsageRow[];
}

const sums = `count(*) AS calls, coalesce(sum(state IN ('failed', 'lost')), 0) AS failed,
  coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cache_read), 0) AS cacheRead, coalesce(sum(cache_write), 0) AS cacheWrite,
  coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost,
  coalesce(sum(state = 'done' AND cost IS NULL), 0) AS unpriced`;

const where = `WHERE at >= $since AND at < $until AND ($project IS NULL OR project = $project OR substr(project, -length($project) - 1) = '/' || $project)
  AND ($session IS NULL OR session = $session)`;

const groups = {
  byDay: ["day", "key DESC"],
  byProject: ["project", "tokens DESC, key"],
  byModel: ["coalesce(model, '')", "tokens DESC, key"],
  byPurpose: ["purpose", "tokens DESC, key"],
} as const;

const nothing: UsageSum = {
  calls: 0,
  failed: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  tokens: 0,
  cost: 0,
  unpriced: 0,
};

/** Adds up the calls that the query names. */
function readUsage(db: Database, query: UsageQuery): UsageReport {
  const params = {
    since: query.since ?? 0,
    until: query.until ?? Number.MAX_SAFE_INTEGER,
    project: query.project,
    session: query.session,
  };
  const by = (name: keyof typeof groups): UsageRow[] => {
    const [column, order] = groups[name];
    const sql = `SELECT ${column} AS key, ${sums} FROM calls ${where} GROUP BY key ORDER BY ${order}`;
    return db.prepare<UsageRow>(sql).all(params);
  };
  const total = db.prepare<UsageSum>(`SELECT ${sums} FROM calls ${where}`).get(params);
  return {
    total: total ?? nothing,
    byDay: by("byDay"),
    byProject: by("byProject"),
    byModel: by("byModel"),
    byPurpose: by("byPurpose"),
  };
}

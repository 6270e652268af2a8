// Every call to a model, counted: room is reserved before it, the provider's own figures replace it afterwards.

import { closeDatabase, standingAt } from "../../home/database-file.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { totalTokens, type Usage } from "../../sdk/provider.ts";
import { localClock } from "../../text/amounts.ts";
import { openLedgerFile } from "./open-ledger.ts";
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

// Retention: one small step of deleting what is finished and old.
import type { Database } from "../../host/sqlite.ts";
import { rememberToolUse } from "./happened.ts";

/** How much longer the events of parked work are kept, so that it can still be retried. */
const parkedFactor = 4;

/**
 * Deletes at most `limit` events settled before `now - keepMs`, then the finished work that has none left. Sessions
 * stay: they are small, and a session resumed after months must go on counting its prompts.
 * Answers how many events went; fewer than `limit` means that nothing is left to delete.
 */
export function pruneStep(db: Database, keepMs: number, now: number, limit: number): number {
  const gone = db
    .prepare<{ seq: number; client: string; tool_use: string | null }>(
      `SELECT e.seq, s.client, e.tool_use FROM events e JOIN sessions s ON s.id = e.session
       WHERE e.settled_at < $before AND coalesce(e.told, 1) = 1
         AND NOT EXISTS (
           SELECT 1 FROM work_events l JOIN work w ON w.id = l.work
           WHERE l.seq = e.seq AND (w.state IN ('pending', 'leased')
             OR (w.state = 'parked' AND w.updated_at >= $parkedBefore)))
       ORDER BY e.settled_at LIMIT $limit`,
    )
    .all({ before: now - keepMs, parkedBefore: now - parkedFactor * keepMs, limit });
  const remove = db.prepare("DELETE FROM events WHERE seq = ?");
  for (const { seq, client, tool_use } of gone) {
    if (tool_use !== null) rememberToolUse(db, client, tool_use);
    remove.run([seq]);
  }
  db.prepare(
    `DELETE FROM work WHERE state IN ('done', 'parked') AND updated_at < ?
       AND NOT EXISTS (SELECT 1 FROM work_events l WHERE l.work = work.id)`,
  ).run([now - keepMs]);
  return gone.length;
}

/** Deletes what sessions were told, and what was counted of it, before a time in epoch ms. */
export function pruneTold(db: Database, before: number): void {
  db.prepare("DELETE FROM injections WHERE time < ?").run([before]);
  db.prepare("DELETE FROM noted WHERE hour < ?").run([Math.floor(before / 3_600_000)]);
}

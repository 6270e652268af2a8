// What sessions' requests took, before and after something was first left out, as rows.
import type { Database, Row } from "../../host/sqlite.ts";
import type { TokenUsage } from "../../sdk/work.ts";
import { addUsage } from "../../transcript/usage.ts";

/** Usage of some of a session's turns. */
export interface TurnUsage extends TokenUsage {
  /** Answers of the model that told their usage. */
  turns: number;
}

/** A session with Endless Mode, or one that was held out. */
export interface SessionUsage {
  session: string;
  project: string;
  /** Those switched on there; for a held-out session those that would have been. */
  strategies: readonly string[];
  heldOut: boolean;
  /** Epoch ms; null while nothing was left out. */
  firstReducedAt: number | null;
  /** Epoch ms. */
  updatedAt: number;
  before: TurnUsage;
  after: TurnUsage;
}

interface UsageRow extends Row {
  session: string;
  project: string;
  strategies: string;
  held_out: number;
  first_reduced_at: number | null;
  updated_at: number;
  usage: string;
}

export const noTurns: TurnUsage = {
  turns: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
};

/** The sum of two. */
export function addTurns(a: TurnUsage, b: TurnUsage): TurnUsage {
  return {
    turns: a.turns + b.turns,
    ...addUsage(a, b),
  };
}

/** In place of what was known of the session. */
export function writeSessionUsage(db: Database, usage: SessionUsage): void {
  const { session, project, strategies, heldOut, firstReducedAt, updatedAt, before, after } = usage;
  db.prepare(
    `INSERT OR REPLACE INTO sessions (session, project, strategies, held_out, first_reduced_at, updated_at, usage)
     VALUES ($session, $project, $strategies, $heldOut, $firstReducedAt, $updatedAt, $usage)`,
  ).run({
    session,
    project,
    strategies: strategies.join(" "),
    heldOut,
    firstReducedAt,
    updatedAt,
    usage: JSON.stringify({ before, after }),
  });
}

/** Sessions heard of since `since` (epoch ms), oldest first. */
export function sessionUsages(
  db: Database,
  query: { since: number; project?: string | undefined; session?: string | undefined },
): SessionUsage[] {
  return db
    .prepare<UsageRow>(
      `SELECT * FROM sessions WHERE updated_at >= $since AND ($project IS NULL OR project = $project)
       AND ($session IS NULL OR session = $session) ORDER BY updated_at`,
    )
    .all({ since: query.since, project: query.project, session: query.session })
    .map((row) => ({
      session: row.session,
      project: row.project,
      strategies: row.strategies.split(" ").filter(Boolean),
      heldOut: row.held_out !== 0,
      firstReducedAt: row.first_reduced_at,
      updatedAt: row.updated_at,
      ...(JSON.parse(row.usage) as Pick<SessionUsage, "before" | "after">),
    }));
}

/** When something of the session was first left out, as far as it was written down. */
export function knownFirstReduced(db: Database, session: string): number | undefined {
  const row = db
    .prepare<{ at: number | null }>("SELECT first_reduced_at AS at FROM sessions WHERE session = ?")
    .get([session]);
  return row?.at ?? undefined;
}

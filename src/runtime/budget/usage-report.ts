// What model calls took, added up by day, project, model and purpose.
import type { Database } from "../../host/sqlite.ts";

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
export function readUsage(db: Database, query: UsageQuery): UsageReport {
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

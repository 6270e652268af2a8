// The handler of `storage.stats`: what is stored, for whom, and how large it is.
import { stat } from "node:fs/promises";
import { schemaVersion } from "../home/database-file.ts";
import type { Database } from "../host/sqlite.ts";
import type { ProjectCount, StorageStats } from "../sdk/storage.ts";

/** Counts of an open database at `path`; `bytes` includes its write-ahead log. */
export async function storageStats(db: Database, path: string): Promise<StorageStats> {
  const sizes = await Promise.all([path, `${path}-wal`].map(sizeOf));
  const count = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return {
    sessions: count("sessions"),
    prompts: count("prompts"),
    observations: count("observations"),
    summaries: count("session_summaries"),
    memory: count("memory"),
    turns: count("turns"),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    schemaVersion: schemaVersion(db),
    projects: projectCounts(db),
  };
}

/** The last active first. */
function projectCounts(db: Database): ProjectCount[] {
  return db
    .prepare<ProjectCount & Record<string, string | number>>(`
      SELECT j.id, j.name, count(s.id) AS sessions, coalesce(max(s.last_active_at), 0) AS lastActiveAt,
        (SELECT count(*) FROM observations o WHERE o.project = j.id) AS observations
      FROM projects j LEFT JOIN sessions s ON s.project = j.id
      GROUP BY j.id ORDER BY lastActiveAt DESC, j.id`)
    .all();
}

/** 0 for a file that is not there. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (info) => info.size,
    () => 0,
  );
}

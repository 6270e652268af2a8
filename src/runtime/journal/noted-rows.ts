// What plugins counted of what they told, by project and hour: `failure:told`, `failure:acted-on`.
import type { Database, Row } from "../../host/sqlite.ts";

/** Something that a plugin counted once. */
export interface Noted {
  /** `Project.id`, or the folder where there is none. */
  project: string;
  /** Epoch ms. */
  time: number;
  /** A kind and what became of it: `failure:told`. */
  name: string;
}

/** How often something was counted in a project. */
export interface NotedCount {
  project: string;
  name: string;
  count: number;
  /** The newest hour, epoch ms. */
  at: number;
}

const hourMs = 60 * 60_000;

/** Adds to the counts. */
export function addNoted(db: Database, noted: readonly Noted[]): void {
  const upsert = db.prepare(
    `INSERT INTO noted (hour, project, name, n) VALUES (?, ?, ?, 1)
     ON CONFLICT (hour, project, name) DO UPDATE SET n = n + 1`,
  );
  for (const { project, time, name } of noted)
    upsert.run([Math.floor(time / hourMs), project, name]);
}

interface NotedRow extends Row {
  project: string;
  name: string;
  n: number;
  hour: number;
}

/** From the hour of `since` (epoch ms) on, in all projects. */
export function notedSince(db: Database, since: number): NotedCount[] {
  return db
    .prepare<NotedRow>(
      `SELECT project, name, sum(n) AS n, max(hour) AS hour FROM noted WHERE hour >= ?
       GROUP BY project, name ORDER BY project, name`,
    )
    .all([Math.floor(since / hourMs)])
    .map(({ project, name, n, hour }) => ({ project, name, count: n, at: hour * hourMs }));
}

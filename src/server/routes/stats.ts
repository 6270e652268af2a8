// GET /api/stats: what memory cost and what it gave back.

import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { Observation } from "../../sdk/model.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { momentCounts } from "../memory/moment-counts.ts";
import { returnReport } from "../memory/return-on-investment.ts";
import { StatsAnswer, StatsParams } from "../schemas/stats.ts";

/** Storage passes over all that came before a page: with small ones a large memory is read many times over. */
const page = 1_000;
const idsAtOnce = 200;
/** Beyond this many records of a kind the older ones are not counted. */
const most = 50_000;
const monthMs = 30 * 24 * 60 * 60_000;

/** `since` (epoch ms) defaults to 30 days ago. */
export function statsRoutes(runtime: ServerRuntime, now: () => number) {
  return routesBelow("/api").get(
    "/stats",
    ({ query: { since = now() - monthMs, project } }) => report(runtime, since, project),
    {
      query: query(StatsParams),
      response: answer(StatsAnswer),
      detail: { summary: "What memory cost and what it gave back, in tokens." },
    },
  );
}

async function report(runtime: ServerRuntime, since: number, project: string | undefined) {
  const scope = { since, ...(project !== undefined && { project }) };
  const [sessions, observations] = await Promise.all([
    all((at) => askStorage(runtime.hooks, "storage.sessions", { ...scope, ...at })),
    all((at) =>
      askStorage(runtime.hooks, "storage.observations", { ...scope, superseded: true, ...at }),
    ),
  ]);
  const ids = new Set(sessions.map(({ id }) => id));
  const given = runtime.transcripts
    .injections(since)
    .filter(({ session }) => project === undefined || ids.has(session));
  const named = await namedObservations(
    runtime,
    given.flatMap(({ records }) => records),
  );
  const report = returnReport({ sessions, observations, injections: given, named });
  const noted = runtime.transcripts.noted(since);
  const moments = noted.length === 0 ? [] : momentCounts(noted, await askedFor(runtime, project));
  return { since, ...report, moments };
}

/** Whether a project's id is the one that was asked for, by its id or name. */
async function askedFor(
  runtime: ServerRuntime,
  project: string | undefined,
): Promise<(id: string) => boolean> {
  if (project === undefined) return () => true;
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  const named = projects.filter(({ name }) => name.toLowerCase() === project.toLowerCase());
  const ids = new Set([project, ...named.map(({ id }) => id)]);
  return (id) => ids.has(id);
}

async function all<Item>(
  ask: (at: { limit: number; offset: number }) => Promise<Item[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let offset = 0; offset < most; offset += page) {
    const items = await ask({ limit: page, offset });
    found.push(...items);
    if (items.length < page) break;
  }
  return found;
}

async function namedObservations(
  runtime: ServerRuntime,
  ids: readonly string[],
): Promise<Map<string, Observation>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Observation>();
  for (let at = 0; at < wanted.length; at += idsAtOnce) {
    const records = await askStorage(runtime.hooks, "storage.get", {
      ids: wanted.slice(at, at + idsAtOnce),
    });
    for (const { kind, record } of records)
      if (kind === "observation") found.set(record.id, record);
  }
  return found;
}

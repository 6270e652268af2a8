// GET /api/…: what memory holds.
import { Elysia } from "elysia";
import { MemoirError } from "../../sdk/errors.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { askStorage, type ServerRuntime } from "../life/server-runtime.ts";
import { parseQuery, SearchParams, SessionsParams, TimelineParams } from "./query.ts";
import { type TimelineSource, timeline, timelineAround } from "./timeline.ts";

/** How much of one session a page shows. */
const sessionPage = 500;

/** Search, single records, sessions and timelines; all of it read from the storage plugin. */
export function readRoutes(runtime: ServerRuntime) {
  const source: TimelineSource = {
    observations: (query) => askStorage(runtime, "storage.observations", query),
    prompts: (query) => askStorage(runtime, "storage.prompts", query),
    summaries: (query) => askStorage(runtime, "storage.summaries", query),
    turns: (query) => askStorage(runtime, "storage.turns", query),
  };
  return new Elysia({ prefix: "/api" })
    .get("/search", async ({ request }) => {
      const query = parseQuery(SearchParams, request);
      return { results: await askStorage(runtime, "storage.search", query) };
    })
    .get("/records/:id", ({ params }) => record(runtime, params.id))
    .get("/sessions", async ({ request }) => {
      const query = parseQuery(SessionsParams, request);
      return { sessions: await askStorage(runtime, "storage.sessions", query) };
    })
    .get("/sessions/:id", async ({ params }) => {
      const asked = await askStorage(runtime, "storage.sessions", { session: params.id, limit: 2 });
      const session = asked.find(({ id }) => id === params.id) ?? asked[0];
      if (!session) throw new MemoirError("record_not_found", "There is no such session.");
      const page = { session: session.id, limit: sessionPage, order: "oldest" as const };
      const [prompts, summaries, observations, turns] = await Promise.all([
        source.prompts(page),
        source.summaries(page),
        source.observations(page),
        source.turns(page),
      ]);
      return { session, prompts, summaries, observations, turns };
    })
    .get("/timeline", async ({ request }) => {
      const { around, ...query } = parseQuery(TimelineParams, request);
      if (around === undefined) return { items: await timeline(source, query) };
      const centre = await record(runtime, around);
      const { scope, time } = neighbourhood(centre);
      const items = await timelineAround(source, { ...scope, ...query }, time);
      return { around: centre, items };
    });
}

async function record(runtime: ServerRuntime, id: string): Promise<StoredRecord> {
  const [found] = await askStorage(runtime, "storage.get", { ids: [id] });
  if (!found) throw new MemoirError("record_not_found", "There is no record of that id.");
  return found;
}

/** The project a record belongs to, and its moment in epoch ms. */
function neighbourhood({ kind, record }: StoredRecord): {
  scope: { project?: string };
  time: number;
} {
  if (kind === "session") return { scope: { project: record.project.id }, time: record.startedAt };
  if (kind === "memory") {
    return { scope: { project: record.project }, time: Date.parse(record.date) };
  }
  if (kind === "turn") return { scope: { project: record.project }, time: record.startedAt };
  return { scope: { project: record.project }, time: record.time };
}

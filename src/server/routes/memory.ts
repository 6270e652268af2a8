// GET /api/…: what memory holds.

import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, params, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { type TimelineSource, timeline, timelineAround } from "../memory/timeline.ts";
import {
  ForgetAnswer,
  ForgetBody,
  RecordAnswer,
  SearchAnswer,
  SearchParams,
  SessionAnswer,
  SessionsAnswer,
  SessionsParams,
  TimelineAnswer,
  TimelineParams,
} from "../schemas/memory.ts";
import { IdParams, NoBody } from "../schemas/parts.ts";
import { IndexStateSchema } from "../schemas/search-index.ts";

/** How much of one session a page shows. */
const sessionPage = 500;

/** Search, single records, sessions and timelines; all of it read from the storage plugin. */
export function memoryRoutes(runtime: ServerRuntime) {
  const source: TimelineSource = {
    observations: (asked) => askStorage(runtime.hooks, "storage.observations", asked),
    prompts: (asked) => askStorage(runtime.hooks, "storage.prompts", asked),
    summaries: (asked) => askStorage(runtime.hooks, "storage.summaries", asked),
    turns: (asked) => askStorage(runtime.hooks, "storage.turns", asked),
  };
  return routesBelow("/api")
    .get(
      "/search",
      async ({ query }) => ({
        results: await askStorage(runtime.hooks, "storage.search", { text: "", ...query }),
      }),
      {
        query: query(SearchParams),
        response: answer(SearchAnswer),
        detail: { summary: "Search what is remembered, best first." },
      },
    )
    .post("/reindex", () => askStorage(runtime.hooks, "storage.reindex", {}), {
      body: body(NoBody),
      response: answer(IndexStateSchema),
      detail: { summary: "Begin to make anew what search needs; the status tells how far it is." },
    })
    .post("/forget", ({ body: { ids } }) => askStorage(runtime.hooks, "storage.delete", { ids }), {
      body: body(ForgetBody),
      response: answer(ForgetAnswer),
      detail: { summary: "Forget records for good; a turn takes its prompt with it." },
    })
    .get("/records/:id", ({ params }) => record(runtime, params.id), {
      params: params(IdParams),
      response: answer(RecordAnswer),
      detail: { summary: "One record by its id." },
    })
    .get(
      "/sessions",
      async ({ query }) => ({
        sessions: await askStorage(runtime.hooks, "storage.sessions", query),
      }),
      {
        query: query(SessionsParams),
        response: answer(SessionsAnswer),
        detail: { summary: "Sessions, newest first." },
      },
    )
    .get("/sessions/:id", ({ params }) => wholeSession(runtime, source, params.id), {
      params: params(IdParams),
      response: answer(SessionAnswer),
      detail: { summary: "One session, by its id or the beginning of it, with what is in it." },
    })
    .get(
      "/timeline",
      async ({ query: { around, ...asked } }) => {
        if (around === undefined) return { items: await timeline(source, asked) };
        const centre = await record(runtime, around);
        const { scope, time } = neighbourhood(centre);
        return {
          around: centre,
          items: await timelineAround(source, { ...scope, ...asked }, time),
        };
      },
      {
        query: query(TimelineParams),
        response: answer(TimelineAnswer),
        detail: { summary: "What happened, oldest first." },
      },
    );
}

/** A session by its id or the beginning of it, with what is in it. */
async function wholeSession(runtime: ServerRuntime, source: TimelineSource, given: string) {
  const asked = await askStorage(runtime.hooks, "storage.sessions", { session: given, limit: 2 });
  const session = asked.find(({ id }) => id === given) ?? asked[0];
  if (!session) throw new MemoirError("record_not_found", "There is no such session.");
  const page = { session: session.id, limit: sessionPage, order: "oldest" as const };
  const [prompts, summaries, observations, turns] = await Promise.all([
    source.prompts(page),
    source.summaries(page),
    source.observations(page),
    source.turns(page),
  ]);
  return { session, prompts, summaries, observations, turns };
}

async function record(runtime: ServerRuntime, id: string): Promise<StoredRecord> {
  const [found] = await askStorage(runtime.hooks, "storage.get", { ids: [id] });
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

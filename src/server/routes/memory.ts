// GET /api/…: what memory holds.

import { copiesOf } from "../../home/old-copies.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, params, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { amend, marked } from "../memory/amend.ts";
import type { AskSearch } from "../memory/ask-search.ts";
import { askTimeline, recordOf, timelineSource } from "../memory/ask-timeline.ts";
import { forget, whatGoes } from "../memory/forget.ts";
import { askRelated } from "../memory/related/ask-related.ts";
import type { TimelineSource } from "../memory/timeline.ts";
import {
  AmendAnswer,
  AmendBody,
  ForgetAnswer,
  ForgetBody,
  MarkedAnswer,
  MarkedParams,
  RecordAnswer,
  RelatedAnswer,
  RelatedParams,
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
export function memoryRoutes(runtime: ServerRuntime, search: AskSearch) {
  const source = timelineSource(runtime);
  return routesBelow("/api")
    .get(
      "/search",
      async ({ query }) => ({
        results: await search({ text: "", ...query }),
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
    .post(
      "/forget",
      async ({ body: { dryRun = false, ...asked } }) => {
        const { derived = false, backups = false, ...selection } = asked;
        const found = await whatGoes(runtime, selection);
        const { lines: going, ids } = found;
        if (dryRun) {
          const copies = await copiesOf(runtime.home, found.since);
          return { going, ids, deleted: [], derived: found.derived, copies };
        }
        return { going, ids, ...(await forget(runtime, found, { derived, backups })) };
      },
      {
        body: body(ForgetBody),
        response: answer(ForgetAnswer),
        detail: {
          summary:
            "Forget records for good: by ids, session, project, file, time, and words to choose ids among.",
        },
      },
    )
    .post("/amend", ({ body }) => amend(runtime, body), {
      body: body(AmendBody),
      response: answer(AmendAnswer),
      detail: { summary: "Edit records in the user's words, pin or hide them, or undo it." },
    })
    .get(
      "/marked",
      async ({ query: { mark, ...query } }) => ({ records: await marked(runtime, mark, query) }),
      {
        query: query(MarkedParams),
        response: answer(MarkedAnswer),
        detail: { summary: "What the user pinned, hid or edited." },
      },
    )
    .get("/records/:id", ({ params }) => recordOf(runtime, params.id), {
      params: params(IdParams),
      response: answer(RecordAnswer),
      detail: { summary: "One record by its id." },
    })
    .get(
      "/related/:id",
      async ({ params, query }) => ({ related: await askRelated(runtime, params.id, query) }),
      {
        params: params(IdParams),
        query: query(RelatedParams),
        response: answer(RelatedAnswer),
        detail: { summary: "What else belongs to a record, best first, with the reasons." },
      },
    )
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
    .get("/timeline", ({ query }) => askTimeline(runtime, query), {
      query: query(TimelineParams),
      response: answer(TimelineAnswer),
      detail: { summary: "What happened, oldest first." },
    });
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

// GET /api/…: what memory holds.

import { copiesOf } from "../../home/old-copies.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, params, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { untold } from "../memory/amend.ts";
import type { AskSearch } from "../memory/ask-search.ts";
import { type Asked, askTimeline, recordOf, timelineSource } from "../memory/ask-timeline.ts";
import { forAgents, isAgents } from "../memory/for-agents.ts";
import { forget, whatGoes } from "../memory/forget.ts";
import { askRelated } from "../memory/related/ask-related.ts";
import { sessionTold } from "../memory/session-told.ts";
import { attributed, whoSaid } from "../memory/who-said.ts";
import {
  ForgetAnswer,
  ForgetBody,
  ItemsAnswer,
  ItemsParams,
  RelatedAnswer,
  RelatedParams,
  SearchAnswer,
  SearchParams,
  SessionAnswer,
  SessionParams,
  SessionsAnswer,
  SessionsParams,
  SessionToldAnswer,
  TimelineAnswer,
  TimelineParams,
} from "../schemas/memory.ts";
import { IdParams, NoBody } from "../schemas/parts.ts";
import { RecordAnswer } from "../schemas/records.ts";
import { IndexStateSchema } from "../schemas/search-index.ts";

/** How much of one session a page shows. */
const sessionPage = 500;

/** Search, single records, sessions and timelines; all of it read from the storage plugin. Long because it is their list. */
export function memoryRoutes(runtime: ServerRuntime, search: AskSearch) {
  const forAgent = forAgents(runtime);
  const of = (request: Request) => (isAgents(request) ? forAgent : runtime);
  return routesBelow("/api")
    .get(
      "/search",
      async ({ query, request }) => ({
        results: await search({
          ...{ text: "", ...query },
          ...(isAgents(request) || query.asking !== undefined ? { hidden: false } : {}),
        }),
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
      async ({ body: { dryRun = false, ...asked }, request }) => {
        const { derived = false, backups = false, ...selection } = asked;
        const found = await whatGoes(of(request), selection);
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
    .get(
      "/records/:id",
      async ({ params, request }) => {
        const stored = await recordOf(of(request), params.id);
        const withheld = !stored.record.hidden && (await untold(runtime, [stored])).length > 0;
        return { ...attributed(stored), ...(withheld && { withheld }) };
      },
      {
        params: params(IdParams),
        response: answer(RecordAnswer),
        detail: { summary: "One record by its id, and who it is by." },
      },
    )
    .get(
      "/related/:id",
      async ({ params, query, request }) => ({
        related: await askRelated(of(request), params.id, query),
      }),
      {
        params: params(IdParams),
        query: query(RelatedParams),
        response: answer(RelatedAnswer),
        detail: { summary: "What else belongs to a record, best first, with the reasons." },
      },
    )
    .get(
      "/sessions",
      async ({ query, request }) => ({
        sessions: await askStorage(of(request).hooks, "storage.sessions", query),
      }),
      {
        query: query(SessionsParams),
        response: answer(SessionsAnswer),
        detail: { summary: "Sessions, newest first." },
      },
    )
    .get("/sessions/:id/told", ({ params, request }) => sessionTold(of(request), params.id), {
      params: params(IdParams),
      response: answer(SessionToldAnswer),
      detail: { summary: "What a session was told, and what Endless Mode took out of it." },
    })
    .get(
      "/sessions/:id",
      ({ params, query, request }) => wholeSession(of(request), params.id, query),
      {
        params: params(IdParams),
        query: query(SessionParams),
        response: answer(SessionAnswer),
        detail: { summary: "One session, by its id or the beginning of it, with what is in it." },
      },
    )
    .get(
      "/memory",
      async ({ query, request }) => ({
        items: (await askStorage(of(request).hooks, "storage.memory", query)).map((record) => ({
          ...record,
          by: whoSaid({ kind: "memory", record }) ?? "",
        })),
      }),
      {
        query: query(ItemsParams),
        response: answer(ItemsAnswer),
        detail: { summary: "Decisions, preferences, facts and the like, newest first." },
      },
    )
    .get("/timeline", ({ query, request }) => askTimeline(of(request), query), {
      query: query(TimelineParams),
      response: answer(TimelineAnswer),
      detail: { summary: "What happened, oldest first." },
    });
}

/** A session by its id or the beginning of it, with what is in it; a page at a time, by the times of what is in it. */
async function wholeSession(runtime: Asked, given: string, { since }: { since?: number }) {
  const source = timelineSource(runtime);
  const asked = await askStorage(runtime.hooks, "storage.sessions", { session: given, limit: 2 });
  const session = asked.find(({ id }) => id === given) ?? asked[0];
  if (!session) throw new MemoirError("record_not_found", "There is no such session.");
  const page = {
    session: session.id,
    limit: sessionPage,
    order: "oldest" as const,
    ...(since !== undefined && { since }),
  };
  const [prompts, summaries, observations, turns] = await Promise.all([
    source.prompts(page),
    source.summaries(page),
    source.observations(page),
    source.turns(page),
  ]);
  const cut = [
    ...[lastOf(prompts)?.time, lastOf(summaries)?.time, lastOf(observations)?.time],
    lastOf(turns)?.startedAt,
  ].filter((time) => time !== undefined);
  // What stands at that very moment comes twice, and is told apart by its id.
  const next = cut.length === 0 ? {} : { next: Math.max(Math.min(...cut), (since ?? 0) + 1) };
  return { session, prompts, summaries, observations, turns, ...next };
}

/** The last of a page that is full: there may be more. */
function lastOf<Item>(list: readonly Item[]): Item | undefined {
  return list.length >= sessionPage ? list.at(-1) : undefined;
}

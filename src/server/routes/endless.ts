// GET /api/recall/… and /api/endless/…: what Endless Mode took out of a conversation, its books, and the project that a folder belongs to.
import { MemoirError } from "../../sdk/errors.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, params, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { recallPage } from "../memory/recall-page.ts";
import {
  MetricsAnswer,
  MetricsParams,
  ProjectAnswer,
  ProjectParams,
  RecallAnswer,
  RecallParams,
  RecallValueAnswer,
  RecallValueParams,
} from "../schemas/endless.ts";
import { IdParams } from "../schemas/parts.ts";

/** Recall by the page or as the value it was, metrics, and the project of a folder. */
export function endlessRoutes(runtime: Pick<ServerRuntime, "endless" | "projectOf">) {
  return routesBelow("/api")
    .get(
      "/recall/:id",
      async ({ params, query }) => ({
        recalled: await recallPage(runtime, { ...params, ...query }),
      }),
      {
        params: params(IdParams),
        query: query(RecallParams),
        response: answer(RecallAnswer),
        detail: { summary: "A page of what was left out of a conversation." },
      },
    )
    .get(
      "/recall/:id/value",
      async ({ params, query }) => ({
        kept: await runtime.endless.recallValue({ ...params, ...query }),
      }),
      {
        params: params(IdParams),
        query: query(RecallValueParams),
        response: answer(RecallValueAnswer),
        detail: { summary: "What was left out, as the value it was." },
      },
    )
    .get("/endless/metrics", ({ query }) => runtime.endless.metrics({ since: 0, ...query }), {
      query: query(MetricsParams),
      response: answer(MetricsAnswer),
      detail: { summary: "The books of Endless Mode." },
    })
    .get(
      "/endless/project",
      async ({ query }) => {
        const project = await runtime.projectOf(query.cwd);
        if (project) return { project };
        throw new MemoirError("usage", "No plugin says to which project this folder belongs.", {
          fix: "Enable `capture-project`, or name a session, or ask for all of them.",
        });
      },
      {
        query: query(ProjectParams),
        response: answer(ProjectAnswer),
        detail: { summary: "The project that a folder belongs to." },
      },
    );
}

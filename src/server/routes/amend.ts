// POST /api/amend, GET /api/marked: what the user makes of records.
import { routesBelow } from "../http/edge.ts";
import { answer, body, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { amend, marked } from "../memory/amend.ts";
import { forAgents, isAgents } from "../memory/for-agents.ts";
import { AmendAnswer, AmendBody, MarkedAnswer, MarkedParams } from "../schemas/amend.ts";

/** Edits, pins and hides, and what is marked so. */
export function amendRoutes(runtime: Pick<ServerRuntime, "hooks">) {
  return routesBelow("/api")
    .post("/amend", ({ body }) => amend(runtime, body), {
      body: body(AmendBody),
      response: answer(AmendAnswer),
      detail: { summary: "Edit records in the user's words, pin or hide them, or undo it." },
    })
    .get(
      "/marked",
      async ({ query: { mark, ...query }, request }) => ({
        records: await marked(isAgents(request) ? forAgents(runtime) : runtime, mark, query),
      }),
      {
        query: query(MarkedParams),
        response: answer(MarkedAnswer),
        detail: { summary: "What the user pinned, hid or edited." },
      },
    );
}

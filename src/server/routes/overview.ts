// GET /api/overview: a time as a whole, for drawing it.
import { routesBelow } from "../http/edge.ts";
import { answer, query } from "../http/schema.ts";
import type { Asked } from "../memory/ask-timeline.ts";
import { overview } from "../memory/overview.ts";
import { OverviewAnswer, OverviewParams } from "../schemas/overview.ts";

/** The route. */
export function overviewRoute(runtime: Asked) {
  return routesBelow("/api").get("/overview", ({ query }) => overview(runtime, query), {
    query: query(OverviewParams),
    response: answer(OverviewAnswer),
    detail: {
      summary: "Sessions and observations of a time in few words each, or counts by day.",
    },
  });
}

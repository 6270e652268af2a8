// /api/retention: what memory no longer keeps by the user's rules, and letting it go now.
import { routesBelow } from "../http/edge.ts";
import { answer, body } from "../http/schema.ts";
import type { Retention } from "../memory/retention.ts";
import { PruneAnswer, PruneBody, RetentionAnswer } from "../schemas/retention.ts";

/** A request lasts no longer than so many sessions take. */
const mostSessions = 20;

/** The plan, and some sessions of it at a time. */
export function retentionRoutes(retention: Retention) {
  return routesBelow("/api")
    .get("/retention", () => retention.plan(), {
      response: answer(RetentionAnswer),
      detail: { summary: "What memory would let go by the rules in `retention.memory`." },
    })
    .post(
      "/retention",
      async ({ body: { most = mostSessions } }) => {
        const { sessions } = await retention.plan();
        const going = sessions.slice(0, most);
        let records = 0;
        for (const session of going) records += await retention.letGo(session);
        const left = sessions.length - going.length;
        if (left === 0) await retention.purge();
        return { sessions: going.length, records, left };
      },
      {
        body: body(PruneBody),
        response: answer(PruneAnswer),
        detail: { summary: "Let some of it go, the oldest first." },
      },
    );
}

// What memory no longer keeps by the user's rules, and letting it go now.
import * as v from "valibot";
import { described, get, optional, post } from "../operation.ts";

/** A request lasts no longer than so many sessions take. */
const mostSessions = 20;

/** The plan, and some sessions of it at a time. */
export const retentionOperations = [
  get("/api/retention", {
    summary: "What memory would let go by the rules in `retention.memory`.",
    answer: v.object({
      isBound: described(v.boolean(), "False where memory is kept for ever."),
      sessions: v.array(
        v.object({
          id: v.string(),
          client: v.string(),
          project: v.object({ id: v.string(), name: v.string() }),
          lastActiveAt: v.number(),
          prompts: v.number(),
          rule: described(v.string(), "The config's key by which it goes."),
          stays: described(
            v.number(),
            "Records that stay: pinned, edited, or backed by a session that stays.",
          ),
        }),
      ),
      bytes: described(v.number(), "What memory takes."),
      freed: described(v.number(), "About how much of it would go."),
    }),
    run: (_, { retention }) => retention.plan(),
  }),
  post("/api/retention", {
    summary: "Let some of it go, the oldest first.",
    body: v.optional(
      v.strictObject({
        most: optional(
          v.pipe(
            v.number(),
            v.safeInteger("wants a whole number"),
            v.minValue(1, "wants 1 to 20"),
            v.maxValue(20, "wants 1 to 20"),
          ),
          "Sessions at most. Default 20.",
        ),
      }),
      {},
    ),
    /** What went, and how many sessions are left to go. */
    answer: v.object({
      sessions: v.number(),
      records: v.number(),
      left: v.number(),
    }),
    async run({ body: { most = mostSessions } }, { retention }) {
      const { sessions } = await retention.plan();
      const going = sessions.slice(0, most);
      let records = 0;
      for (const session of going) records += await retention.deleteSession(session);
      const left = sessions.length - going.length;
      if (left === 0) await retention.purge();
      return { sessions: going.length, records, left };
    },
  }),
];

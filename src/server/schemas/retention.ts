// What memory no longer keeps, as it is asked and answered.
import * as v from "valibot";
import type { RetentionPlan } from "../memory/retention.ts";
import { describes } from "./parts.ts";

/** `GET /api/retention`. */
export const RetentionAnswer = describes<RetentionPlan>()(
  v.object({
    isBound: v.pipe(v.boolean(), v.description("False where memory is kept for ever.")),
    sessions: v.array(
      v.object({
        id: v.string(),
        client: v.string(),
        project: v.object({ id: v.string(), name: v.string() }),
        lastActiveAt: v.number(),
        prompts: v.number(),
        rule: v.pipe(v.string(), v.description("The config's key by which it goes.")),
        stays: v.pipe(
          v.number(),
          v.description("Records that stay: pinned, edited, or backed by a session that stays."),
        ),
      }),
    ),
    bytes: v.pipe(v.number(), v.description("What memory takes.")),
    freed: v.pipe(v.number(), v.description("About how much of it would go.")),
  }),
);

/** `POST /api/retention`. */
export const PruneBody = v.optional(
  v.strictObject({
    most: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger("wants a whole number"),
        v.minValue(1, "wants 1 to 20"),
        v.maxValue(20, "wants 1 to 20"),
        v.description("Sessions at most. Default 20."),
      ),
    ),
  }),
  {},
);
/** What went, and how many sessions are left to go. */
export const PruneAnswer = v.object({
  sessions: v.number(),
  records: v.number(),
  left: v.number(),
});

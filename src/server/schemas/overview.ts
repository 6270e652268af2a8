// What `GET /api/overview` may be asked and answers: everything of a time, as far as it can be drawn.
import * as v from "valibot";
import type { Overview } from "../memory/overview.ts";
import { describes, text, time } from "./parts.ts";

/** `since` is included, `until` is not. */
export const OverviewParams = v.strictObject({
  since: time,
  until: time,
  project: v.exactOptional(text),
});

const place = { project: v.string(), projectName: v.string() };

/** Either sessions with their observations, or, where there are too many, how many there were each day. */
export const OverviewAnswer = describes<Overview>()(
  v.object({
    sessions: v.array(
      v.object({
        id: v.string(),
        ...place,
        title: v.string(),
        startedAt: v.number(),
        lastActiveAt: v.number(),
        isOpen: v.boolean(),
        prompts: v.number(),
        observations: v.number(),
      }),
    ),
    observations: v.array(
      v.object({
        id: v.string(),
        session: v.string(),
        type: v.string(),
        title: v.string(),
        time: v.number(),
      }),
    ),
    days: v.array(
      v.object({ key: v.string(), ...place, sessions: v.number(), observations: v.number() }),
    ),
    leftOut: v.picklist(["nothing", "observations", "sessions", "oldest"]),
  }),
);

// What `GET /api/stats` may be asked and answers.
import * as v from "valibot";
import type { MomentCounts } from "../memory/moment-counts.ts";
import type { Return, ReturnReport } from "../memory/return-on-investment.ts";
import { describes, text, time } from "./parts.ts";

/** `since` defaults to 30 days ago. */
export const StatsParams = v.strictObject({
  since: v.exactOptional(time),
  project: v.exactOptional(text),
});

const sums = {
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  discovery: v.number(),
  discoveryKnown: v.number(),
  read: v.number(),
  observer: v.number(),
  injections: v.number(),
  injected: v.number(),
  carried: v.number(),
  used: v.number(),
  saved: v.number(),
  net: v.number(),
};
const moment = v.object({
  kind: v.string(),
  told: v.number(),
  lookedUp: v.number(),
  actedOn: v.number(),
  keptBack: v.number(),
});
const row = v.object({ key: v.string(), ...sums });

/** What memory cost and gave back, in tokens. */
export const StatsAnswer = describes<ReturnReport & { since: number; moments: MomentCounts[] }>()(
  v.object({
    since: v.number(),
    total: describes<Return>()(v.object(sums)),
    byDay: v.array(row),
    byProject: v.array(row),
    moments: v.array(moment),
  }),
);

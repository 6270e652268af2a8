// What `GET /api/now` answers: what goes on, with what waits, what was left out, and what the last session was told.
import * as v from "valibot";
import { clientEventNames } from "../../sdk/hooks.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import type { Now } from "../memory/now.ts";
import { describes } from "./parts.ts";

const time = v.number();

/** The whole answer. */
export const NowAnswer = describes<Now>()(
  v.object({
    sessions: v.array(
      v.object({
        session: v.string(),
        client: v.string(),
        project: ProjectSchema,
        prompts: v.number(),
        startedAt: time,
        lastEventAt: time,
      }),
    ),
    happened: v.array(
      v.object({
        seq: v.number(),
        session: v.string(),
        name: v.picklist(clientEventNames),
        time,
        promptNumber: v.number(),
        outcome: v.nullable(v.picklist(["stored", "skipped", "parked"])),
        reason: v.nullable(v.string()),
        observations: v.array(v.string()),
        about: v.string(),
      }),
    ),
    told: v.array(
      v.object({
        session: v.string(),
        client: v.string(),
        event: v.string(),
        time,
        tokens: v.number(),
        records: v.array(v.string()),
      }),
    ),
    waiting: v.object({
      events: v.number(),
      work: v.number(),
      underWay: v.number(),
      parked: v.number(),
      oldestAt: v.nullable(v.number()),
    }),
    taken: v.number(),
    leftOut: v.record(v.string(), v.number()),
    titles: v.record(v.string(), v.string()),
    records: v.record(
      v.string(),
      v.object({
        id: v.string(),
        kind: v.picklist(["observation", "summary", "prompt", "session", "memory", "turn"]),
        title: v.string(),
      }),
    ),
    spool: v.number(),
  }),
);

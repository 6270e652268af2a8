// What the server may be asked to do, and the answers: drain, retry, reload, stop, and a preview of what a session would be given.
import * as v from "valibot";
import { ProjectSchema } from "../../sdk/model.ts";
import type { WouldBeTold } from "../memory/would-be-told.ts";
import { describes, filled, text } from "./parts.ts";
import { SourceSchema } from "./records.ts";

/** `GET /api/context`: for a session that starts in `cwd` or in the project; with `prompt`, what that prompt would get. */
export const ContextParams = v.strictObject({
  client: v.exactOptional(v.pipe(text, v.description("Default `claude-code`."))),
  cwd: v.exactOptional(v.pipe(filled, v.description("Its folder."))),
  project: v.exactOptional(
    v.pipe(filled, v.description("Its project (name or id), whatever the folder says.")),
  ),
  source: v.exactOptional(v.pipe(text, v.description("Default `startup`."))),
  prompt: v.exactOptional(text),
});
/** The text, empty where there is nothing to tell; whose memory it is of; and the records that it names. */
export const ContextAnswer = describes<WouldBeTold>()(
  v.object({
    context: v.string(),
    project: v.exactOptional(ProjectSchema),
    records: v.array(SourceSchema),
    lines: v.array(
      v.object({
        as: v.picklist(["heading", "frame", "entry"]),
        text: v.string(),
        records: v.array(v.string()),
      }),
    ),
  }),
);

const mostMs = 600_000;
const wait = `wants milliseconds up to ${mostMs}`;
/** `POST /api/drain`. */
export const DrainBody = v.optional(
  v.strictObject({
    session: v.exactOptional(text),
    project: v.exactOptional(text),
    timeoutMs: v.exactOptional(
      v.pipe(
        v.number(),
        v.minValue(0, wait),
        v.maxValue(mostMs, wait),
        v.description("Default 30,000."),
      ),
    ),
  }),
  {},
);
/** Whether everything was worked off in time. */
export const DrainAnswer = v.object({ drained: v.boolean() });

/** `POST /api/retry`: all parked work, or the pieces with these ids. */
export const RetryBody = v.optional(
  v.strictObject({
    ids: v.exactOptional(v.array(v.pipe(v.number(), v.safeInteger("wants whole numbers")))),
  }),
  {},
);
/** How many pieces were put back. */
export const RetryAnswer = v.object({ retried: v.number() });

/** `POST /api/reload`. */
export const ReloadAnswer = v.object({ reloaded: v.boolean() });
/** `POST /api/stop`. */
export const StopAnswer = v.object({ stopping: v.boolean() });

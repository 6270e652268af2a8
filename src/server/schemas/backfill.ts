// What a backfill is asked to read, and what it answers.
import * as v from "valibot";
import type { BackfillProgress, BackfillRequest } from "../../backfill/job.ts";
import type { TranscriptMark } from "../../runtime/journal/recovery-rows.ts";
import { describes } from "./parts.ts";

const file = {
  path: v.pipe(v.string(), v.endsWith(".jsonl", "wants a `.jsonl` file")),
  bytes: v.number(),
  changedAt: v.number(),
};

/** `POST /api/backfill`. */
export const BackfillBody = describes<BackfillRequest>()(
  v.strictObject({
    /** As found on the disk, in the order in which they are read. */
    sessions: v.array(
      v.strictObject({
        session: v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(512, "is too long")),
        folder: v.string(),
        client: v.exactOptional(v.pipe(v.string(), v.nonEmpty("is empty"))),
        cwd: v.exactOptional(v.pipe(v.string(), v.nonEmpty("is empty"))),
        main: v.exactOptional(v.strictObject(file)),
        agents: v.array(
          v.strictObject({
            ...file,
            agentId: v.pipe(v.string(), v.nonEmpty("is empty")),
            meta: v.exactOptional(
              v.strictObject({
                agentType: v.exactOptional(v.string()),
                description: v.exactOptional(v.string()),
                toolUseId: v.exactOptional(v.string()),
              }),
            ),
          }),
        ),
        bytes: v.number(),
        changedAt: v.number(),
      }),
    ),
    modelFree: v.boolean(),
  }),
);

const doneOf = v.object({ done: v.number(), total: v.number() });
const Progress = describes<BackfillProgress>()(
  v.object({
    state: v.picklist(["running", "done", "stopped", "failed"]),
    sessions: doneOf,
    bytes: doneOf,
    events: v.object({
      committed: v.number(),
      recovered: v.number(),
      delivered: v.number(),
      dropped: v.number(),
    }),
    unsettled: v.number(),
    failures: v.array(v.object({ session: v.string(), reason: v.string() })),
    startedAt: v.number(),
    endedAt: v.nullable(v.number()),
  }),
);

/** How the newest one is doing; null where there was none. */
export const ProgressAnswer = v.object({ progress: v.nullable(Progress) });

/** `GET /api/backfill/read`: files that were read already. */
export const MarksAnswer = v.object({
  files: v.array(
    describes<TranscriptMark>()(
      v.object({
        path: v.string(),
        bytes: v.number(),
        changedAt: v.number(),
        offset: v.number(),
        lines: v.number(),
        cwd: v.exactOptional(v.string()),
      }),
    ),
  ),
});

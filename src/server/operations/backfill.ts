// Reading recorded sessions into memory, asked for and watched by the command of that name.
import * as v from "valibot";
import { createPlaces, filesOf } from "../../backfill/feed-session.ts";
import { type Backfills, ProgressSchema } from "../../backfill/job.ts";
import { lookInto } from "../../backfill/plan.ts";
import { backfill } from "../../features/backfill.ts";
import { get, NoBody, ofFeature, optional, post } from "../operation.ts";

const file = {
  path: v.pipe(v.string(), v.endsWith(".jsonl", "wants a `.jsonl` file")),
  bytes: v.number(),
  changedAt: v.number(),
};

/** A session as found on the disk. */
const SessionBody = v.strictObject({
  session: v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(512, "is too long")),
  folder: v.string(),
  client: optional(v.pipe(v.string(), v.nonEmpty("is empty"))),
  cwd: optional(v.pipe(v.string(), v.nonEmpty("is empty"))),
  main: optional(v.strictObject(file)),
  agents: v.array(
    v.strictObject({
      ...file,
      agentId: v.pipe(v.string(), v.nonEmpty("is empty")),
      meta: optional(
        v.strictObject({
          agentType: optional(v.string()),
          description: optional(v.string()),
          toolUseId: optional(v.string()),
        }),
      ),
    }),
  ),
  bytes: v.number(),
  changedAt: v.number(),
});

/** How the newest one is doing; null where there was none. */
const ProgressAnswer = v.object({ progress: v.nullable(ProgressSchema) });
const { progress, read, look, stop } = backfill.operations;
const progressOf = (backfills: Backfills) => ({ progress: backfills.progress() ?? null });

/** Start, progress, stop, and which files were read already. */
export const backfillOperations = ofFeature(backfill, {
  progress: get("/api/backfill", {
    summary: `${progress.does}.`,
    answer: ProgressAnswer,
    run: (_, { backfills }) => progressOf(backfills),
  }),
  read: get("/api/backfill/read", {
    summary: `${read.does}.`,
    answer: v.object({
      files: v.array(
        v.object({
          path: v.string(),
          bytes: v.number(),
          changedAt: v.number(),
          offset: v.number(),
          lines: v.number(),
          cwd: optional(v.string()),
        }),
      ),
    }),
    run: (_, { runtime }) => ({ files: [...runtime.transcripts.marks("backfill").values()] }),
  }),
  look: post("/api/backfill/look", {
    summary: `${look.does}.`,
    body: v.strictObject({ session: SessionBody }),
    answer: v.object({
      /** Null where it has nothing, known or not. */
      found: v.nullable(
        v.object({
          cwd: optional(v.string()),
          /** Of what is new, epoch ms. */
          startedAt: v.number(),
          lastAt: v.number(),
          prompts: v.number(),
          toolUses: v.number(),
          known: v.number(),
          characters: v.number(),
        }),
      ),
    }),
    async run({ body: { session } }, { runtime, serverStatus }) {
      const { isNew, marks } = runtime.transcripts;
      const { refuses } = createPlaces((await serverStatus()).home);
      const found = await lookInto(
        session,
        marks(
          "backfill",
          filesOf(session).map(({ path }) => path),
        ),
        async (event) => !refuses(event.cwd) && (await isNew(event)),
      );
      if (!found || found.prompts + found.toolUses + found.known === 0) return { found: null };
      const { session: _, files: _files, bytes: _bytes, startedAt, ...rest } = found;
      return { found: { ...rest, startedAt: Math.min(startedAt, Date.now()) } };
    },
  }),
  backfill: post("/api/backfill", {
    summary: "Read recorded sessions into memory.",
    body: v.strictObject({
      /** As found on the disk, in the order in which they are read. */
      sessions: v.array(SessionBody),
      modelFree: v.boolean(),
    }),
    answer: ProgressAnswer,
    run({ body }, { backfills }) {
      backfills.start(body);
      return progressOf(backfills);
    },
  }),
  stop: post("/api/backfill/stop", {
    summary: `${stop.does}.`,
    body: NoBody,
    answer: ProgressAnswer,
    async run(_, { backfills }) {
      await backfills.stop();
      return progressOf(backfills);
    },
  }),
});

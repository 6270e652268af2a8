// /api/backfill: reading recorded sessions into memory, asked for and watched by the command of that name.
import { Elysia } from "elysia";
import * as v from "valibot";
import type { Backfills } from "../../backfill/backfills.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { readJson } from "./body.ts";
import { parseWith } from "./query.ts";

const file = {
  path: v.pipe(v.string(), v.endsWith(".jsonl")),
  bytes: v.number(),
  changedAt: v.number(),
};
const StartBody = v.strictObject({
  /** As found on the disk, in the order in which they are read. */
  sessions: v.array(
    v.strictObject({
      session: v.pipe(v.string(), v.nonEmpty(), v.maxLength(512)),
      folder: v.string(),
      main: v.exactOptional(v.strictObject(file)),
      agents: v.array(
        v.strictObject({
          ...file,
          agentId: v.pipe(v.string(), v.nonEmpty()),
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
});

/** Start, progress, stop, and which files were read already. */
export function backfillRoutes(runtime: ServerRuntime, backfills: Backfills) {
  return new Elysia({ prefix: "/api" })
    .get("/backfill", () => ({ progress: backfills.progress() ?? null }))
    .get("/backfill/read", () => ({ files: [...runtime.transcripts.marks("backfill").values()] }))
    .post(
      "/backfill",
      async ({ request }) => {
        const asked = parseWith(StartBody, await readJson(request), "field");
        return { progress: backfills.start(asked) };
      },
      { parse: "none" },
    )
    .post(
      "/backfill/stop",
      async () => {
        await backfills.stop();
        return { progress: backfills.progress() ?? null };
      },
      { parse: "none" },
    );
}

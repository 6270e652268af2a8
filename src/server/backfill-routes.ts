// /api/backfill: reading recorded sessions into memory, asked for and watched by the command of that name.
import { Elysia } from "elysia";
import * as v from "valibot";
import type { Backfills } from "../backfill/backfills.ts";
import { readJson } from "./body.ts";
import { parseWith } from "./query.ts";
import type { ServerRuntime } from "./server-runtime.ts";

const StartBody = v.strictObject({
  /** Transcript files, in order. */
  paths: v.pipe(v.array(v.pipe(v.string(), v.endsWith(".jsonl"))), v.maxLength(1_000_000)),
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

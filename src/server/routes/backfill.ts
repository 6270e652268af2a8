// /api/backfill: reading recorded sessions into memory, asked for and watched by the command of that name.
import type { Backfills } from "../../backfill/backfills.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { BackfillBody, MarksAnswer, ProgressAnswer } from "../schemas/backfill.ts";
import { NoBody } from "../schemas/parts.ts";

/** Start, progress, stop, and which files were read already. */
export function backfillRoutes(runtime: ServerRuntime, backfills: Backfills) {
  const progress = () => ({ progress: backfills.progress() ?? null });
  return routesBelow("/api")
    .get("/backfill", progress, {
      response: answer(ProgressAnswer),
      detail: { summary: "How the newest backfill is doing." },
    })
    .get("/backfill/read", () => ({ files: [...runtime.transcripts.marks("backfill").values()] }), {
      response: answer(MarksAnswer),
      detail: { summary: "Files that were read already." },
    })
    .post("/backfill", ({ body }) => ({ progress: backfills.start(body) }), {
      body: body(BackfillBody),
      response: answer(ProgressAnswer),
      detail: { summary: "Read recorded sessions into memory." },
    })
    .post(
      "/backfill/stop",
      async () => {
        await backfills.stop();
        return progress();
      },
      {
        body: body(NoBody),
        response: answer(ProgressAnswer),
        detail: { summary: "Stop the backfill where it is." },
      },
    );
}

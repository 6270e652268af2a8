// GET /api/endless/…: the books of Endless Mode, and the project that a folder belongs to.
import { Elysia } from "elysia";
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { parseQuery } from "./query.ts";
import { recallRoute } from "./recall.ts";

const name = v.exactOptional(v.pipe(v.string(), v.maxLength(4_096)));
const MetricsParams = v.strictObject({
  since: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number)), "0"),
  project: name,
  session: name,
});
const ProjectParams = v.strictObject({ cwd: v.pipe(v.string(), v.nonEmpty()) });

/** Recall, metrics since a time (epoch ms; default all), and the project of a folder. */
export function endlessRoutes(runtime: Pick<ServerRuntime, "endless" | "projectOf">) {
  return new Elysia()
    .use(recallRoute(runtime))
    .get("/api/endless/metrics", ({ request }) =>
      runtime.endless.metrics(parseQuery(MetricsParams, request)),
    )
    .get("/api/endless/project", async ({ request }) => {
      const { cwd } = parseQuery(ProjectParams, request);
      const project = await runtime.projectOf(cwd);
      if (project) return { project };
      throw new MemoirError("usage", "No plugin says to which project this folder belongs.", {
        fix: "Enable `capture-project`, or name a session with `--session`, or all with `--everywhere`.",
      });
    });
}

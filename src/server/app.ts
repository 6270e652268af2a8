// Every route but the way to it, put together; errors turned into answers.
import { Elysia } from "elysia";
import type { Backfills } from "../backfill/backfills.ts";
import { answerErrors } from "./http/errors.ts";
import { searcher } from "./memory/ask-search.ts";
import { forAgents } from "./memory/for-agents.ts";
import { gitMarks } from "./memory/git-marks.ts";
import { recallText } from "./memory/recall-page.ts";
import type { Retention } from "./memory/retention.ts";
import { amendRoutes } from "./routes/amend.ts";
import { backfillRoutes } from "./routes/backfill.ts";
import { type ControlRoutesOptions, controlRoutes, statusRoutes } from "./routes/control.ts";
import { endlessRoutes } from "./routes/endless.ts";
import { healthRoutes } from "./routes/health.ts";
import { hookRoute } from "./routes/hook.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { modelRoutes } from "./routes/models.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { overviewRoute } from "./routes/overview.ts";
import { type PageRoutesOptions, pageRoutes } from "./routes/page.ts";
import { pluginRoutes } from "./routes/plugins.ts";
import { retentionRoutes } from "./routes/retention.ts";
import { statsRoutes } from "./routes/stats.ts";
import { storeMemoryRoutes } from "./routes/store-memory.ts";
import { createTakeHook, type HookRouteOptions } from "./routes/take-hook.ts";
import { transferRoutes } from "./routes/transfer.ts";

export type AppOptions = HookRouteOptions &
  ControlRoutesOptions &
  PageRoutesOptions & { version: string; backfills: Backfills; retention: Retention };

/** All routes with their schemas; commands take their types from it. */
export type App = ReturnType<typeof createApp>;

/** Every route, without a guard. */
export function createApp(options: AppOptions) {
  const app = describedRoutes(options);
  return app.use(openApiRoute(options.version, () => app.routes));
}

/** All but the one that describes them. */
function describedRoutes(options: AppOptions) {
  const { runtime, now, log } = options;
  const marks = gitMarks(now);
  const search = searcher(runtime, marks);
  const told = forAgents(runtime);
  return new Elysia()
    .onError(answerErrors(log))
    .use(hookRoute(createTakeHook(options)))
    .use(memoryRoutes(runtime, search))
    .use(amendRoutes(runtime))
    .use(transferRoutes(runtime))
    .use(backfillRoutes(runtime, options.backfills))
    .use(statsRoutes(runtime, now))
    .use(overviewRoute(runtime))
    .use(retentionRoutes(options.retention))
    .use(healthRoutes(options))
    .use(pluginRoutes(options))
    .use(modelRoutes(runtime))
    .use(storeMemoryRoutes(runtime, now))
    .use(endlessRoutes(runtime))
    .use(
      mcpRoute({
        ...options,
        ...{ runtime: told, whole: runtime },
        search: searcher(told, marks),
        recall: (asked) => recallText(runtime, asked),
      }),
    )
    .use(statusRoutes(options))
    .use(pageRoutes(options))
    .use(controlRoutes(options));
}

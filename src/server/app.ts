// The server as a function from Request to Response: routes put together, errors turned into answers.
import { Elysia } from "elysia";
import type { Backfills } from "../backfill/backfills.ts";
import { MemoirError } from "../sdk/errors.ts";
import { guardTcp } from "./auth/guard.ts";
import { serverHeader } from "./endpoint.ts";
import { answerErrors, errorResponse } from "./http/errors.ts";
import { searcher } from "./memory/ask-search.ts";
import { gitMarks } from "./memory/git-marks.ts";
import { recallText } from "./memory/recall-page.ts";
import { backfillRoutes } from "./routes/backfill.ts";
import { type ControlRoutesOptions, controlRoutes, statusRoutes } from "./routes/control.ts";
import { endlessRoutes } from "./routes/endless.ts";
import { createTakeHook, type HookRouteOptions, hookClient, hookRoute } from "./routes/hook.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { modelRoutes } from "./routes/models.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { statsRoutes } from "./routes/stats.ts";
import { storeMemoryRoutes } from "./routes/store-memory.ts";

export type AppOptions = HookRouteOptions &
  ControlRoutesOptions & { version: string; backfills: Backfills };
export type ServerOptions = AppOptions & { token: string };

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
  const search = searcher(runtime, gitMarks(now));
  return new Elysia()
    .onError(answerErrors(log))
    .use(hookRoute(createTakeHook(options)))
    .use(memoryRoutes(runtime, search))
    .use(backfillRoutes(runtime, options.backfills))
    .use(statsRoutes(runtime, now))
    .use(modelRoutes(runtime))
    .use(storeMemoryRoutes(runtime, now))
    .use(endlessRoutes(runtime))
    .use(mcpRoute({ ...options, search, recall: (asked) => recallText(runtime, asked) }))
    .use(statusRoutes(options))
    .use(controlRoutes(options));
}

type Fetch = (request: Request) => Promise<Response>;

export interface Server {
  /** The routes themselves. */
  app: App;
  /** Requests taken so far. */
  served(): number;
  /** For the unix socket, whose folder lets nobody else in. */
  fetch: Fetch;
  /** For loopback TCP: token, Host and Origin are checked first. */
  guardedFetch: Fetch;
}

/** Puts the routes together. */
export function createServer(options: ServerOptions): Server {
  const app = createApp(options);
  const sign = (response: Response): Response => {
    response.headers.set(serverHeader, options.version);
    return response;
  };
  const take = createTakeHook(options);
  const asAnswer = answerErrors(options.log);
  /** Every tool use waits for this one request: it does not pass through what other routes need. */
  const answer = (request: Request): Response | Promise<Response> => {
    const client = hookClient(request);
    if (client === undefined) return app.handle(request);
    return take(client, request).catch((error) => asAnswer({ code: undefined, error, request }));
  };
  let served = 0;
  const fetch: Fetch = async (request) => {
    served++;
    return sign(await answer(request));
  };
  return {
    app,
    served: () => served,
    fetch,
    async guardedFetch(request) {
      try {
        guardTcp(request, options.token);
      } catch (error) {
        const code = error instanceof MemoirError ? error.code : "internal";
        options.refusals[code] = (options.refusals[code] ?? 0) + 1;
        return sign(errorResponse(error));
      }
      return fetch(request);
    },
  };
}

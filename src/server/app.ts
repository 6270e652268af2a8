// The server as a function from Request to Response: routes put together, errors turned into answers.
import { Elysia } from "elysia";
import type { Backfills } from "../backfill/backfills.ts";
import type { Log } from "../home/log.ts";
import { MemoirError } from "../sdk/errors.ts";
import { guardTcp } from "./auth/guard.ts";
import { serverHeader } from "./endpoint.ts";
import { backfillRoutes } from "./routes/backfill.ts";
import { type ControlRoutesOptions, controlRoutes } from "./routes/control.ts";
import { endlessRoutes } from "./routes/endless.ts";
import { type HookRouteOptions, hookRoute } from "./routes/hook.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { modelRoutes } from "./routes/models.ts";
import { readRoutes } from "./routes/read.ts";
import { recallText } from "./routes/recall.ts";
import { errorResponse } from "./routes/respond.ts";
import { statsRoutes } from "./routes/stats.ts";
import { toldRoutes } from "./routes/store-memory.ts";

export type ServerOptions = HookRouteOptions &
  ControlRoutesOptions & { token: string; version: string; backfills: Backfills };

type Fetch = (request: Request) => Promise<Response>;

export interface Server {
  /** For the unix socket, whose folder lets nobody else in. */
  fetch: Fetch;
  /** For loopback TCP: token, Host and Origin are checked first. */
  guardedFetch: Fetch;
}

/** Puts the routes together. */
export function createServer(options: ServerOptions): Server {
  const app = new Elysia()
    .onError(({ code, error, request }) => {
      if (code === "NOT_FOUND") {
        return errorResponse(new MemoirError("usage", "The server has no such route."), 404);
      }
      logInternal(options.log, request, error);
      return errorResponse(error);
    })
    .use(hookRoute(options))
    .use(readRoutes(options.runtime))
    .use(backfillRoutes(options.runtime, options.backfills))
    .use(statsRoutes(options.runtime, options.now))
    .use(modelRoutes(options.runtime))
    .use(toldRoutes(options.runtime, options.now))
    .use(endlessRoutes(options.runtime))
    .use(mcpRoute({ ...options, recall: (query) => recallText(options.runtime, query) }))
    .use(controlRoutes(options));
  const sign = (response: Response): Response => {
    response.headers.set(serverHeader, options.version);
    return response;
  };
  const fetch: Fetch = async (request) => sign(await app.handle(request));
  return {
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

function logInternal(log: Log, request: Request, error: unknown): void {
  if (error instanceof MemoirError) return;
  log.error("request failed", { path: new URL(request.url).pathname, error });
}

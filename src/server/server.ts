// The server as a function from Request to Response: hooks are taken at once, everything else goes to the routes.

import type { AnyElysia } from "elysia";
import { MemoirError } from "../sdk/errors.ts";
import { createPageSessions, guardTcp, pageFileOf } from "./auth/guard.ts";
import { serverHeader } from "./endpoint.ts";
import { answerErrors, errorResponse } from "./errors.ts";
import { createHookRoute } from "./hook-route.ts";
import type { Changes } from "./life/changes.ts";
import type { Deps } from "./operation.ts";

export type ServerOptions = Omit<Deps, "page"> & { token: string; changes: Changes };

type Fetch = (request: Request) => Promise<Response>;

export interface Server {
  /** Requests taken so far. */
  served(): number;
  /** For the unix socket, whose folder lets nobody else in. */
  fetch: Fetch;
  /** For loopback TCP: token, Host and Origin are checked first. */
  guardedFetch: Fetch;
}

/** Loads nothing but what a hook needs: the routes, and the library under them, come with the first other request. */
export function createServer(options: ServerOptions): Server {
  let loading: Promise<AnyElysia> | undefined;
  const page = createPageSessions(options.now);
  const routes = () => {
    loading ??= import("./app.ts").then(({ createApp }) => createApp({ ...options, page }));
    return loading;
  };
  const sign = (response: Response): Response => {
    response.headers.set(serverHeader, options.version);
    return response;
  };
  const take = createHookRoute(options);
  const asAnswer = answerErrors(options.log);
  /** Every tool use waits for this one request: it does not pass through what other routes need. */
  const answer = async (request: Request): Promise<Response> => {
    const client = hookClient(request);
    if (client === undefined) {
      if (asksChanges(request)) return options.changes.read(request.headers.get("last-event-id"));
      const file = isRoute.test(request.url) ? undefined : await pageFor(request);
      return file ?? (await routes()).handle(request);
    }
    return take(client, request).catch((error) => asAnswer({ code: undefined, error, request }));
  };
  let served = 0;
  const fetch: Fetch = async (request) => {
    served++;
    return sign(await answer(request));
  };
  return {
    served: () => served,
    fetch,
    async guardedFetch(request) {
      try {
        guardTcp(request, options.token, page);
      } catch (error) {
        const code = error instanceof MemoirError ? error.code : "internal";
        options.refusals[code] = (options.refusals[code] ?? 0) + 1;
        return forBrowsers(sign(errorResponse(error)));
      }
      return forBrowsers(await fetch(request));
    },
  };
}

const hookUrl = /^http:\/\/[^/?#]+\/hook\/([^/?#]+)\/?(?:\?|$)/;

/** The client that `POST /hook/:client` names; any other request is undefined. */
function hookClient({ method, url }: Request): string | undefined {
  const [, name] = (method === "POST" && hookUrl.exec(url)) || [];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What is certainly none of the page's files. */
const isRoute = /^http:\/\/[^/?#]+\/(?:api\/|mcp$)/;

/** `GET /api/changes`, whose answer is a stream and has no schema. */
function asksChanges({ method, url }: Request): boolean {
  return method === "GET" && /^http:\/\/[^/?#]+\/api\/changes$/.test(url);
}

/** One of the page's files; loaded with the first of them. */
async function pageFor(request: Request): Promise<Response | undefined> {
  const path = pageFileOf(request);
  return path === undefined ? undefined : (await import("./page-files.ts")).pageFile(path);
}

/** What a browser must not do with an answer, whatever it holds. */
function forBrowsers(response: Response): Response {
  const { headers } = response;
  headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}

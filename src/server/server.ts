// The server as a function from Request to Response: hooks are taken at once, who looks on is told what changes, everything else goes
// to the routes.

import { clearTimeout, setTimeout } from "node:timers";
import type { AnyElysia } from "elysia";
import { type ChangeKind, changeKinds, type NoteChange } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import { createPageSessions, guardTcp, keptByBrowsers, pageFileOf } from "./auth/guard.ts";
import { serverHeader } from "./endpoint.ts";
import { createHookRoute } from "./hook-route.ts";
import { answerErrors, type Deps, errorResponse } from "./operation.ts";

type ServerOptions = Omit<Deps, "page"> & { token: string; changes: Changes };

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
  const page = createPageSessions(options.now, options.token);
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

/** What a browser must not do with an answer, whatever it holds. The page's own files, which hold no data, it may keep. */
function forBrowsers(response: Response): Response {
  const { headers } = response;
  if (headers.get("cache-control") !== keptByBrowsers) headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}

// What changes, for whoever looks on, as server-sent events. It says that something changed, and nothing of what memory holds.

/** What one message says: everything since the one before. */
export interface Changed {
  what: ChangeKind[];
  /** Sessions that it is of, as far as that is known. */
  sessions: string[];
  /** More than is known: whoever reads this asks for all of it anew. */
  all?: true;
}

/** Changes of one server's life, and those who read along. */
export interface Changes {
  /** Notes a change; without readers that is all. */
  tell: NoteChange;
  /** A stream of what follows, and of what came after `lastId` where that is still known. */
  read(lastId: string | null): Response;
  /** Ends all streams; those that come later are refused. */
  stop(): void;
}

interface ChangesOptions {
  /** Changes that are remembered for those who were away. */
  remembered?: number;
  /** What happens in so many ms is one message. */
  gatherMs?: number;
  /** After so many ms a stream ends and its reader comes again: whose session is over gets no other. */
  streamMs?: number;
}

/** Tabs that are looked at, and some more. */
const mostReaders = 32;
/** Beyond these a message names none. */
const mostSessions = 50;

interface Reader {
  /** Tells what it has not heard yet, if it takes it. */
  send(): void;
  end(): void;
}

/** `startedAt` tells this server's ids from those of the server before. Long because its short calls share what is remembered. */
export function createChanges(startedAt: number, options: ChangesOptions = {}): Changes {
  const { remembered = 500, gatherMs = 200, streamMs = 10 * 60_000 } = options;
  const encoder = new TextEncoder();
  const readers = new Set<Reader>();
  /** The newest of them has the number `count`. */
  let last: Array<{ what: ChangeKind; session: string | undefined }> = [];
  let count = 0;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function message(after: number): Uint8Array {
    const changed = gathered(last.slice(Math.max(0, last.length - (count - after))));
    const isMore = count - after > last.length;
    const data: Changed = { ...changed, ...(isMore && { all: true }) };
    return encoder.encode(`id: ${startedAt}-${count}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** The number behind an id of ours; of another server's nothing is known, so that all may have changed. */
  function numberOf(id: string | null): number {
    const [, server, number] = /^(\d{1,16})-(\d{1,15})$/.exec(id ?? "") ?? [];
    if (id === null) return count;
    return Number(server) === startedAt && Number(number) <= count ? Number(number) : -1;
  }

  function stream(lastId: string | null): ReadableStream<Uint8Array> {
    let heard = numberOf(lastId);
    let reader: Reader;
    let ending: ReturnType<typeof setTimeout>;
    const leave = () => {
      readers.delete(reader);
      clearTimeout(ending);
    };
    return new ReadableStream<Uint8Array>({
      start(controller) {
        reader = {
          send() {
            // Whoever does not read is sent nothing: what waits for them is a number.
            if (heard === count || (controller.desiredSize ?? 0) <= 0) return;
            controller.enqueue(message(heard));
            heard = count;
          },
          end() {
            leave();
            controller.close();
          },
        };
        readers.add(reader);
        ending = setTimeout(() => reader.end(), streamMs);
        ending.unref();
        // Says from where to go on, also to those who have missed nothing.
        controller.enqueue(message(heard));
        heard = count;
      },
      pull: () => gather(),
      cancel: leave,
    });
  }

  function gather(): void {
    if (gathering !== undefined || readers.size === 0) return;
    gathering = setTimeout(() => {
      gathering = undefined;
      for (const reader of readers) reader.send();
    }, gatherMs);
    gathering.unref();
  }

  return {
    tell(what, session) {
      last.push({ what, session });
      if (last.length >= 2 * remembered) last = last.slice(-remembered);
      count++;
      gather();
    },
    read(lastId) {
      if (isStopped) return refused("The server is stopping.", "Ask again in a moment.");
      if (readers.size >= mostReaders)
        return refused("Too many pages are open already.", "Close some of the page's tabs.");
      return new Response(stream(lastId), { headers: { "content-type": "text/event-stream" } });
    },
    stop() {
      isStopped = true;
      clearTimeout(gathering);
      for (const reader of readers) reader.end();
    },
  };
}

function refused(message: string, fix: string): Response {
  return errorResponse(new MemoirError("server_unreachable", message, { fix }), 503);
}

function gathered(changes: ReadonlyArray<{ what: ChangeKind; session: string | undefined }>) {
  const kinds = new Set(changes.map(({ what }) => what));
  const sessions = new Set(changes.flatMap(({ session }) => session ?? []));
  const isMany = sessions.size > mostSessions;
  return {
    what: changeKinds.filter((kind) => kinds.has(kind)),
    sessions: isMany ? [] : [...sessions],
    ...(isMany && { all: true as const }),
  };
}

// The way to the server for every command but `hook`: over the unix socket, else loopback TCP; starting it when it is away.
import { resolve } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { assertWritable } from "../../home/not-a-file.ts";
import { memoirHome, memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { readToken } from "../../server/auth/token.ts";
import { serverHeader, socketOf } from "../../server/endpoint.ts";
import { readServerInfo } from "../../server/life/server-info.ts";
import { startingStep, startServer } from "../../server/life/start-server.ts";

/** How a route is reached, whatever it is asked. */
export interface ReachOptions {
  /** Start the server when it is away; default true. */
  start?: boolean;
  /** Default 30,000; 0 waits as long as it takes. */
  timeoutMs?: number;
  /** Default: the home in force. */
  paths?: Paths;
}

/** One request. */
interface WireRequest extends ReachOptions {
  method?: "GET" | "POST";
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

const defaultTimeoutMs = 30_000;
/** How long a started server may take to answer. */
const startTimeoutMs = 10_000;
/** How long one that is seen to come up may: a large memory is opened, or brought into a new form. */
const longestStartMs = 30 * 60_000;
/** Most servers answer sooner. */
const sayAfterMs = 3_000;
const retryMs = 25;
/** Someone who asks for a start does not wait as long as a hook for another's start to work out. */
const claimMs = 3_000;

/** The home in force and everything below it. Throws `usage` where the environment names none. */
export function currentPaths(): Paths {
  const { env } = process;
  if (!env.MEMOIR_HOME && userHome(env) === "") {
    throw new MemoirError("usage", "Neither MEMOIR_HOME nor HOME is set.", {
      fix: "Set HOME to your home folder, or MEMOIR_HOME to where memoir shall live.",
    });
  }
  return memoirPaths(resolve(memoirHome(env)));
}

/** The answer of a route (`/api/search?text=a`), whatever its status. Throws `server_unreachable` or `server_silent`. */
export async function reachServer(route: string, request: WireRequest = {}): Promise<Response> {
  return reach(request.paths ?? currentPaths(), route, request);
}

/** True when a server answers for this home. Starts nothing. */
async function isServerUp(paths: Paths, timeoutMs = 2_000): Promise<boolean> {
  try {
    await reach(paths, "/api/status", { start: false, timeoutMs });
    return true;
  } catch (error) {
    const code = error instanceof MemoirError ? error.code : undefined;
    return code !== "server_unreachable" && code !== "server_silent";
  }
}

/**
 * Starts the server unless someone just did, and waits until it answers: as long as it is seen to come up, which it says on
 * stderr. Throws `server_unreachable`, `file_unusable`.
 */
export async function startAndWait(
  paths: Paths,
  timeoutMs: number = startTimeoutMs,
): Promise<void> {
  const began = Date.now();
  let isSaid = false;
  for (;;) {
    if (await isServerUp(paths)) return;
    const waitedMs = Date.now() - began;
    // Nobody looks at the lock while a server is about to take it.
    const step = waitedMs > sayAfterMs ? await startingStep(paths) : undefined;
    // A server that has only just begun says in a moment what it does.
    const mayBeSaid = step !== undefined && (step !== "starting" || waitedMs > 2 * sayAfterMs);
    if (mayBeSaid && !isSaid) process.stderr.write(`memoir is ${step}; waiting for it …\n`);
    isSaid ||= mayBeSaid;
    if (waitedMs > (step === undefined ? timeoutMs : longestStartMs)) break;
    if (step === undefined) {
      await assertWritable(paths.journal);
      await startServer(paths, process.env, claimMs);
    }
    await pause(step === undefined ? retryMs : 4 * retryMs);
  }
  throw new MemoirError("server_unreachable", "The server was started and does not answer.", {
    fix: `See ${paths.log}, or run \`memoir serve\` to watch it start.`,
  });
}

async function reach(paths: Paths, route: string, options: WireRequest): Promise<Response> {
  try {
    return await fetchOurs(paths, route, options);
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") {
      throw new MemoirError("server_silent", "The server is there and did not answer in time.", {
        cause: error,
      });
    }
    if (options.start === false) {
      throw new MemoirError("server_unreachable", "The memoir server is not running.", {
        cause: error,
      });
    }
  }
  await startAndWait(paths);
  return fetchOurs(paths, route, options);
}

async function fetchOurs(paths: Paths, route: string, options: WireRequest): Promise<Response> {
  const response = await fetchServer(paths, route, options);
  if (!response.headers.has(serverHeader)) throw new Error("another program answers");
  return response;
}

async function fetchServer(paths: Paths, route: string, options: WireRequest): Promise<Response> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const init: RequestInit = {
    ...(timeoutMs > 0 ? { signal: AbortSignal.timeout(timeoutMs) } : {}),
    method: options.method ?? "GET",
    redirect: "error",
    ...(options.headers ? { headers: options.headers } : {}),
    ...(options.body === undefined ? {} : { body: options.body }),
  };
  const socket = socketOf(paths, process.platform);
  if (socket) {
    const host = await loadHost();
    return host.fetchUnix(socket, `http://localhost${route}`, init);
  }
  const info = await readServerInfo(paths.serverInfo);
  if (!info) throw new Error("no server.json");
  const token = (await readToken(paths.token)) ?? "";
  // Else HTTP_PROXY would take the token out of this machine.
  process.env.NO_PROXY = "*";
  const headers = { ...options.headers, authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${info.port}${route}`, { ...init, headers });
}

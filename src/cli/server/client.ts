// The way to the server for every command but `hook`: a route's types are known from its schemas when compiling; the request
// goes over the unix socket, else loopback TCP; a server that is away is started.

import { resolve } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { assertWritable } from "../../home/make-home.ts";
import { memoirHome, memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { type ErrorCode, errorFixes, MemoirError } from "../../sdk/errors.ts";
import {
  doorHeader,
  folderHeader,
  serverHeader,
  sessionHeader,
  socketOf,
  usageFix,
} from "../../server/endpoint.ts";
import { readServerInfo, readToken } from "../../server/life/server-info.ts";
import { startingStep, startServer } from "../../server/life/start-server.ts";
import type { AnswerOf, AskedOf, RoutesOf } from "../../server/route-types.ts";

/** How a route is reached, whatever it is asked. */
interface ReachOptions {
  /** Start the server when it is away; default true. */
  start?: boolean;
  /** Default 30,000; 0 waits as long as it takes. */
  timeoutMs?: number;
  /** Default: the home in force. */
  paths?: Paths;
}

/** Asks one of some routes. The last argument may be left out where nothing has to be said. */
type Ask<Routes> = <const Path extends keyof Routes & string>(
  path: Path,
  ...asked: Partial<AskedOf<Routes[Path]>> extends AskedOf<Routes[Path]>
    ? [asked?: AskedOf<Routes[Path]> & ReachOptions]
    : [asked: AskedOf<Routes[Path]> & ReachOptions]
) => Promise<AnswerOf<Routes[Path]>>;

/**
 * `server.get("/api/records/:id", { params: { id } })`. Rejects with the server's own error as a MemoirError, with
 * `server_unreachable` or with `server_silent`.
 */
export const server: {
  readonly get: Ask<RoutesOf<"get">>;
  readonly post: Ask<RoutesOf<"post">>;
} = {
  get: (path, ...[asked]) => call("GET", path, asked),
  post: (path, ...[asked]) => call("POST", path, asked),
};

/** The answer of a server that runs, undefined where none does. Ask with `start: false`. */
export async function ifRunning<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "server_unreachable") return undefined;
    throw error;
  }
}

interface Asked extends ReachOptions {
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Asks an operation of a plugin in the name of a command. Rejects as `server.post`. */
export function askPlugin(
  plugin: string,
  operation: string,
  body: unknown,
  { cwd, deadlineMs }: { cwd: string; deadlineMs: number },
): Promise<unknown> {
  const params = { plugin, operation };
  const headers = { [doorHeader]: "command", [folderHeader]: encodeURIComponent(cwd) };
  const timeoutMs = deadlineMs + marginMs;
  return call("POST", "/plugins/:plugin/:operation", { params, body, headers, timeoutMs });
}

/** The server says itself when a plugin is late. */
const marginMs = 10_000;

async function call<Answer>(
  method: "GET" | "POST",
  path: string,
  { params = {}, query = {}, body, headers, ...how }: Asked = {},
): Promise<Answer> {
  const response = await reachServer(pathWith(path, params) + queryWith(query), {
    ...how,
    method,
    // In an agent's shell: nothing that the user hid is shown to it.
    headers: { ...sessionHeaders(process.env), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw serverError(response.status, text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoirError("server_unreachable", "What answers is no memoir server.", { cause });
  }
}

function pathWith(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? "";
    // Even percent-encoded a URL takes them as steps.
    if (value === "." || value === "..") throw new MemoirError("usage", `"${value}" is no id.`);
    return encodeURIComponent(value);
  });
}

/** Undefined is left out, a list is joined by commas. */
function queryWith(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}

const ErrorBody = v.object({
  error: v.object({ code: v.string(), message: v.string(), fix: v.string() }),
});

function serverError(status: number, text: string): MemoirError {
  try {
    const { error } = v.parse(ErrorBody, JSON.parse(text));
    const code = Object.hasOwn(errorFixes, error.code) ? (error.code as ErrorCode) : "internal";
    // A command has its own place to look things up.
    return new MemoirError(code, error.message, error.fix === usageFix ? {} : { fix: error.fix });
  } catch {
    return new MemoirError("server_unreachable", `The server answered with status ${status}.`);
  }
}

/** Variables in which clients name a session's id to what they start, the surest first: memoir's own extensions set the first. */
const sessionVariables = ["MEMOIR_SESSION", "CLAUDE_CODE_SESSION_ID", "PI_SESSION_ID"] as const;

/** The session in which this runs; undefined where no agent asks, or its id is none that a header can hold. */
export function askingSession(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const session = sessionVariables.map((name) => env[name]).find(Boolean) ?? "";
  return /^[\w.-]{1,200}$/.test(session) ? session : undefined;
}

/** The header that says so. */
export function sessionHeaders(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const session = askingSession(env);
  return session === undefined ? {} : { [sessionHeader]: session };
}

// One request, whatever it asks.

interface WireRequest extends ReachOptions {
  method?: "GET" | "POST";
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

const defaultTimeoutMs = 30_000;

/** The home in force and everything below it. Throws `usage` where the environment names none. */
export function currentPaths(): Paths {
  const { env } = process;
  if (!env.MEMOIR_HOME && userHome(env) === "") {
    throw new MemoirError("usage", "Neither MEMOIR_HOME nor HOME is set.", {
      fix: "Set HOME to your home folder, or MEMOIR_HOME to the folder that memoir should use.",
    });
  }
  return memoirPaths(resolve(memoirHome(env)));
}

/** The answer of a route (`/api/search?text=a`), whatever its status. Throws `server_unreachable` or `server_silent`. */
export async function reachServer(
  route: string,
  { paths = currentPaths(), start = true, ...request }: WireRequest = {},
): Promise<Response> {
  try {
    return await fetchServer(paths, route, request);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "TimeoutError")
      throw new MemoirError("server_silent", "The server is there and did not answer in time.", {
        cause,
      });
    if (!start)
      throw new MemoirError("server_unreachable", "The memoir server is not running.", { cause });
  }
  await startAndWait(paths);
  return fetchServer(paths, route, request);
}

async function fetchServer(
  paths: Paths,
  route: string,
  { timeoutMs = defaultTimeoutMs, method = "GET", headers = {}, body }: WireRequest,
): Promise<Response> {
  const init: RequestInit = {
    ...(timeoutMs > 0 ? { signal: AbortSignal.timeout(timeoutMs) } : {}),
    ...(body === undefined ? {} : { body }),
    method,
    redirect: "error",
    headers,
  };
  const socket = socketOf(paths, process.platform);
  const response = socket
    ? await (await loadHost()).fetchUnix(socket, `http://localhost${route}`, init)
    : await fetchTcp(paths, route, init);
  if (!response.headers.has(serverHeader)) throw new Error("another program answers");
  return response;
}

async function fetchTcp(paths: Paths, route: string, init: RequestInit): Promise<Response> {
  const info = await readServerInfo(paths.serverInfo);
  if (!info) throw new Error("no server.json");
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${(await readToken(paths.token)) ?? ""}`);
  // Else HTTP_PROXY would take the token out of this machine.
  process.env.NO_PROXY = "*";
  return fetch(`http://127.0.0.1:${info.port}${route}`, { ...init, headers });
}

// Starting it.

/** How long a started server may take to answer. */
const startTimeoutMs = 10_000;
/** How long one that is seen to come up may: a large memory is opened, or brought into a new form. */
const longestStartMs = 30 * 60_000;
/** Most servers answer sooner. */
const sayAfterMs = 3_000;
const retryMs = 25;
/** Someone who asks for a start does not wait as long as a hook for another's start to work out. */
const claimMs = 3_000;

/**
 * Starts the server unless someone just did, and waits until it answers: as long as it is seen to come up, which it says on
 * stderr. Throws `server_unreachable`, `file_unusable`.
 */
export async function startAndWait(paths: Paths): Promise<void> {
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
    if (waitedMs > (step === undefined ? startTimeoutMs : longestStartMs)) break;
    if (step === undefined) {
      await assertWritable(paths.journal);
      await startServer(paths, process.env, claimMs);
    }
    await pause(step === undefined ? retryMs : 4 * retryMs);
  }
  throw new MemoirError("server_unreachable", "The server started but isn't responding yet.", {
    fix: `See ${paths.log}, or run \`memoir serve\` to watch it start.`,
  });
}

/** True when a server answers for this home, whatever it answers. */
async function isServerUp(paths: Paths): Promise<boolean> {
  return fetchServer(paths, "/api/status", { timeoutMs: 2_000 }).then(
    () => true,
    () => false,
  );
}

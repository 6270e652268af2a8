// The server's routes as functions: what a route takes and answers is known from its schemas when compiling.
import process from "node:process";
import * as v from "valibot";
import { type ErrorCode, errorFixes, MemoirError } from "../../sdk/errors.ts";
import { usageFix } from "../../server/endpoint.ts";
import type { AnswerOf, AskedOf, RoutesOf } from "../../server/route-types.ts";
import { sessionHeaders } from "./agent-session.ts";
import { type ReachOptions, reachServer } from "./reach.ts";

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
}

async function call<Answer>(
  method: "GET" | "POST",
  path: string,
  { params = {}, query = {}, body, ...how }: Asked = {},
): Promise<Answer> {
  const response = await reachServer(pathWith(path, params) + queryWith(query), {
    ...how,
    method,
    // In an agent's shell: it is told nothing that the user hid.
    headers: sessionHeaders(process.env),
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
    const code: ErrorCode = isErrorCode(error.code) ? error.code : "internal";
    // A command has its own place to look things up.
    return new MemoirError(code, error.message, error.fix === usageFix ? {} : { fix: error.fix });
  } catch {
    return new MemoirError("server_unreachable", `The server answered with status ${status}.`);
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorFixes, code);
}

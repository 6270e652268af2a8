// What plugins bring to the server: their operations, routes and panels below `/plugins/<name>/`.
import { readInput } from "../runtime/hooks/read-input.ts";
import type { AskedAtDoor } from "../runtime/own-operation.ts";
import type { Contribution } from "../runtime/status-schema.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { Door, OperationCaller } from "../sdk/operation.ts";
import { doorHeader, folderHeader, panelPath, sessionHeader } from "./endpoint.ts";
import { readBody, readJson } from "./hook-route.ts";
import type { ServerRuntime } from "./life/server-runtime.ts";
import type { FeaturePart } from "./operation.ts";

type Brought = Pick<ServerRuntime, "parts" | "isOff">;

/** An operation that plugins in force bring, for a door; its name is the plugin's and its own. */
export function operationsFor({ parts }: Brought, door: Door): Contribution[] {
  return parts
    .list()
    .filter((one) => one.kind === "operations" && one.for?.includes(door) && !one.refused);
}

/** Calls an operation of a plugin through a door. Throws `usage` for an input that does not fit what it takes. */
export async function askOperation(
  runtime: Brought,
  [plugin, name]: readonly [plugin: string, name: string],
  given: unknown,
  caller: OperationCaller,
  now: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const { parts } = runtime;
  const found = parts
    .list()
    .find((one) => one.plugin === plugin && one.part === `operations.${name}`);
  if (!found || found.refused)
    throw notThere(
      runtime,
      plugin,
      found?.refused ?? `No plugin ${plugin} that runs has an operation ${name}.`,
    );
  if (!found.for?.includes(caller.door))
    throw new MemoirError(
      "plugin_not_found",
      `The operation ${name} of ${plugin} is not open as a ${caller.door}: its \`for\` names ${found.for?.join(", ")}.`,
      { fix: `Its author adds "${caller.door}" to \`for\`.` },
    );
  const input = readInput(found.takes ?? {}, given, now);
  return parts.call(plugin, found.part, { input, caller }, signal);
}

/** Has one of memoir's own operations do the work of its route or tool, as long as its plugin is on. */
export function askOwn<Answer>(
  runtime: Brought,
  { plugin, name }: FeaturePart,
  work: () => Answer,
): Promise<Awaited<Answer>> {
  if (runtime.isOff(plugin)) throw notThere(runtime, plugin, "");
  const asked: AskedAtDoor = { work };
  return runtime.parts.call(plugin, `operations.${name}`, asked) as Promise<Awaited<Answer>>;
}

function notThere({ isOff }: Brought, plugin: string, otherwise: string): MemoirError {
  if (isOff(plugin))
    return new MemoirError("plugin_not_found", `The plugin ${plugin} is switched off.`, {
      fix: `\`memoir plugin enable ${plugin}\` switches it on.`,
    });
  return new MemoirError("plugin_not_found", otherwise, {
    fix: "`memoir plugin list` shows what runs and what it brings.",
  });
}

/** Answers a request below `/plugins/`. */
export async function answerPlugins(
  request: Request,
  runtime: Brought,
  now: () => number,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, owner, panel] = panelPath.exec(pathname) ?? [];
  if (owner && panel && request.method === "GET")
    return panelDocument(runtime, [owner, panel], request.signal);
  const [, plugin = "", rest = ""] = /^\/plugins\/([a-z0-9-]+)\/?(.*)$/s.exec(pathname) ?? [];
  const brought = runtime.parts.list().filter((one) => one.plugin === plugin);
  const door = request.headers.get(doorHeader) === "command" ? "command" : "route";
  const operation = brought.find((one) => one.name === rest && one.for?.includes(door));
  if (operation) {
    const isRead = request.method === "GET";
    if (!isRead && request.method !== "POST")
      throw new MemoirError("usage", `${operation.plugin}/${rest} is asked with GET or POST.`);
    if (isRead && operation.changes)
      throw new MemoirError("usage", `${operation.plugin}/${rest} changes something: POST it.`);
    const given = isRead ? Object.fromEntries(searchParams) : await readJson(request, mostBody);
    const answer = await askOperation(
      runtime,
      [plugin, rest],
      given ?? {},
      { door, ...callerOf(request) },
      now(),
      request.signal,
    );
    return Response.json(answer ?? null, { headers: harmless });
  }
  const routes = brought.find(({ kind }) => kind === "routes");
  if (!routes)
    throw notThere(runtime, plugin, `No plugin that runs answers ${pathname.slice(0, 200)}.`);
  const response = await runtime.parts.call(
    plugin,
    "routes",
    { request: await withoutSecrets(request) },
    request.signal,
  );
  if (!(response instanceof Response)) {
    const at = routes.place === undefined ? "" : ` (${routes.place})`;
    throw new MemoirError(
      "plugin_failed",
      `The routes of ${plugin} did not answer with a Response${at}.`,
    );
  }
  const headers = new Headers(response.headers);
  for (const name of ["set-cookie", "clear-site-data", "service-worker-allowed"])
    headers.delete(name);
  for (const [name, value] of Object.entries(harmless)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

/** More than this no plugin is sent. */
const mostBody = 8 * 1024 * 1024;

/** The request as a plugin may see it: without what lets its holder in. */
async function withoutSecrets(request: Request): Promise<Request> {
  const { method, url } = request;
  const headers = new Headers(request.headers);
  for (const name of ["authorization", "cookie", "memoir-page-key"]) headers.delete(name);
  const body = await readBody(request, mostBody);
  return new Request(url, { method, headers, ...(body.size > 0 && { body }) });
}

/** Who asks, as far as the request says. */
export function callerOf(request: Request | undefined): Omit<OperationCaller, "door"> {
  const session = request?.headers.get(sessionHeader);
  const cwd = request?.headers.get(folderHeader);
  return { ...(session && { session }), ...(cwd && { cwd: decoded(cwd) }) };
}

/** Headers hold no more than Latin letters. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// A plugin's panel as a document: in an origin of its own, with nothing that it could load, send to or read beside what the page passes on.

/** What a browser may make of a plugin's answer: nothing that runs as memoir's page. */
const harmless = { "content-security-policy": "sandbox; default-src 'none'" };

/** Sandboxed here and not by the frame alone: so it is also where somebody opens its address by itself. */
const policy = [
  ...["sandbox allow-scripts", "default-src 'none'", "script-src 'unsafe-inline'"],
  ...["style-src 'unsafe-inline'", "img-src data:", "form-action 'none'", "base-uri 'none'"],
  "frame-ancestors 'self'",
].join("; ");

/** `memoir.ask(operation, input)` in the panel: the page asks in its name, and passes the answer on. */
const bridge = `<script>{
const waiting = new Map();
let last = 0;
addEventListener("message", ({ source, data }) => {
  const one = source === parent && waiting.get(data?.id);
  if (!one) return;
  waiting.delete(data.id);
  if ("error" in data) one.reject(new Error(data.error));
  else one.resolve(data.answer);
});
globalThis.memoir = Object.freeze({
  ask: (operation, input = {}) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    parent.postMessage({ memoir: "ask", id: last, operation, input }, "*");
  }),
});
}</script>`;

const style =
  "<style>:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:0}</style>";

/** The document. Rejects as the panel's part does. */
async function panelDocument(
  { parts }: Pick<ServerRuntime, "parts">,
  [plugin, panel]: readonly [plugin: string, panel: string],
  signal: AbortSignal,
): Promise<Response> {
  const html = await parts.call(plugin, `panels.${panel}`, {}, signal);
  const text = `<!doctype html><meta charset="utf-8">${style}${bridge}${String(html)}`;
  return new Response(text, {
    headers: {
      ...harmless,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    },
  });
}

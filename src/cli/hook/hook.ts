// `memoir hook <client> [--home <folder>]`: importing it runs it: hands one event from stdin to the server and prints its answer, one JSON object or nothing.
//
// Its imports are its cost, and what has to be compiled when it runs. The binary holds bytecode for a module's own level and
// for plain functions that stand there, not for what stands inside a function, as an async function's body does. So what
// every event runs is a script, and only what happens seldom is async.

import {
  type Environment,
  memoirHome,
  memoirPaths,
  type Paths,
  userHome,
} from "../../home/paths.ts";
import type { HookHost } from "../../host/host.ts";
import { hookHost } from "../../host/index.ts";
import {
  clientVariables,
  eventHeader,
  ownDeadlineMs,
  probeHeader,
  type ServerInfo,
  serverHeader,
  socketOf,
  timeHeader,
  variablesHeader,
} from "../../server/endpoint.ts";
import type { HookAnswer, HookDelivery, Trouble } from "./recover.ts";

/** How long stdin may take to end: a client on a busy machine writes late, and gives a hook ten seconds. */
const stdinMs = 6_000;

/** After that, what has come meanwhile is read: a process that was given no time finds its timer before its stdin. */
const lastLookMs = 100;

/** No event has to be answered sooner, whatever it is. */
const shortestMs = ownDeadlineMs("");

// memoir's own children must never be captured.
if (process.env.MEMOIR_INTERNAL === "1") process.exit(0);
const [client = "", option, folder] = process.argv.slice(3);
const env: Environment =
  option === "--home" && folder ? { ...process.env, MEMOIR_HOME: folder } : process.env;
if (!env.MEMOIR_HOME && userHome(env) === "") process.exit(0);
const paths = memoirPaths(memoirHome(env));
if (client === "") await giveUp(paths, client, "no client is named");

const asked = hookHost();
const host = asked instanceof Promise ? await asked : asked;
const over = new AbortController();
const stdinUntil = performance.now() + stdinMs;
let stdin: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
let isLastLook = false;
let isCut = false;
/** Known once stdin was read. */
let eventName: string | undefined;
let body = "";
let delivery: HookDelivery | undefined;
let answer: HookAnswer | undefined;
// One timer for stdin and for the answer, as each that is set is felt. One that is set to less than nothing prints a warning.
let timer = setTimeout(watch, Math.max(0, shortestMs - performance.now()));
try {
  stdin = host.stdin().getReader();
  const pieces: Array<Uint8Array<ArrayBuffer>> = [];
  for (let piece = await stdin.read(); !piece.done; piece = await stdin.read())
    pieces.push(piece.value);
  // All at once: piece by piece it takes longer the more there is.
  body = await new Blob(pieces).text();
  // A client that does not close it may have written all of its event.
  if (isCut && !isObject(body)) await giveUp(paths, client, "stdin was never closed");
  if (body === "") await giveUp(paths, client, "stdin was empty");

  const probes = host.sizeOf(paths.late) > 0;
  const asks =
    !probes || (await import("../../server/life/late.ts").then(({ mayProbe }) => mayProbe(paths)));

  eventName = eventNameIn(body);
  delivery = deliveryOf(eventName, host.newId(), probes);
  if (performance.now() >= shortestMs) {
    // Stdin took that long, and the timer waits for it still.
    clearTimeout(timer);
    timer = setTimeout(watch, 0);
  }

  /** Why there is no answer. */
  let trouble: Trouble | undefined = asks ? undefined : "unasked";
  let isAnswering = false;
  try {
    if (asks) {
      const response = await post(delivery);
      answer = taken(response, await response.text());
      isAnswering = true;
      // It answered with an error: it did not take the event.
      if (!answer) trouble = "failed";
    }
  } catch {
    trouble = over.signal.aborted ? "late" : "away";
  }
  if (trouble) answer = await recovered(delivery, trouble);
  if (probes && isAnswering)
    await import("../../server/life/late.ts").then(({ inTime }) => inTime(paths));
  if (answer?.status === 200 && isObject(answer.text)) console.log(answer.text);
  else if (answer && answer.status !== 204) await complain(delivery, answer);
} catch (error) {
  const { keepAfterFailure } = await import("./recover.ts");
  const failed = delivery ?? deliveryOf(eventNameIn(body), crypto.randomUUID(), false);
  // What the server has taken is not kept twice.
  await keepAfterFailure(answer ? { ...failed, body: "" } : failed, error);
}

function deliveryOf(eventName: string, id: string, probes: boolean): HookDelivery {
  return { client, body, eventName, id, time: Date.now(), paths, env, probes, signal: over.signal };
}

async function recovered(
  delivery: HookDelivery,
  trouble: Trouble,
): Promise<HookAnswer | undefined> {
  const { recover } = await import("./recover.ts");
  return recover(delivery, trouble, async () => {
    const response = await post(delivery);
    return taken(response, await response.text());
  });
}

/** Ends what takes too long. Counted from the start of the process: that is what the user waits for. */
async function watch(): Promise<void> {
  let until = stdinUntil;
  if (eventName !== undefined) {
    until = ownDeadlineMs(eventName);
    // Only then is it worth looking whether a plugin asked for more time.
    if (performance.now() >= until) until = await longerDeadline(eventName);
  }
  const left = until - performance.now();
  if (left > 0) timer = setTimeout(watch, left);
  else if (eventName !== undefined) over.abort();
  else if (!isLastLook) {
    isLastLook = true;
    timer = setTimeout(watch, lastLookMs);
  } else {
    isCut = true;
    // The reading ends with what came; one that failed says so itself.
    await stdin?.cancel().catch(() => undefined);
  }
}

/** Posts the event once; rejects when there is no server. */
function post(delivery: HookDelivery): Promise<Response> {
  const { client, paths, signal, body, id, time, probes } = delivery;
  const route = `/hook/${encodeURIComponent(client)}`;
  const headers: Record<string, string> = {
    [eventHeader]: id,
    [timeHeader]: String(time),
  };
  const variables = clientVariables.filter((name) => process.env[name]);
  if (variables.length > 0) headers[variablesHeader] = variables.join(" ");

  const init = {
    method: "POST",
    body,
    headers: probes ? { ...headers, [probeHeader]: "1" } : headers,
    signal,
    redirect: "manual" as const,
  };
  const socket = socketOf(paths, process.platform);
  return socket
    ? host.fetchUnix(socket, `http://localhost${route}`, init)
    : fetchTcp(host, paths, route, init);
}

/** The server's answer; undefined when it could not take the event, but may later, or shortened. */
function taken({ headers, status }: Response, text: string): HookAnswer | undefined {
  if (!headers.has(serverHeader)) throw new Error("another program answers");
  return status >= 500 || status === 413 ? undefined : { status, text };
}

/** The client would take any other text for context. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The first `hook_event_name`; good enough to choose a deadline by. No regular expression: compiling one is felt here. */
function eventNameIn(body: string): string {
  const key = body.indexOf('"hook_event_name"');
  if (key < 0) return "";
  const from = body.indexOf('"', body.indexOf(":", key)) + 1;
  const to = body.indexOf('"', from);
  return from > 0 && to > from && to - from <= 64 ? body.slice(from, to) : "";
}

async function longerDeadline(eventName: string): Promise<number> {
  try {
    const deadlines = JSON.parse(await host.readText(paths.hookDeadlines)) as Record<
      string,
      unknown
    >;
    const longer = deadlines[eventName];
    return typeof longer === "number" ? longer : 0;
  } catch {
    return 0;
  }
}

/** Notes an answer that cannot be printed. */
async function complain(delivery: HookDelivery, answer: HookAnswer): Promise<void> {
  const { noteHook, refusalOf } = await import("./log.ts");
  const reason =
    answer.status === 200 ? "the server's answer was not a JSON object" : refusalOf(answer);
  await noteHook(delivery.paths, { client: delivery.client, event: delivery.eventName, reason });
}

/** Notes why there is no event to hand on, and ends. */
async function giveUp(paths: Paths, client: string, reason: string): Promise<never> {
  const { noteHook } = await import("./log.ts");
  await noteHook(paths, { client, event: "", reason });
  process.exit(0);
}

// The hook command's way to the server where unix sockets will not do.

/** Fetches a route of this home's server over loopback. Rejects when there is no server. */
async function fetchTcp(
  host: HookHost,
  paths: Paths,
  route: string,
  init: RequestInit,
): Promise<Response> {
  const info = JSON.parse(await host.readText(paths.serverInfo)) as Partial<ServerInfo>;
  const port = Number(info.port);
  if (!Number.isInteger(port) || port < 1) throw new Error("server.json names no port");
  const token = (await host.readText(paths.token)).trim();
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  // Else HTTP_PROXY would take the payload and the token out of this machine.
  process.env.NO_PROXY = "*";
  return fetch(`http://127.0.0.1:${port}${route}`, { ...init, headers });
}

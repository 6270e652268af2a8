// `memoir hook <client> [--home <folder>]`: hands one event from stdin to the server and prints its answer. Its imports are its cost.
import {
  type Environment,
  memoirHome,
  memoirPaths,
  type Paths,
  userHome,
} from "../../home/paths.ts";
import { ownDeadlineMs, serverHeader, socketOf } from "../../server/endpoint.ts";
import type { HookAnswer, HookDelivery, Trouble } from "./delivery.ts";

/** How long stdin may take to end. */
const stdinMs = 2_000;

/** Runs the command. Takes what follows `hook` on the command line. Never prints anything but one JSON object. */
export async function hook(args: readonly string[], env: Environment): Promise<void> {
  // memoir's own children must never be captured.
  if (env.MEMOIR_INTERNAL === "1") return;
  const [client = "", option, folder] = args;
  const chosen = option === "--home" && folder ? { ...env, MEMOIR_HOME: folder } : env;
  if (!chosen.MEMOIR_HOME && userHome(chosen) === "") return;
  const paths = memoirPaths(memoirHome(chosen));

  if (client === "") {
    await note(paths, client, "", "no client is named");
    return;
  }

  const over = new AbortController();
  const expired = new Promise<undefined>((resolve) => {
    over.signal.addEventListener("abort", () => resolve(undefined));
  });
  let timer = setTimeout(() => over.abort(), stdinMs);
  const body = await Promise.race([Bun.stdin.text(), expired]);
  clearTimeout(timer);
  if (!body) {
    await note(paths, client, "", body === "" ? "stdin was empty" : "stdin was never closed");
    return;
  }

  const delivery: HookDelivery = {
    client,
    body,
    eventName: eventNameIn(body),
    // Ours costs less than the web's, which makes ready all of its cryptography.
    id: Bun.randomUUIDv7(),
    time: Date.now(),
    paths,
    env: chosen,
    signal: over.signal,
  };
  // Counted from the start of the process: that is what the user waits for.
  const own = ownDeadlineMs(delivery.eventName);
  timer = setTimeout(async () => {
    // Only now is it worth looking whether a plugin asked for more time.
    const more = (await longerDeadline(delivery)) - own;
    if (more > 0) timer = setTimeout(() => over.abort(), more);
    else over.abort();
  }, own - performance.now());

  const answer = await deliver(delivery);
  clearTimeout(timer);
  if (answer !== undefined) console.log(answer);
}

/** Posts the event once; rejects when there is no server. */
async function post(delivery: HookDelivery): Promise<HookAnswer> {
  const { client, paths, signal } = delivery;
  const route = `/hook/${encodeURIComponent(client)}`;
  const init = {
    method: "POST",
    body: delivery.body,
    headers: { "x-memoir-event": delivery.id, "x-memoir-time": String(delivery.time) },
    signal,
    redirect: "manual" as const,
  };
  const socket = socketOf(paths, process.platform);
  const response = socket
    ? await fetch(`http://localhost${route}`, { ...init, unix: socket })
    : await (await import("./tcp.ts")).fetchTcp(paths, route, init);
  if (!response.headers.has(serverHeader)) throw new Error("another program answers");
  return { status: response.status, text: await response.text() };
}

async function deliver(delivery: HookDelivery): Promise<string | undefined> {
  let trouble: Trouble = "away";
  try {
    const answer = await post(delivery);
    if (!isPutOff(answer)) return await printable(delivery, answer);
    trouble = "failed";
  } catch {
    if (delivery.signal.aborted) trouble = "late";
  }
  const { recover } = await import("./recover.ts");
  const answer = await recover(delivery, trouble, async () => {
    const later = await post(delivery);
    return isPutOff(later) ? undefined : later;
  });
  return answer && printable(delivery, answer);
}

/** True when the server could not take the event, but may later, or shortened. */
function isPutOff({ status }: HookAnswer): boolean {
  return status >= 500 || status === 413;
}

/** The answer's text when it is one JSON object; anything else is noted and never printed. */
async function printable(delivery: HookDelivery, answer: HookAnswer): Promise<string | undefined> {
  const { paths, client, eventName } = delivery;
  if (answer.status === 204) return undefined;
  if (answer.status !== 200) {
    const { refusalOf } = await import("./log.ts");
    await note(paths, client, eventName, refusalOf(answer));
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(answer.text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return answer.text;
  } catch {
    // Falls through to the note: the client would take any other text for context.
  }
  await note(paths, client, eventName, "the server's answer was no JSON object");
  return undefined;
}

/** The first `hook_event_name`; good enough to choose a deadline by. No regular expression: compiling one is felt here. */
function eventNameIn(body: string): string {
  const key = body.indexOf('"hook_event_name"');
  if (key < 0) return "";
  const from = body.indexOf('"', body.indexOf(":", key)) + 1;
  const to = body.indexOf('"', from);
  return from > 0 && to > from && to - from <= 64 ? body.slice(from, to) : "";
}

async function longerDeadline({ paths, eventName }: HookDelivery): Promise<number> {
  try {
    const deadlines = (await Bun.file(paths.hookDeadlines).json()) as Record<string, unknown>;
    const longer = deadlines[eventName];
    return typeof longer === "number" ? longer : 0;
  } catch {
    return 0;
  }
}

async function note(paths: Paths, client: string, event: string, reason: string): Promise<void> {
  const { noteHook } = await import("./log.ts");
  await noteHook(paths, { client, event, reason });
}

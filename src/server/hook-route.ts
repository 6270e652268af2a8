// A client's event comes in, is committed, and its answer goes out. Needs none of what other routes need.

import {
  adapterOf,
  type ClientAdapter,
  clientNamed,
  createClientChoice,
  type Delivery,
  isBrought,
} from "../clients/index.ts";
import { originalOf, parsePayload } from "../clients/normal/payload.ts";
import type { Log } from "../home/log.ts";
import type { Hooks } from "../runtime/ports.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import { eventHeader, probeHeader, timeHeader, variablesHeader } from "./endpoint.ts";
import type { ServerRuntime } from "./life/server-runtime.ts";

/** Events that were not taken, by reason, since the server started. */
export type Refusals = Record<string, number>;

export interface HookRouteOptions {
  runtime: ServerRuntime;
  log: Log;
  now(): number;
  refusals: Refusals;
  /**
   * Called before each event with its time: older events that wait in the spool go first. `probes`: the hook command
   * knows that some wait there, because the server was late.
   */
  before?(time: number, probes: boolean): Promise<void>;
  /** Makes an event whole, for clients whose hooks leave something out that their transcripts have. */
  fillIn?(event: ClientEvent): Promise<ClientEvent>;
  /** Called with each event that was understood. */
  heard?(event: ClientEvent): void;
  /** A line that the person at the terminal has to read with the next prompt. */
  notice?(): string | undefined;
}

/** Takes one request's event in and answers it; throws what has to become an error's answer. */
type HookRoute = (client: string, request: Request) => Promise<Response>;

/** What answers 200 with one JSON object, or 204 when there is nothing to say. */
export function createHookRoute(options: HookRouteOptions): HookRoute {
  const { runtime, log, refusals, fillIn } = options;
  const choose = createClientChoice();
  return async (client, request) => {
    try {
      const payload = await readJson(request);
      const variables = new Set((request.headers.get(variablesHeader) ?? "").split(" "));
      const chosen = choose(client, payload, variables);
      const known = chosen && (await adapterOf(chosen));
      const adapter: PluginAdapter | ClientAdapter =
        known && !isBrought(known.name) ? known : pluginAdapter(client, runtime.hooks, known);
      const parsed = await adapter.parse(payload, deliveryOf(request, options.now));
      if (!parsed) return new Response(null, { status: 204 });
      options.heard?.(parsed);
      await options.before?.(parsed.time, request.headers.has(probeHeader));
      const event = fillIn && adapter.transcripts?.fillsIn ? await fillIn(parsed) : parsed;
      const { reply } = await runtime.handle(event, adapter.original(payload), request.signal);
      const rendered = await adapter.render(event, withNotice(event, reply, options.notice));
      const tool = "toolName" in event ? { tool: event.toolName } : {};
      const { name, session } = event;
      log.debug("event taken", { name, session, ...tool, answered: rendered !== undefined });
      return rendered ? Response.json(rendered) : new Response(null, { status: 204 });
    } catch (error) {
      const reason = error instanceof MemoirError ? error.code : "internal";
      refusals[reason] = (refusals[reason] ?? 0) + 1;
      log.warn("event not taken", { reason, detail: reasonOf(error) });
      throw error;
    }
  };
}

function withNotice(event: ClientEvent, reply: Reply, notice: HookRouteOptions["notice"]): Reply {
  const line = event.name === "UserPromptSubmit" ? notice?.() : undefined;
  if (line === undefined) return reply;
  return { ...reply, systemMessage: [reply.systemMessage, line].filter(Boolean).join("\n") };
}

/** The hook command runs on the server's own clock; later than this (ms) ahead of it, the clock was set back. */
const aheadMs = 60_000;

/** The hook command's own id and time, so that a repeated delivery is recognised; made here for any other caller. */
function deliveryOf(request: Request, now: () => number): Delivery {
  const id = request.headers.get(eventHeader) ?? "";
  const time = Number(request.headers.get(timeHeader) ?? Number.NaN);
  return {
    id: /^[\w-]{8,64}$/.test(id) ? id : crypto.randomUUID(),
    time: Number.isSafeInteger(time) && time > 0 && time <= now() + aheadMs ? time : now(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}

// A client that memoir itself does not know, by the hooks of a plugin that does.

/** What the way of an event asks of an adapter, one event at a time. */
interface PluginAdapter extends Pick<ClientAdapter, "transcripts"> {
  /** Rejects with `client_unknown` where no plugin knows the client, and as every adapter does where its answer is no payload. */
  parse(payload: unknown, delivery: Delivery): Promise<ClientEvent | undefined>;
  /** Of the payload that was parsed. */
  original(payload: unknown): ToolOriginal | undefined;
  render(event: ClientEvent, reply: Reply): Promise<Record<string, unknown> | undefined>;
}

/** For one event. `described`: what does the rest, where a plugin's description of the client says how. */
function pluginAdapter(
  client: string,
  hooks: Pick<Hooks, "first">,
  described?: ClientAdapter,
): PluginAdapter {
  let normal: object | null | undefined;
  return {
    ...(described?.transcripts && { transcripts: described.transcripts }),
    async parse(payload, delivery) {
      const answered = await hooks.first("client.payload", { client, payload });
      if (!answered && described) return described.parse(payload, delivery);
      // It throws: nobody knows the client.
      if (!answered) return void clientNamed(client);
      normal = answered.result.payload;
      return normal === null ? undefined : parsePayload(client, normal, delivery);
    },
    original: (payload) => (normal ? originalOf(normal) : described?.original(payload)),
    async render(event, reply) {
      const answered = await hooks.first("client.answer", { event, reply });
      if (!answered && described) return described.render(event, reply);
      return (answered?.result.answer ?? undefined) as Record<string, unknown> | undefined;
    },
  };
}

// A request's body, read up to a limit.

/** No event is larger: what a client sends is bounded by its own tools. */
const bodyLimit = 64 * 1024 * 1024;

/** The whole body. Throws MemoirError `payload_too_large` without reading more than `limit` bytes. */
export async function readBody(request: Request, limit: number = bodyLimit): Promise<Blob> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit);
    return request.blob();
  }
  const chunks: BlobPart[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks);
}

/** As text. */
export async function readText(request: Request, limit?: number): Promise<string> {
  return (await readBody(request, limit)).text();
}

/** The body as JSON; an empty one is `undefined`. Throws MemoirError `payload_invalid`. */
export async function readJson(request: Request, limit?: number): Promise<unknown> {
  const text = await readText(request, limit);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the input.
    throw new MemoirError("payload_invalid", "The request's body is not valid JSON.");
  }
}

function tooLarge(limit: number): MemoirError {
  return new MemoirError("payload_too_large", `The body is larger than ${limit} bytes.`);
}

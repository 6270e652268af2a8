// What a host and a plugin's worker send each other: numbered questions with one answer each, requests and responses, log lines, and
// the last word.
//
// Measured for this: birpc 4.2 (269 lines). It carries calls and a deadline for each, and lacks what most of this file is: taking one
// question back after it was sent, saying during which call something was asked, a limit of questions under way, answers that are
// checked before they are believed, and errors with code, fix and blame. Its part would be the map of open questions, some 40 lines.
import * as v from "valibot";
import type { Reach } from "../../host/hold-to.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyHandler } from "../hooks/subscription.ts";
import { PackedErrorSchema, packError, unpackError } from "./thrown.ts";

/** A plugin's options as config has them. */
export type Options = Readonly<Record<string, unknown>>;

/** A worker's first message: everything it needs to know at its beginning. */
export interface Setup {
  type: "setup";
  /** Drawn for each worker; it marks messages that memoir's part of the worker sent. */
  token: string;
  /** Absolute path of the plugin's module. */
  source: string;
  /** What it is called here, where that is not its own name. */
  name?: string | undefined;
  home: string;
  /** What the host's clock is ahead of `Date.now()`. */
  clockMs: number;
  /** What it is held to, where its package.json says what it reaches. */
  reach?: Reach;
}

// A plugin shares its worker's thread and may have bent what is sent from there, so the host checks it by these.
const number = v.pipe(v.number(), v.finite());

const AskSchema = v.object({
  type: v.literal("ask"),
  id: number,
  /** Of the host: a hook's name, `start`, `stop`, …; of a plugin: `next`, `complete`, `storage.get`, … */
  what: v.string(),
  input: v.array(v.unknown()),
  /** The host's question that a plugin was answering when it asked; 0 for none. */
  during: number,
});
const AnswerSchema = v.object({
  type: v.literal("answer"),
  id: number,
  value: v.optional(v.unknown()),
  error: v.optional(PackedErrorSchema),
});
const LogSchema = v.object({
  type: v.literal("log"),
  level: v.picklist(["debug", "info", "warn", "error"]),
  message: v.string(),
  fields: v.optional(
    v.custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    ),
  ),
});
/** An error that nobody caught. `before`: how many were left out since the last one that was reported. */
const StraySchema = v.object({
  type: v.literal("stray"),
  error: PackedErrorSchema,
  before: number,
});
const ExitSchema = v.object({
  type: v.literal("exit"),
  code: number,
  place: v.optional(v.string()),
});

export type Ask = v.InferOutput<typeof AskSchema>;
/** `abort`: nobody waits for the answer any more. */
type PeerMessage = Ask | v.InferOutput<typeof AnswerSchema> | { type: "abort"; id: number };
export type ToWorker = Setup | PeerMessage;

export const SaidSchema = v.variant("type", [
  AskSchema,
  AnswerSchema,
  LogSchema,
  StraySchema,
  ExitSchema,
]);
export type Said = PeerMessage | v.InferOutput<typeof SaidSchema>;
export type LogLevel = v.InferOutput<typeof LogSchema>["level"];

/** A worker's message: what it says, and the token. */
export interface FromWorker {
  token: string;
  said: Said;
}

// Questions and answers: both sides use this.

interface PeerOptions {
  /** Throws for what cannot be cloned. */
  post(message: PeerMessage): void;
  /** Answers the other side; `signal` is aborted when nobody waits for it any more. */
  answer(ask: Ask, signal: AbortSignal): unknown;
  /** A question was taken back; `what` was asked. */
  takenBack?(what: string): void;
  /** So many questions are under way at once; more wait here. Default: any number. */
  atOnce?: number;
  /** Errors name places in this folder only. */
  ownFolder?: string;
}

/** How something is asked. */
interface AskOptions<Context> {
  /** What belongs to the question: the other side asks something of it. */
  context?: Context;
  /** The other side's question that is being answered meanwhile. */
  during?: number;
  /** Takes the question back. */
  signal?: AbortSignal;
}

export interface Peer<Context> {
  /** Resolves or rejects with the other side's answer. */
  ask(what: string, input: unknown[], options?: AskOptions<Context>): Promise<unknown>;
  hear(message: PeerMessage): void;
  contextOf(id: number): Context | undefined;
  /** What was asked and has no answer yet. */
  waiting(): string[];
  /** Fails every question that has no answer yet, and all that come after. */
  end(why: (what: string) => Error): void;
}

const late = new MemoirError("plugin_deadline", "the deadline has passed");

/** One question under way. */
interface Asked<Context> {
  what: string;
  context: Context | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function createPeer<Context = undefined>(options: PeerOptions): Peer<Context> {
  const { post, atOnce = Number.POSITIVE_INFINITY, ownFolder } = options;
  const asked = new Map<number, Asked<Context>>();
  const queue: Array<() => void> = [];
  const answering = new Map<number, AbortController>();
  let lastId = 0;
  let ended: ((what: string) => Error) | undefined;

  function settle(id: number): Asked<Context> | undefined {
    const one = asked.get(id);
    if (asked.delete(id)) queue.shift()?.();
    return one;
  }

  function takeBack(id: number): void {
    const one = settle(id);
    if (!one) return;
    one.reject(late);
    post({ type: "abort", id });
    options.takenBack?.(one.what);
  }

  async function answer(ask: Ask): Promise<void> {
    const { id } = ask;
    const controller = new AbortController();
    answering.set(id, controller);
    try {
      const value = await options.answer(ask, controller.signal);
      post({ type: "answer", id, value });
    } catch (error) {
      post({ type: "answer", id, error: packError(error, ownFolder) });
    } finally {
      answering.delete(id);
    }
  }

  return {
    ask(what, input, { context, during = 0, signal } = {}) {
      return new Promise((resolve, reject) => {
        const send = () => {
          // Meanwhile it may have waited for its turn.
          if (ended) return reject(ended(what));
          if (signal?.aborted) {
            reject(late);
            return queue.shift()?.();
          }
          const id = ++lastId;
          asked.set(id, { what, context, resolve, reject });
          try {
            post({ type: "ask", id, what, input, during });
          } catch (error) {
            settle(id)?.reject(error instanceof Error ? error : new TypeError(String(error)));
          }
          signal?.addEventListener("abort", () => takeBack(id), { once: true });
        };
        if (asked.size < atOnce) send();
        else queue.push(send);
      });
    },
    hear(message) {
      if (message.type === "ask") void answer(message);
      else if (message.type === "abort") answering.get(message.id)?.abort(late);
      else {
        const one = settle(message.id);
        if (message.error) one?.reject(unpackError(message.error));
        else one?.resolve(message.value);
      }
    },
    contextOf: (id) => asked.get(id)?.context,
    waiting: () => [...asked.values()].map(({ what }) => what),
    end(why) {
      ended = why;
      const all = [...asked.values()];
      asked.clear();
      for (const { what, reject } of all) reject(why(what));
      for (const send of queue.splice(0)) send();
    },
  };
}

// A request to a plugin's routes and its answer on their way between threads: the head as data, the answer's body piece by piece, as it is asked for.

/** A request as data. */
interface PackedRequest {
  method: string;
  url: string;
  headers: Array<[string, string]>;
  body?: Uint8Array;
}

/** An answer's head; `stream` is the number under which its body is asked for. */
export interface PackedResponse {
  status: number;
  headers: Array<[string, string]>;
  stream?: number;
}

/** A piece of a body; without one it is over. */
interface Piece {
  value?: Uint8Array;
}

export async function packRequest(request: Request): Promise<PackedRequest> {
  const { method, url } = request;
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { method, url, headers: [...request.headers], ...(body?.length && { body }) };
}

function unpackRequest({ body, url, ...rest }: PackedRequest): Request {
  return new Request(url, { ...rest, ...(body && { body: body as BodyInit }) });
}

/** The answer, whose body asks for a piece when one is read; `ask` is `pull` or `close`. */
export function unpackResponse(
  { status, headers, stream }: PackedResponse,
  ask: (step: "pull" | "close", stream: number) => Promise<unknown> | undefined,
): Response {
  if (stream === undefined) return new Response(null, { status, headers });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = ((await ask("pull", stream)) ?? {}) as Piece;
        if (value) controller.enqueue(value);
        else controller.close();
      },
      async cancel() {
        await ask("close", stream)?.catch(() => undefined);
      },
    },
    // Nothing is asked for before somebody reads.
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

/** Bodies that are open at once: whoever reads none of them must not fill the worker. */
const mostStreams = 64;

/** In the worker: the open bodies of a plugin's answers. */
export function createStreams() {
  const open = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();
  let last = 0;

  function pack(response: unknown): PackedResponse {
    if (!(response instanceof Response))
      throw new TypeError("`routes` must answer with a Response");
    const { status, headers, body } = response;
    const head = { status, headers: [...headers] };
    if (!body) return head;
    if (open.size >= mostStreams) {
      const [oldest] = open;
      if (oldest) void close(oldest[0]);
    }
    open.set(++last, body.getReader());
    return { ...head, stream: last };
  }

  async function close(stream: number): Promise<void> {
    const reader = open.get(stream);
    open.delete(stream);
    await reader?.cancel();
  }

  async function pull(stream: number): Promise<Piece> {
    const reader = open.get(stream);
    if (!reader)
      throw new MemoirError("plugin_failed", "the rest of the answer is no longer available");
    const { value, done } = await reader.read().catch((error: unknown) => {
      open.delete(stream);
      throw error;
    });
    if (!done)
      return { value: typeof value === "string" ? new TextEncoder().encode(value) : value };
    open.delete(stream);
    return {};
  }

  return {
    /** Answers a request with the plugin's own handler of routes. */
    around(routes: AnyHandler): AnyHandler {
      return async (asked, ctx) => {
        const { request } = asked as { request: PackedRequest };
        const answered = await routes({ request: unpackRequest(request) }, ctx);
        return { answer: pack((answered as { answer: unknown }).answer) };
      };
    },
    /** Asks for a piece of a body, or for no more of it. */
    handler(what: string): AnyHandler | undefined {
      if (what !== "routes.pull" && what !== "routes.close") return undefined;
      return async (asked) => {
        const { stream } = asked as { stream: number };
        if (what === "routes.pull") return await pull(stream);
        await close(stream);
        return {};
      };
    },
  };
}

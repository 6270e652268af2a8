// A request to a plugin's routes and its answer on their way between threads: the head as data, the answer's body piece by piece, as it is asked for.
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyHandler } from "../hooks/subscription.ts";

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
      throw new TypeError("`routes` wants to answer with a Response");
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
      throw new MemoirError("plugin_failed", "the rest of the answer is not there any more");
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

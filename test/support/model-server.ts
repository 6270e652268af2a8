// Model APIs on loopback that misbehave on demand: Anthropic's Messages and OpenAI's chat completions, streamed or not.

/** What the server does with a request. */
export type Fault =
  | "ok"
  | "refusal"
  | "cut"
  | "half"
  | "reset"
  | "hang"
  | "hang-midway"
  | "html"
  | "other-json"
  | "no-stop"
  | "overloaded-midway"
  | "redirect"
  | { said: Said; stop: string }
  /** A body as it stands, with status 200. */
  | { raw: string; type?: string }
  | { status: number; type?: string; message?: string; headers?: Record<string, string> };

/** A text, or what the dialect has beside texts: content blocks of the Messages API, fields of a chat message. */
type Said = string | object[] | Record<string, unknown>;

export interface ModelServer {
  /** For Anthropic's library; `${url}/v1` for OpenAI's. */
  url: string;
  /** Bodies as they arrived. */
  requests: Array<{
    path: string;
    headers: Headers;
    body: Record<string, unknown>;
    /** Aborted once the caller is gone without its answer. */
    signal: AbortSignal;
  }>;
  /** What the next requests meet; the last one stays. */
  script(...faults: Fault[]): void;
  /** The text of good answers; undefined never comes. */
  say(answer: (body: Record<string, unknown>) => string | undefined): void;
  stop(): Promise<void>;
}

/** Tokens of every good answer. */
export const answered = { input: 11, output: 20, cacheRead: 7, cacheWrite: 5 };

interface Dialect {
  whole(said: Said, stop: string): object;
  events(said: Said, stop: string): string[];
  error(fault: { type?: string; message?: string }): object;
  stops: { ok: string; refusal: string; cut: string };
}

function messages(model: unknown): Dialect {
  const usage = {
    input_tokens: answered.input,
    cache_creation_input_tokens: answered.cacheWrite,
    cache_read_input_tokens: answered.cacheRead,
  };
  const head = { id: "msg_01", type: "message", role: "assistant", model };
  const event = (data: { type: string; [field: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  return {
    stops: { ok: "end_turn", refusal: "refusal", cut: "max_tokens" },
    whole: (said, stop_reason) => ({
      ...head,
      content: typeof said === "string" ? [{ type: "text", text: said }] : said,
      stop_reason,
      usage: { ...usage, output_tokens: answered.output },
    }),
    events: (said, stop_reason) => [
      event({
        type: "message_start",
        message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      ...(typeof said === "string"
        ? [
            event({
              type: "content_block_start",
              index: 0,
              content_block: { type: "text", text: "" },
            }),
            event({
              type: "content_block_delta",
              index: 0,
              delta: { type: "text_delta", text: said },
            }),
            event({ type: "content_block_stop", index: 0 }),
          ]
        : Object.values(said).flatMap((content_block, index) => [
            event({ type: "content_block_start", index, content_block }),
            event({ type: "content_block_stop", index }),
          ])),
      event({
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: answered.output },
      }),
      event({ type: "message_stop" }),
    ],
    error: ({ type = "api_error", message = "" }) => ({ type: "error", error: { type, message } }),
  };
}

function chat(model: unknown): Dialect {
  const usage = {
    prompt_tokens: answered.input + answered.cacheRead,
    completion_tokens: answered.output,
    prompt_tokens_details: { cached_tokens: answered.cacheRead },
  };
  const event = (data: object) => `data: ${JSON.stringify({ id: "c1", model, ...data })}\n\n`;
  return {
    stops: { ok: "stop", refusal: "content_filter", cut: "length" },
    whole: (said, finish_reason) => ({
      id: "c1",
      model,
      choices: [{ index: 0, finish_reason, message: { role: "assistant", ...fields(said) } }],
      usage,
    }),
    events: (said, finish_reason) => [
      event({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }),
      event({ choices: [{ index: 0, delta: fields(said) }] }),
      event({ choices: [{ index: 0, delta: {}, finish_reason }] }),
      event({ choices: [], usage }),
      "data: [DONE]\n\n",
    ],
    error: ({ type = "server_error", message = "" }) => ({ error: { type, message, code: type } }),
  };
}

const fields = (said: Said) => (typeof said === "string" ? { content: said } : said);

const stream = (parts: string[]) =>
  new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });

/** One part, then silence until the client goes away. */
function endless(part: string, type: string): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(part)),
  });
  return new Response(body, { headers: { "content-type": type } });
}

/** Listens on a free loopback port; every answer is good until a script says otherwise. */
export function startModelServer(): ModelServer {
  const requests: ModelServer["requests"] = [];
  let faults: Fault[] = ["ok"];
  let text: (body: Record<string, unknown>) => string | undefined = () => "hello";

  async function answer(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const body: Record<string, unknown> = await request.json();
    // Bun lets go of a request's own headers once it is answered.
    const { signal } = request;
    requests.push({ path, headers: new Headers(request.headers), body, signal });
    const fault = (faults.length > 1 ? faults.shift() : faults[0]) ?? "ok";
    const dialect = path.endsWith("/messages") ? messages(body.model) : chat(body.model);
    const streams = body.stream === true;
    const said = text(body);
    if (said === undefined) return await new Promise<Response>(() => {});
    const good = (stop: string) =>
      streams ? stream(dialect.events(said, stop)) : Response.json(dialect.whole(said, stop));
    if (typeof fault === "object" && "said" in fault) {
      const { said, stop } = fault;
      return streams
        ? stream(dialect.events(said, stop))
        : Response.json(dialect.whole(said, stop));
    }
    if (typeof fault === "object" && "status" in fault) {
      const { status, headers = {} } = fault;
      return Response.json(dialect.error(fault), { status, headers });
    }
    if (typeof fault === "object" && "raw" in fault)
      return new Response(fault.raw, {
        headers: { "content-type": fault.type ?? "application/json" },
      });
    const begun = streams
      ? (dialect.events(said, dialect.stops.ok)[0] ?? "")
      : JSON.stringify(dialect.whole(said, dialect.stops.ok)).slice(0, 60);
    const type = streams ? "text/event-stream" : "application/json";
    switch (fault) {
      case "ok":
      case "refusal":
      case "cut":
        return good(dialect.stops[fault]);
      case "half":
        return new Response(begun, { headers: { "content-type": type } });
      case "no-stop":
        return streams
          ? stream(dialect.events(said, "").slice(0, 2))
          : Response.json({ ...dialect.whole("half", ""), choices: [], content: null });
      case "reset":
        // The announced length never comes: the connection closes in the middle of the body.
        return new Response(begun, { headers: { "content-type": type, "content-length": "9999" } });
      case "hang":
        return await new Promise<Response>(() => {});
      case "hang-midway":
        return endless(begun, type);
      case "html":
        return new Response("<html>proxy</html>", { headers: { "content-type": "text/html" } });
      case "other-json":
        return Response.json({ hello: 1 });
      case "overloaded-midway": {
        const error = dialect.error({ type: "overloaded_error", message: "Overloaded" });
        return stream([begun, `event: error\ndata: ${JSON.stringify(error)}\n\n`]);
      }
      case "redirect":
        return new Response("", { status: 302, headers: { location: "http://127.0.0.1:1/" } });
    }
  }

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: answer });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    script(...next) {
      faults = next;
    },
    say(next) {
      text = next;
    },
    stop: () => server.stop(true),
  };
}

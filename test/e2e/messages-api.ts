// A scripted Messages API on loopback: answers the client turn by turn and keeps every request it was sent.
import type { Block, Said, Turn } from "./script.ts";

/** A message as the client sends it. */
export interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | WireBlock[];
}
export interface WireBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | WireBlock[];
  is_error?: boolean;
}
interface WireBody {
  model: string;
  stream?: boolean;
  system?: string | WireBlock[];
  messages: WireMessage[];
  tools?: Array<{ name: string }>;
}

/** One request for a turn, as it arrived. */
export interface WireRequest {
  /** `main`, `agent` (a subagent) or `side` (requests without tools: titles, summaries for compaction). */
  lane: "main" | "agent" | "side";
  session: string;
  body: WireBody;
}

/** Who answers what. A lane that has run out answers `Done.`, so that a wrong count shows in the assertions and not as a hang. */
export interface Script {
  main: Said[];
  /** Turns of the subagents, shared by all of them in the order they ask. */
  agent?: Said[];
  /** Answers requests without tools; default: a session title. */
  side?: (request: WireRequest) => Turn;
  /** Answers a request whatever its lane, for one that it knows. */
  known?: (request: WireRequest) => Turn | undefined;
  /** What the API says that a request took; default: next to nothing. */
  usage?: (request: WireRequest) => WireUsage;
}

/** As the API reports it with an answer's beginning. */
export interface WireUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
}

export interface MessagesApi {
  url: string;
  requests: WireRequest[];
  /** Requests of the main conversation, in order. */
  main(): WireRequest[];
  /** Rejects with what a script threw, if one did. */
  stop(): Promise<void>;
}

const done: Turn = { content: [{ type: "text", text: "Done." }] };
const title: Turn = { content: [{ type: "text", text: '{"title":"Scripted session"}' }] };

function laneOf(request: Request, body: WireBody): WireRequest["lane"] {
  if (request.headers.has("x-claude-code-agent-id")) return "agent";
  return (body.tools ?? []).length === 0 ? "side" : "main";
}

const hardlyAny = { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function* streamEvents(
  model: string,
  content: Block[],
  usage: WireUsage,
): Generator<Record<string, unknown>> {
  const id = `msg_01${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}`;
  const start = { id, type: "message", role: "assistant", model, content: [] };
  const stop = content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  yield {
    type: "message_start",
    message: { ...start, stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  };
  for (const [index, block] of content.entries()) {
    yield* blockEvents(index, block);
    yield { type: "content_block_stop", index };
  }
  const delta = { stop_reason: stop, stop_sequence: null };
  yield { type: "message_delta", delta, usage: { output_tokens: 20 } };
  yield { type: "message_stop" };
}

function* blockEvents(index: number, block: Block): Generator<Record<string, unknown>> {
  const begin = (content_block: unknown) => ({ type: "content_block_start", index, content_block });
  const add = (delta: unknown) => ({ type: "content_block_delta", index, delta });
  if (block.type === "text") {
    yield begin({ type: "text", text: "" });
    yield add({ type: "text_delta", text: block.text });
  } else if (block.type === "thinking") {
    yield begin({ type: "thinking", thinking: "", signature: "" });
    yield add({ type: "thinking_delta", thinking: block.thinking });
    yield add({ type: "signature_delta", signature: block.signature });
  } else {
    yield begin({ type: "tool_use", id: block.id, name: block.name, input: {} });
    yield add({ type: "input_json_delta", partial_json: JSON.stringify(block.input) });
  }
}

/** Starts the API on a free loopback port. The script is made from the list that requests will be added to. */
export function startMessagesApi(write: (requests: WireRequest[]) => Script): MessagesApi {
  const requests: WireRequest[] = [];
  const script = write(requests);
  const next = { main: script.main.values(), agent: (script.agent ?? []).values() };

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST") return Response.json({});
    if (pathname.endsWith("/count_tokens")) return Response.json({ input_tokens: 1000 });
    if (!pathname.endsWith("/v1/messages")) return new Response("", { status: 404 });
    const body: WireBody = await request.json();
    const lane = laneOf(request, body);
    const session = request.headers.get("x-claude-code-session-id") ?? "";
    const entry: WireRequest = { lane, session, body };
    requests.push(entry);
    const known = script.known?.(entry);
    const said =
      known ?? (lane === "side" ? (script.side?.(entry) ?? title) : next[lane].next().value);
    const turn = typeof said === "function" ? await said() : (said ?? done);
    await turn.before?.();
    if (turn.error) {
      const { status, type } = turn.error;
      const error = { type, message: `scripted ${type}` };
      return Response.json({ type: "error", error }, { status });
    }
    const lines = [
      ...streamEvents(body.model, turn.content, script.usage?.(entry) ?? hardlyAny),
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(lines.join(""), {
      headers: { "content-type": "text/event-stream", "request-id": crypto.randomUUID() },
    });
  }

  const thrown: unknown[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: answer,
    // Not worth a retry: the client gives up, and the scenario hears of it.
    error(error) {
      thrown.push(error);
      return Response.json({ type: "error", error: { type: "script" } }, { status: 400 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    main: () => requests.filter((request) => request.lane === "main"),
    async stop() {
      await server.stop(true);
      if (thrown.length > 0) throw thrown[0];
    },
  };
}

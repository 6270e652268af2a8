// A scripted model on loopback that speaks OpenAI's Chat Completions, its Responses, and Google's generateContent: answers turn by turn and keeps every request it was sent.
import { contentsOf, declaredIn, type GeminiBody, geminiAnswer } from "./gemini-answer.ts";
import {
  messagesOf,
  offeredTools,
  type ResponsesBody,
  responsesAnswer,
} from "./responses-answer.ts";

/** A tool that the model asks for. */
export interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
}
/** What the model says in one turn: words, and tools. */
export type ChatTurn = Array<string | ToolCall>;

/** One request for a turn, as it arrived. */
export interface ChatRequest {
  messages: Array<{ role: string; content: unknown }>;
  /** Names of the tools that it offers. */
  tools: string[];
}

export interface ChatApi {
  url: string;
  /** Requests that offer tools: the conversation itself, without titles and the like. */
  main(): ChatRequest[];
  /** What is answered from now on, one turn for each request of the conversation; then `Done.` */
  say(turns: readonly ChatTurn[]): void;
  stop(): Promise<void>;
}

interface Body {
  model?: string;
  stream?: boolean;
  messages?: ChatRequest["messages"];
  tools?: Array<{ function?: { name?: string } }>;
}

/** Listens on a port that is free. */
export function startChatApi(): ChatApi {
  const main: ChatRequest[] = [];
  let turns: ChatTurn[] = [];
  let calls = 0;

  function nextTurn(messages: ChatRequest["messages"], tools: string[]): ChatTurn {
    if (tools.length === 0) return ["Scripted session"];
    main.push({ messages, tools });
    return turns.shift() ?? ["Done."];
  }

  function respond(body: ResponsesBody): Response {
    // In its window Codex asks for a title too, as JSON of one form, and offers a tool even for that.
    if (body.text?.format?.type === "json_schema")
      return responsesAnswer([JSON.stringify({ title: "Scripted" })], body.model, () => ++calls);
    const turn = nextTurn(messagesOf(body), offeredTools(body));
    return responsesAnswer(turn, body.model, () => ++calls);
  }

  function generate(body: GeminiBody, isStream: boolean): Response {
    const tools = declaredIn(body);
    const turn = tools.length === 0 ? undefined : nextTurn(contentsOf(body), tools);
    return geminiAnswer(turn, isStream, () => ++calls);
  }

  function answer(body: Body): Response {
    const tools = (body.tools ?? []).map((tool) => tool.function?.name ?? "");
    const turn = nextTurn(body.messages ?? [], tools);
    const content = turn.filter((part) => typeof part === "string").join("\n");
    const tool_calls = turn
      .filter((part) => typeof part !== "string")
      .map(({ tool, input }, index) => ({
        ...{ index, id: `call_${String(++calls).padStart(8, "0")}`, type: "function" },
        function: { name: tool, arguments: JSON.stringify(input) },
      }));
    const finish_reason = tool_calls.length > 0 ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    const shared = { id: `chat-${main.length}`, created: 1, model: body.model };
    const said = { role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) };
    if (!body.stream)
      return Response.json({
        ...{ ...shared, object: "chat.completion", usage },
        choices: [{ index: 0, finish_reason, message: said }],
      });
    const chunk = (delta: object, more: object = {}) => {
      const choice = { index: 0, delta, finish_reason: null, ...more };
      const event = { ...shared, object: "chat.completion.chunk", choices: [choice], usage };
      return `data: ${JSON.stringify(event)}\n\n`;
    };
    const text = `${chunk(said)}${chunk({}, { finish_reason })}data: [DONE]\n\n`;
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && pathname.endsWith("/chat/completions"))
        return answer((await request.json()) as Body);
      if (request.method === "POST" && pathname.endsWith("/responses"))
        return respond((await request.json()) as ResponsesBody);
      const generated = /:(stream)?generateContent$/i.exec(pathname);
      if (request.method === "POST" && generated)
        return generate((await request.json()) as GeminiBody, generated[1] !== undefined);
      if (pathname.endsWith(":countTokens")) return Response.json({ totalTokens: 100 });
      if (pathname.endsWith("/models"))
        return Response.json({ object: "list", data: [{ id: "mock-model", object: "model" }] });
      return Response.json({ error: { message: "not here" } }, { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    main: () => main,
    say(told) {
      turns = [...told];
    },
    stop: () => server.stop(true),
  };
}

/** Every text of a request, in one. */
export function textOfRequest({ messages }: ChatRequest): string {
  return JSON.stringify(messages);
}

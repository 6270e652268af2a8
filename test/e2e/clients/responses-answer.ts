// OpenAI's Responses in the scripted model: what Codex asks and is answered, in the words of Chat Completions.
import type { ChatRequest, ChatTurn } from "./chat-api.ts";

export interface ResponsesBody {
  model?: string;
  input?: Array<Record<string, unknown>>;
  tools?: OfferedTool[];
  text?: { format?: { type?: string } };
}

interface OfferedTool {
  name?: string;
  type?: string;
  /** Of a namespace. */
  tools?: OfferedTool[];
}

/** Names of the tools that it offers: in a list of their own, or said in the conversation as in code mode. */
export function offeredTools({ tools = [], input = [] }: ResponsesBody): string[] {
  const said = input.flatMap((item) =>
    item.type === "additional_tools" ? (item.tools as OfferedTool[]) : [],
  );
  const all = [...tools, ...said.flatMap((one) => one.tools ?? [one])];
  return all.map(({ name, type }) => name ?? type ?? "");
}

/** The conversation as messages; the result of a tool is one of the role `tool`. */
export function messagesOf({ input = [] }: ResponsesBody): ChatRequest["messages"] {
  return input.flatMap(({ type, role, content, output }) => {
    if (type === "message") return [{ role: String(role), content }];
    return output === undefined ? [] : [{ role: "tool", content: output }];
  });
}

/** One turn as a stream of events. `id` makes a new number for each call. */
export function responsesAnswer(turn: ChatTurn, model: string | undefined, id: () => number) {
  const output = turn.map((part) => {
    const number = String(id()).padStart(8, "0");
    if (typeof part === "string")
      return {
        ...{ type: "message", id: `msg_${number}`, role: "assistant", status: "completed" },
        content: [{ type: "output_text", text: part, annotations: [] }],
      };
    const { tool, input } = part;
    const call = { id: `item_${number}`, status: "completed", call_id: `call_${number}` };
    if (typeof input.script === "string") {
      const named = { name: tool, namespace: "functions" };
      return { type: "custom_tool_call", ...call, ...named, input: input.script };
    }
    // A patch is not valid JSON; a tool of a server is named in two parts.
    if (typeof input.patch === "string")
      return { type: "custom_tool_call", ...call, name: tool, input: input.patch };
    const [, namespace, name] = /^(mcp__[^_]+)__(.+)$/.exec(tool) ?? [];
    const named = namespace === undefined ? { name: tool } : { namespace, name };
    return { type: "function_call", ...call, ...named, arguments: JSON.stringify(input) };
  });
  const usage = {
    ...{ input_tokens: 100, output_tokens: 10, total_tokens: 110 },
    ...{
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
  const response = { id: `resp_${id()}`, object: "response", created_at: 1, model };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { ...response, status: "completed", output, usage } },
  ];
  const text = events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

// `memoir mcp`: the Model Context Protocol on stdin and stdout, passed on to the server line by line. A client runs one for each session.
import { Buffer } from "node:buffer";
import process from "node:process";
import { callServerText } from "./server-client.ts";

/** Longest line that is taken; the protocol's own messages are far shorter. */
const longestLine = 8 * 1024 * 1024;

/** What the proxy reads and writes; replaceable in tests. */
export interface McpStreams {
  input: AsyncIterable<Uint8Array | string>;
  /** Takes one message without its line end. */
  write(line: string): void;
  /** Posts one message; gives the answer's text, empty where there is none. */
  post(message: string, headers: Record<string, string>): Promise<string>;
}

/** Serves until stdin ends; gives exit code 0. Messages are answered as their answers come. */
export async function mcp(streams: McpStreams = processStreams()): Promise<number> {
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(streams.input)) {
    const answered: Promise<void> = answer(line, streams).finally(() => open.delete(answered));
    open.add(answered);
  }
  await Promise.all(open);
  return 0;
}

async function answer(line: string, { post, write }: McpStreams): Promise<void> {
  const message = parse(line);
  if (message === undefined) {
    write(failure(null, -32_700, "The message is no JSON."));
    return;
  }
  const { id } = message;
  try {
    for (const reply of messagesIn(await post(line, headersOf(message)))) write(reply);
  } catch (error) {
    // A notification has no id, and nobody waits for its answer.
    if (id === undefined) return;
    const what = error instanceof Error ? error.message : "The memoir server does not answer.";
    write(failure(id, -32_000, what));
  }
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { _meta?: Record<string, unknown>; name?: unknown };
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** Over HTTP the newer protocol wants in headers what its messages say already. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof version !== "string") return {};
  return {
    "mcp-protocol-version": version,
    ...(typeof method === "string" ? { "mcp-method": method } : {}),
    ...(typeof params?.name === "string" ? { "mcp-name": params.name } : {}),
  };
}

/** An answer is one JSON message, or a stream of events with one in each. */
function messagesIn(text: string): string[] {
  if (text.trim() === "") return [];
  if (text.startsWith("{") || text.startsWith("[")) return [text.replaceAll(/[\r\n]+/g, " ")];
  return text.split(/\r?\n/).flatMap((line) => {
    const data = line.startsWith("data:") ? line.slice(5).trim() : "";
    return data === "" ? [] : [data];
  });
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

async function* linesOf(input: McpStreams["input"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > longestLine) rest = "";
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (rest.trim() !== "") yield rest;
}

function processStreams(): McpStreams {
  return {
    input: process.stdin as AsyncIterable<Uint8Array>,
    write: (line) => process.stdout.write(Buffer.from(`${line}\n`)),
    post: (message, headers) =>
      callServerText("/mcp", {
        method: "POST",
        text: message,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
  };
}

// `memoir mcp`: the Model Context Protocol on stdin and stdout, passed on to the server line by line. A client runs one for each session.
import { Buffer } from "node:buffer";
import process from "node:process";
import { MemoirError } from "../../sdk/errors.ts";
import { within } from "../../sdk/within.ts";
import { reachServer, sessionHeaders } from "./client.ts";

/** Longest line that is taken; the protocol's own messages are far shorter. */
const longestLine = 8 * 1024 * 1024;

const noAnswer = "The memoir server isn't responding; `memoir doctor` shows why.";

/** How long answers under way are waited for once the client has gone. */
const graceMs = 15_000;

/** A client begins no session before its servers said who they are: one that hangs must not hold it. */
const greetingMs = 5_000;
const greetings: ReadonlySet<unknown> = new Set(["initialize", "server/discover", "tools/list"]);

/** What the proxy reads and writes; replaceable in tests. */
interface McpStreams {
  input: AsyncIterable<Uint8Array | string>;
  /** Takes one message without its line end. */
  write(line: string): void;
  /**
   * Posts one message; gives the answer's text as it comes, which for a subscription never ends. Rejects when nothing
   * comes for `timeoutMs`; 0 waits as long as it takes.
   */
  post(
    message: string,
    headers: Record<string, string>,
    timeoutMs: number,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** Serves until stdin ends; gives exit code 0. Messages are answered as their answers come. */
export async function mcp(streams: McpStreams): Promise<number> {
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(streams.input)) {
    const answered: Promise<void> = answer(line, streams).finally(() => open.delete(answered));
    // A subscription has no end of its own: it goes with the process.
    if (!isSubscription(line)) open.add(answered);
  }
  await within(graceMs, Promise.all(open), undefined);
  return 0;
}

/** The command: serves the process's own streams, and ends with them: an open subscription would keep it alive. */
export async function serveMcp(): Promise<never> {
  process.exit(await mcp(processStreams()));
}

async function answer(line: string, { post, write }: McpStreams): Promise<void> {
  const message = parse(line);
  if (message === undefined) {
    write(failure(idIn(line), -32_700, "The message is not valid JSON, or longer than 8 MB."));
    return;
  }
  const { id } = message;
  try {
    const timeoutMs = greetings.has(message.method) ? greetingMs : 0;
    const replies = await post(line, headersOf(message), timeoutMs);
    for await (const reply of messagesIn(replies)) write(reply);
  } catch (error) {
    // A notification has no id, and nobody waits for its answer.
    if (id === undefined) return;
    const what = error instanceof MemoirError ? `${error.message} ${error.fix}` : noAnswer;
    write(failure(id, -32_000, what));
  }
}

/** The id in the beginning of what could not be read, as far as it can be read: who asks should not wait for ever. */
function idIn(line: string): unknown {
  const id = /^[^{]*\{[^{]*?"id"\s*:\s*(-?\d{1,15}|"[\w-]{1,100}")\s*[,}]/.exec(
    line.slice(0, 1_000),
  )?.[1];
  return id === undefined ? null : JSON.parse(id);
}

function isSubscription(line: string): boolean {
  const method = parse(line)?.method;
  return typeof method === "string" && method.startsWith("subscriptions/");
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
async function* messagesIn(answer: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let json = "";
  for await (const line of linesOf(answer)) {
    if (json !== "" || /^\s*[{[]/.test(line)) json += `${line} `;
    else if (line.startsWith("data:")) yield line.slice(5).trim();
  }
  if (json !== "") yield json.trim();
}

function failure(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

/** Lines that are not empty, without their ends. */
async function* linesOf(input: McpStreams["input"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  /** Of a line that is too long, its beginning; what follows of it is passed over. */
  let tooLong: string | undefined;
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    if (tooLong !== undefined && lines.length > 0) {
      lines[0] = tooLong;
      tooLong = undefined;
    }
    if (tooLong !== undefined || rest.length > longestLine) {
      tooLong ??= rest.slice(0, 1_000);
      rest = "";
    }
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (tooLong !== undefined || rest.trim() !== "") yield tooLong ?? rest;
}

/** This process's own streams, and the way to the server. */
export function processStreams(): McpStreams {
  return {
    input: process.stdin as AsyncIterable<Uint8Array>,
    write: (line) => process.stdout.write(Buffer.from(`${line}\n`)),
    async post(message, headers, timeoutMs) {
      const response = await reachServer("/mcp", {
        method: "POST",
        body: message,
        timeoutMs,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...callerHeaders(process.env, process.cwd()),
          ...headers,
        },
      });
      return response.body ?? nothing();
    },
  };
}

/** For whom it asks: the client names its session to what it starts. Headers hold Latin letters only. */
export function callerHeaders(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Record<string, string> {
  // Under `claude -p` and SDKs the client says that it can ask its user, and a question that nobody answers waits for ever.
  const isUnattended = (env.CLAUDE_CODE_ENTRYPOINT ?? "cli") !== "cli";
  return {
    ...(isUnattended ? { "memoir-unattended": "1" } : {}),
    ...sessionHeaders(env),
    "memoir-cwd": encodeURIComponent(env.CLAUDE_PROJECT_DIR || cwd),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

// One session of the real client, driven over its streaming input: prompts in, what its hooks and its conversation did out.
import { type Script, startMessagesApi, type WireRequest } from "./messages-api.ts";

/** One hook run as the client saw it. The client reports none for SessionEnd. */
export interface HookRun {
  event: string;
  exitCode: number;
  stdout: string;
  stderr: string;
  outcome: string;
}

/** What became of a session. */
export interface ClientSession {
  /** The client's session ids, in order; more than one after `/clear`. */
  ids: string[];
  exitCode: number;
  stderr: string;
  hooks: HookRun[];
  requests: WireRequest[];
  /** Requests of the main conversation. */
  main: WireRequest[];
  /** The final text of each prompt. */
  results: string[];
}

/** A session under way, for scripts that act on it. */
export interface LiveSession {
  /** Sends a message at once, in mid-turn. */
  send(prompt: string): void;
  /** The requests so far. */
  requests: WireRequest[];
}

export interface SessionOptions {
  client: string;
  cwd: string;
  env: Record<string, string>;
  script: Script | ((live: LiveSession) => Script);
  /** Sent one after the other, each when the one before has its result. */
  prompts: string[];
  /** Newer models get hook context as system messages, older ones as reminders in a user block. */
  model?: string;
  args?: string[];
  /** The client asks before tools that no rule allows; nobody is there to say yes. Default: it asks for nothing. */
  asks?: boolean;
  /** Told the API's address before the client starts. */
  prepare?(api: string): Promise<void>;
}

type Line =
  | { type: "result"; result?: string }
  | { type: "system"; subtype: "init"; session_id: string }
  | {
      type: "system";
      subtype: "hook_response";
      hook_event: string;
      exit_code?: number;
      stdout?: string;
      stderr?: string;
      outcome: string;
    }
  | { type: "assistant" };

const flags = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
const detail = ["--verbose", "--include-hook-events"];

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((part) => part.length > 0);
  }
}

/** Runs the client to its end. The caller's deadline kills everything; a session has none of its own. */
export async function runClient(options: SessionOptions): Promise<ClientSession> {
  const { script } = options;
  // The client is started after its API; a script sends only once the client asks.
  const api = startMessagesApi((requests) =>
    typeof script === "function" ? script({ requests, send: (prompt) => say(prompt) }) : script,
  );
  await options.prepare?.(api.url);
  const freely = options.asks ? [] : ["--dangerously-skip-permissions"];
  const model = ["--model", options.model ?? "claude-opus-4-8", ...(options.args ?? [])];
  const child = Bun.spawn([options.client, ...flags, ...detail, ...freely, ...model], {
    cwd: options.cwd,
    env: { ...options.env, ANTHROPIC_BASE_URL: api.url },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  const say = (prompt: string): void => {
    const message = { type: "user", message: { role: "user", content: prompt } };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdin.flush();
  };
  const queue = options.prompts.values();
  const next = (): void => {
    const prompt = queue.next();
    if (prompt.done) child.stdin.end();
    else say(prompt.value);
  };
  const ids = new Set<string>();
  const hooks: HookRun[] = [];
  const results: string[] = [];
  next();
  for await (const text of lines(child.stdout)) {
    const line: Line = JSON.parse(text);
    if (line.type === "result") {
      results.push(line.result ?? "");
      next();
    } else if (line.type === "system" && line.subtype === "init") {
      ids.add(line.session_id);
    } else if (line.type === "system" && line.subtype === "hook_response") {
      hooks.push({
        event: line.hook_event,
        exitCode: line.exit_code ?? -1,
        stdout: line.stdout ?? "",
        stderr: line.stderr ?? "",
        outcome: line.outcome,
      });
    }
  }
  const exitCode = await child.exited;
  await api.stop();
  const stderr = await errors;
  return {
    ids: [...ids],
    exitCode,
    stderr,
    hooks,
    requests: api.requests,
    main: api.main(),
    results,
  };
}

// One call through Claude Code: a scratch folder, one process, its JSON answer.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import { redactText } from "../../src/privacy/index.ts";
import {
  endProgram,
  malformedAnswer,
  providerError,
  providerTimeout,
  readKey,
  startProgram,
} from "../../src/provider/index.ts";
import type {
  Completion,
  CompletionMessage,
  CompletionRequest,
  HandlerContext,
} from "../../src/sdk/index.ts";
import { MemoirError } from "../../src/sdk/index.ts";
import { cut, oneLine } from "../../src/text/index.ts";
import type { Config } from "./config.ts";
import type { Turns } from "./turns.ts";

// Runs the client once: text in on stdin, text out, killed when the call is given up.

interface ClientRun {
  stdout: string;
  stderr: string;
}

interface RunOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  input: string;
  signal: AbortSignal;
}

/** More than any answer; what goes on beyond it is no answer. */
const outputLimit = 16 * 1024 * 1024;

/** Resolves when the process has ended, however it ended. Rejects with `provider_missing`, or with the signal's reason once it was killed. */
export function runClient(options: RunOptions): Promise<ClientRun> {
  const { command, args, env, cwd, input, signal } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = startProgram(command, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const kill = () => endProgram(child);
    signal.addEventListener("abort", kill, { once: true });
    const stdout = collect(child.stdout, kill);
    const stderr = collect(child.stderr, kill);
    child.once("error", () => {
      signal.removeEventListener("abort", kill);
      reject(
        new MemoirError("provider_missing", `Claude Code cannot be started as \`${command}\`.`),
      );
    });
    child.once("close", () => {
      signal.removeEventListener("abort", kill);
      if (signal.aborted) reject(signal.reason);
      else resolve({ stdout: stdout(), stderr: stderr() });
    });
    // A client that ends before it has read everything says why on stdout.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function collect(stream: NodeJS.ReadableStream, tooMuch: () => void): () => string {
  const chunks: string[] = [];
  let length = 0;
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    length += chunk.length;
    if (length > outputLimit) tooMuch();
    else chunks.push(chunk);
  });
  return () => chunks.join("");
}

type Context = HandlerContext<"complete", Config, Turns>;

/** Thinking of the model counts as output of the client's. */
const thinkingRoom = 4_000;

/** Rejects with a MemoirError. The process is gone, and so is its folder, when this settles. */
export async function complete(request: CompletionRequest, ctx: Context): Promise<Completion> {
  const { config, plugin } = ctx;
  const key = await readKey(plugin, ctx.home, config.keyEnv);
  return await ctx.state.take(ctx.signal, async () => {
    // Waiting for a turn is not the client's slowness.
    const timeout = AbortSignal.timeout(config.timeoutSeconds * 1_000);
    const signal = AbortSignal.any([ctx.signal, timeout]);
    // Below memoir's home: in a folder that anybody may write to, somebody else's instructions might lie.
    const folder = await mkdtemp(join(ctx.home, "scratch-"));
    try {
      const system = join(folder, "system.txt");
      await writeFile(system, request.system || "Answer the request.", { mode: 0o600 });
      const run = await runClient({
        command: config.command,
        args: clientArguments(config.model, system),
        env: clientEnvironment(process.env, config, key, request.maxTokens),
        cwd: folder,
        input: asOneText(request.messages),
        signal,
      });
      return completionOf(run, { plugin, model: config.model, now: ctx.now(), key });
    } catch (error) {
      if (timeout.aborted) throw providerTimeout(plugin, config.timeoutSeconds * 1_000);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** No tool, no settings, hooks, plugins, skills or servers of the user's, no transcript, one turn. */
export function clientArguments(model: string, systemFile: string): string[] {
  return [
    "-p",
    "--output-format=json",
    `--model=${model}`,
    "--effort=low",
    `--system-prompt-file=${systemFile}`,
    "--tools=",
    "--setting-sources=",
    '--settings={"disableAllHooks":true}',
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
    "--max-turns=1",
  ];
}

/** What the client finds its login by, and nothing of a session that memoir may have been started from. */
const passedOn =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|CLAUDE_CONFIG_DIR|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

/** `MEMOIR_INTERNAL` keeps memoir's own hook from capturing this, wherever it is registered. */
export function clientEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { baseURL }: Pick<Config, "baseURL">,
  key: string | undefined,
  maxTokens: number,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && passedOn.test(name)) kept[name] = value;
  return {
    ...kept,
    MEMOIR_INTERNAL: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Trying again is the worker's business.
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens + thinkingRoom),
    ...(baseURL && { ANTHROPIC_BASE_URL: baseURL }),
    ...(key && { ANTHROPIC_API_KEY: key }),
  };
}

/** The client takes one text; a conversation is written into it. */
export function asOneText(messages: readonly CompletionMessage[]): string {
  const [only] = messages;
  if (only && messages.length === 1) return only.content;
  const parts = messages.map(({ role, content }) => `### ${role}\n\n${content}`);
  return `${parts.join("\n\n")}\n\n### assistant\n\n(Continue as the assistant, with the answer alone.)`;
}

// What the client printed → a completion, or the error that says what is wrong and what to do.

const count = v.optional(v.nullable(v.number()), 0);
const ResultSchema = v.object({
  type: v.literal("result"),
  is_error: v.boolean(),
  result: v.optional(v.nullable(v.string()), ""),
  stop_reason: v.optional(v.nullable(v.string())),
  api_error_status: v.optional(v.nullable(v.number())),
  terminal_reason: v.optional(v.nullable(v.string())),
  usage: v.object({
    input_tokens: v.number(),
    output_tokens: v.number(),
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
  modelUsage: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Result = v.InferOutput<typeof ResultSchema>;

interface AnswerContext {
  plugin: string;
  model: string;
  /** Epoch ms. */
  now: number;
  key: string | undefined;
}

/** Throws a MemoirError for everything that is no answer of the model. */
export function completionOf(run: ClientRun, context: AnswerContext): Completion {
  const result = parseResult(run.stdout);
  if (!result) {
    const said = cut(redactText(oneLine(run.stderr || run.stdout)).text, 200);
    throw malformedAnswer(context.plugin, said ? `it said “${said}”` : "it said nothing");
  }
  const answer: Omit<Completion, "stopReason"> = {
    text: result.result ?? "",
    model: Object.keys(result.modelUsage)[0] ?? context.model,
    usage: {
      input: result.usage.input_tokens,
      output: result.usage.output_tokens,
      cacheRead: result.usage.cache_read_input_tokens ?? 0,
      cacheWrite: result.usage.cache_creation_input_tokens ?? 0,
    },
  };
  if (!result.is_error) return { ...answer, stopReason: "end" };
  if (result.stop_reason === "refusal") return { ...answer, text: "", stopReason: "refusal" };
  if (/output token maximum/.test(answer.text))
    return { ...answer, text: "", stopReason: "max_tokens" };
  throw failureOf(result, context);
}

/** The one JSON object; a warning may stand before it. */
function parseResult(stdout: string): Result | undefined {
  for (const line of stdout.split("\n").reverse()) {
    if (!line.startsWith("{")) continue;
    try {
      const parsed = v.safeParse(ResultSchema, JSON.parse(line));
      if (parsed.success) return parsed.output;
    } catch {
      // Not the line that is looked for.
    }
  }
  return undefined;
}

const loginFix = "Start `claude` once and log in, then run `memoir provider test claude-cli`.";

function failureOf(result: Result, { plugin, model, now, key }: AnswerContext): MemoirError {
  const said = result.result ?? "";
  const limit = /usage limit reached\|(\d{9,})/.exec(said)?.[1];
  if (limit !== undefined)
    return new MemoirError("provider_rate", `${plugin}: your plan's usage limit is reached.`, {
      retryAfterMs: Math.max(0, Number(limit) * 1_000 - now),
    });
  if (/not logged in|please run \/login|log in again|oauth token/i.test(said))
    return new MemoirError("provider_auth", `${plugin}: Claude Code is not logged in.`, {
      fix: loginFix,
    });
  if (result.terminal_reason === "prompt_too_long")
    return providerError({
      provider: plugin,
      model,
      status: 400,
      message: "prompt is too long",
      now,
    });
  const message = said.replace(/^API Error:\s*/, "");
  const status = result.api_error_status;
  if (status) {
    const error = providerError({ provider: plugin, model, status, message, now, key });
    if (error.code !== "provider_auth") return error;
    return new MemoirError(error.code, error.message, { fix: loginFix });
  }
  if (/connect|network|ECONN|ENOTFOUND|socket/i.test(said))
    return new MemoirError(
      "provider_connection",
      `${plugin}: ${cut(redactText(oneLine(message)).text, 200)}`,
      { retryAfterMs: 0 },
    );
  return malformedAnswer(plugin, cut(redactText(oneLine(message)).text, 200) || "it is empty");
}

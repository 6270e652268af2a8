// One call through Claude Code: a scratch folder, one process, its JSON answer.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { providerTimeout, readKey } from "../../src/provider/index.ts";
import type {
  Completion,
  CompletionMessage,
  CompletionRequest,
  HandlerContext,
} from "../../src/sdk/index.ts";
import { completionOf } from "./answer.ts";
import type { Config } from "./config.ts";
import { runClient } from "./run-client.ts";
import type { Turns } from "./turns.ts";

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
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|CLAUDE_CONFIG_DIR|SYSTEMROOT|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

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

/** The client takes one text; a conversation is told in it. */
export function asOneText(messages: readonly CompletionMessage[]): string {
  const [only] = messages;
  if (only && messages.length === 1) return only.content;
  const told = messages.map(({ role, content }) => `### ${role}\n\n${content}`);
  return `${told.join("\n\n")}\n\n### assistant\n\n(Continue as the assistant, with the answer alone.)`;
}

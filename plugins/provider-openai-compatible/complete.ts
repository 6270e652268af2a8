// One call to a chat completions API: our request in, the model's answer out, every failure in words.
import OpenAI from "openai";
import { readKey } from "../../src/provider/index.ts";
import {
  type Completion,
  type CompletionRequest,
  type HandlerContext,
  MemoirError,
} from "../../src/sdk/index.ts";
import { completionOf, gather } from "./answer.ts";
import type { Config } from "./config.ts";
import { failureOf } from "./failure.ts";

type Context = HandlerContext<"complete", Config>;

/** Rejects with a MemoirError; nothing is retried here. */
export async function complete(request: CompletionRequest, ctx: Context): Promise<Completion> {
  const { config, plugin } = ctx;
  const key = await readKey(plugin, ctx.home, config.keyEnv);
  if (key === undefined && isOpenAI(config.baseURL))
    throw new MemoirError("provider_key", `No key is stored for ${plugin}.`, {
      fix: `Run \`memoir provider key ${plugin}\`, or name a local server in \`plugins.${plugin}.baseURL\`.`,
    });
  const timeout = AbortSignal.timeout(config.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([ctx.signal, timeout]);
  const client = new OpenAI({
    // Each given, so that nothing of the environment takes its place. Local servers want no key, and the library one.
    apiKey: key ?? "none",
    organization: null,
    project: null,
    baseURL: config.baseURL,
    maxRetries: 0,
    timeout: config.timeoutSeconds * 1_000,
    logLevel: "off",
    fetchOptions: { redirect: "manual" },
  });
  try {
    const body = chatBody(request, config);
    const answer = config.stream
      ? await gather(
          await client.chat.completions.create(
            { ...body, stream: true, stream_options: { include_usage: true } },
            { signal },
          ),
        )
      : await client.chat.completions.create({ ...body, stream: false }, { signal });
    // The library ends an aborted stream as if it were whole.
    signal.throwIfAborted();
    return completionOf(plugin, answer, request);
  } catch (error) {
    throw failureOf(error, { ctx, key, timedOut: timeout.aborted });
  }
}

/** The request's body, in the fields that the server understands. */
function chatBody(
  request: CompletionRequest,
  { model, baseURL, structuredOutput }: Config,
): OpenAI.ChatCompletionCreateParams {
  const messages: OpenAI.ChatCompletionMessageParam[] = request.messages.map(
    ({ role, content }) => ({ role, content }),
  );
  if (request.system) messages.unshift({ role: "system", content: request.system });
  return {
    model,
    messages,
    // OpenAI's newer models refuse the old name, most other servers do not know the new one.
    ...(isOpenAI(baseURL)
      ? { max_completion_tokens: request.maxTokens }
      : { max_tokens: request.maxTokens }),
    ...(request.schema &&
      structuredOutput && {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", schema: request.schema, strict: true },
        },
      }),
  };
}

function isOpenAI(baseURL: string): boolean {
  return new URL(baseURL).hostname === "api.openai.com";
}

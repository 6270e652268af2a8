// One call to the Messages API: our request in, the model's answer out, every failure in words.
import Anthropic, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "@anthropic-ai/sdk";
import {
  estimatedUsage,
  malformedAnswer,
  providerError,
  readKey,
  textOf,
  unanswered,
} from "../../src/provider/index.ts";
import {
  type Completion,
  type CompletionRequest,
  type HandlerContext,
  MemoirError,
  type PluginContext,
} from "../../src/sdk/index.ts";
import type { Config } from "./config.ts";

type Context = HandlerContext<"complete", Config>;

/** Rejects with a MemoirError; nothing is retried here. */
export async function complete(request: CompletionRequest, ctx: Context): Promise<Completion> {
  const { config } = ctx;
  const key = await readKey(ctx.plugin, ctx.home, config.keyEnv);
  if (key === undefined)
    throw new MemoirError("provider_key", `No key is stored for ${ctx.plugin}.`, {
      fix: `Run \`memoir provider key ${ctx.plugin}\`, or name an environment variable in \`plugins.${ctx.plugin}.keyEnv\`.`,
    });
  const timeout = AbortSignal.timeout(config.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([ctx.signal, timeout]);
  const client = new Anthropic({
    // Each given, so that nothing of the environment or of a profile on disk takes its place.
    apiKey: key,
    authToken: null,
    baseURL: config.baseURL,
    maxRetries: 0,
    timeout: config.timeoutSeconds * 1_000,
    logLevel: "off",
    openTelemetry: false,
    fetchOptions: { redirect: "manual" },
  });
  try {
    const body = messagesBody(request, config.model);
    const message = await client.messages.stream(body, { signal }).finalMessage();
    return completionOf(ctx.plugin, message, request);
  } catch (error) {
    throw failureOf(error, { ctx, key, timedOut: timeout.aborted });
  }
}

const ephemeral = { type: "ephemeral" } as const;

/** The request's body. The system prompt, and every message that says so, ends a prefix worth caching. */
function messagesBody(
  request: CompletionRequest,
  model: string,
): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: request.maxTokens,
    ...(request.system && {
      system: [{ type: "text" as const, text: request.system, cache_control: ephemeral }],
    }),
    messages: request.messages.map(({ role, content, cache }) => ({
      role,
      content: cache
        ? [{ type: "text" as const, text: content, cache_control: ephemeral }]
        : content,
    })),
    ...(request.schema && {
      output_config: { format: { type: "json_schema" as const, schema: request.schema } },
    }),
    // Thinking would be paid for and cut into the answer's room; larger models do not let it be switched off.
    ...(/haiku|sonnet/.test(model) && { thinking: { type: "disabled" as const } }),
  };
}

const stopReasons: Partial<Record<string, Completion["stopReason"]>> = {
  end_turn: "end",
  stop_sequence: "end",
  max_tokens: "max_tokens",
  model_context_window_exceeded: "max_tokens",
  refusal: "refusal",
};

function completionOf(
  provider: string,
  message: Anthropic.Message,
  request: CompletionRequest,
): Completion {
  const { content, usage, model, stop_reason } = message;
  // The library types what the API promises; what came over the wire may be anything.
  if (!Array.isArray(content)) throw malformedAnswer(provider, "it has no content");
  if (!stop_reason) throw malformedAnswer(provider, "it ends in the middle");
  const text = textOf(content);
  return {
    text,
    model: String(model),
    usage:
      typeof usage?.input_tokens === "number"
        ? {
            input: usage.input_tokens,
            output: usage.output_tokens ?? 0,
            cacheRead: usage.cache_read_input_tokens ?? 0,
            cacheWrite: usage.cache_creation_input_tokens ?? 0,
          }
        : estimatedUsage(request, text),
    stopReason: stopReasons[stop_reason] ?? "other",
  };
}

// What the library throws → the error that says what is wrong and what to do.

interface FailureContext {
  ctx: Pick<PluginContext<Config>, "plugin" | "config" | "now">;
  key: string;
  timedOut: boolean;
}

const library = { APIConnectionError, APIConnectionTimeoutError, APIUserAbortError };

/** Never contains the key. */
export function failureOf(error: unknown, { ctx, key, timedOut }: FailureContext): MemoirError {
  const { plugin, config } = ctx;
  const known = unanswered(error, { plugin, config, timedOut }, library);
  if (known) return known;
  if (error instanceof APIError)
    return providerError({
      provider: plugin,
      model: config.model,
      // An error event in the middle of a stream has no status of its own.
      status: error.status ?? (error.type === "rate_limit_error" ? 429 : 529),
      type: error.type,
      message: error.apiMessage,
      retryAfter: error.headers?.get("retry-after"),
      now: ctx.now(),
      key,
    });
  return malformedAnswer(plugin, "it cannot be read, or broke off", error);
}

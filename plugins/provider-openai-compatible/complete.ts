// One call to a chat completions API: our request in, the model's answer out, every failure in words.
import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "openai";
import * as v from "valibot";
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
  type Usage,
} from "../../src/sdk/index.ts";
import type { Config } from "./config.ts";

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

// What the library throws → the error that says what is wrong and what to do.

interface FailureContext {
  ctx: Pick<PluginContext<Config>, "plugin" | "config" | "now">;
  key: string | undefined;
  timedOut: boolean;
}

const library = { APIConnectionError, APIConnectionTimeoutError, APIUserAbortError };

/** Never contains the key. */
export function failureOf(error: unknown, { ctx, key, timedOut }: FailureContext): MemoirError {
  const { plugin, config } = ctx;
  const known = unanswered(error, { plugin, config, timedOut }, library);
  if (known) return known;
  if (error instanceof APIError) {
    const message = error.message.replace(/^\d{3} /, "");
    return providerError({
      provider: plugin,
      model: config.model,
      // An error in the middle of a stream has no status of its own.
      status: error.status ?? 500,
      type: [error.type, error.code].filter(Boolean).join(" "),
      message: message === "status code (no body)" ? "" : message,
      retryAfter: error.headers?.get("retry-after"),
      now: ctx.now(),
      key,
    });
  }
  return malformedAnswer(plugin, "it cannot be read, or broke off", error);
}

// What came over the wire, whole or in pieces → a completion. Servers differ in what they leave out.

const MessageSchema = v.object({
  content: v.optional(v.unknown()),
  refusal: v.optional(v.nullable(v.string())),
});
const RefusalSchema = v.object({ type: v.literal("refusal"), refusal: v.string() });

const count = v.optional(v.nullable(v.number()));
const UsageSchema = v.object({
  prompt_tokens: v.number(),
  completion_tokens: v.optional(v.number(), 0),
  prompt_tokens_details: v.optional(v.nullable(v.object({ cached_tokens: count }))),
});
const AnswerSchema = v.object({
  model: v.optional(v.string(), ""),
  choices: v.tupleWithRest(
    [
      v.object({
        finish_reason: v.nullable(v.string()),
        message: MessageSchema,
      }),
    ],
    v.unknown(),
  ),
  usage: v.fallback(v.nullish(UsageSchema), null),
});

/** Any answer's shape, before it is looked at. */
interface Chunk {
  model?: string;
  choices?: Array<{
    finish_reason?: string | null;
    delta?: { content?: unknown; refusal?: string | null };
  }>;
  usage?: unknown;
}

/** The pieces of a stream as one answer; a stream that breaks off has no finish reason. */
export async function gather(stream: AsyncIterable<Chunk>): Promise<unknown> {
  let content = "";
  let refusal = "";
  let finish: string | null = null;
  let model = "";
  let usage: unknown;
  for await (const chunk of stream) {
    const [choice] = chunk.choices ?? [];
    content += textOf(choice?.delta?.content);
    refusal += choice?.delta?.refusal ?? "";
    finish = choice?.finish_reason ?? finish;
    model = chunk.model ?? model;
    usage = chunk.usage ?? usage;
  }
  const message = { content, refusal: refusal || null };
  return { model, choices: [{ finish_reason: finish, message }], usage };
}

const stopReasons: Partial<Record<string, Completion["stopReason"]>> = {
  stop: "end",
  length: "max_tokens",
  content_filter: "refusal",
};

/** Throws `provider_answer` for what is no answer. */
export function completionOf(
  provider: string,
  answer: unknown,
  request: CompletionRequest,
): Completion {
  const parsed = v.safeParse(AnswerSchema, answer);
  if (!parsed.success) throw malformedAnswer(provider, "it is no chat completion");
  const { model, choices, usage } = parsed.output;
  const [{ finish_reason, message }] = choices;
  if (finish_reason === null) throw malformedAnswer(provider, "it ends in the middle");
  const text = textOf(message.content);
  return {
    text,
    model,
    usage: usage ? usageOf(usage) : estimatedUsage(request, text),
    stopReason: isRefused(message) ? "refusal" : (stopReasons[finish_reason] ?? "other"),
  };
}

/** The refusal stands beside the content, or is a part of it. */
function isRefused({ content, refusal }: v.InferOutput<typeof MessageSchema>): boolean {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return Boolean(refusal) || parts.some((part) => v.is(RefusalSchema, part));
}

/** This API counts cached tokens into the prompt's. */
function usageOf(usage: v.InferOutput<typeof UsageSchema>): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    input: Math.max(0, usage.prompt_tokens - cacheRead),
    output: usage.completion_tokens,
    cacheRead,
    cacheWrite: 0,
  };
}

// What came over the wire, whole or in pieces → a completion. Servers differ in what they leave out.
import * as v from "valibot";
import { malformedAnswer } from "../../src/provider/index.ts";
import type { Completion, CompletionRequest, Usage } from "../../src/sdk/index.ts";
import { estimateTokens } from "../../src/text/index.ts";

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
        message: v.object({
          content: v.optional(v.nullable(v.string())),
          refusal: v.optional(v.nullable(v.string())),
        }),
      }),
    ],
    v.unknown(),
  ),
  usage: v.optional(v.nullable(UsageSchema)),
});

/** Any answer's shape, before it is looked at. */
interface Chunk {
  model?: string;
  choices?: Array<{
    finish_reason?: string | null;
    delta?: { content?: string | null; refusal?: string | null };
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
    content += choice?.delta?.content ?? "";
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
  const text = message.content ?? "";
  return {
    text,
    model,
    usage: usage ? usageOf(usage) : estimated(request, text),
    stopReason: message.refusal ? "refusal" : (stopReasons[finish_reason] ?? "other"),
  };
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

/** Some servers count nothing; a budget that counts nothing either would be none. */
function estimated({ system, messages }: CompletionRequest, text: string): Usage {
  const prompt = [system, ...messages.map(({ content }) => content)].join("\n");
  return {
    input: estimateTokens(prompt),
    output: estimateTokens(text),
    cacheRead: 0,
    cacheWrite: 0,
  };
}

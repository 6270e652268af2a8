// What the client printed → a completion, or the error that says what is wrong and what to do.
import * as v from "valibot";
import { redactText } from "../../src/privacy/index.ts";
import { malformedAnswer, providerError } from "../../src/provider/index.ts";
import { type Completion, MemoirError } from "../../src/sdk/index.ts";
import { cut, oneLine } from "../../src/text/index.ts";
import type { ClientRun } from "./run-client.ts";

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

export interface AnswerContext {
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

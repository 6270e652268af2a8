// What the library throws → the error that says what is wrong and what to do.
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "@anthropic-ai/sdk";
import { malformedAnswer, providerError, unanswered } from "../../src/provider/index.ts";
import type { MemoirError, PluginContext } from "../../src/sdk/index.ts";
import type { Config } from "./config.ts";

export interface FailureContext {
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
  if (error instanceof APIError && error.status !== undefined)
    return providerError({
      provider: plugin,
      model: config.model,
      status: error.status,
      type: error.type,
      message: error.apiMessage,
      retryAfter: error.headers?.get("retry-after"),
      now: ctx.now(),
      key,
    });
  // An error event in the middle of a stream has no status of its own.
  if (error instanceof APIError)
    return providerError({
      provider: plugin,
      model: config.model,
      status: error.type === "rate_limit_error" ? 429 : 529,
      type: error.type,
      message: error.apiMessage,
      now: ctx.now(),
      key,
    });
  return malformedAnswer(plugin, "it cannot be read, or broke off", error);
}

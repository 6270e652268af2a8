// What the library throws → the error that says what is wrong and what to do.
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { malformedAnswer, providerError, unanswered } from "../../src/provider/index.ts";
import type { MemoirError, PluginContext } from "../../src/sdk/index.ts";
import type { Config } from "./config.ts";

export interface FailureContext {
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

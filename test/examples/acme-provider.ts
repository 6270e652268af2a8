// A provider for a made-up HTTP API: POST /v1/answers with a key, an answer with its tokens back, every failure in words.

import {
  KeyEnvSchema,
  malformedAnswer,
  providerError,
  providerTimeout,
  providerUnreachable,
  readKey,
} from "memoir/provider";
import { type CompletionRequest, definePlugin, MemoirError } from "memoir/sdk";
import * as v from "valibot";

const ConfigSchema = v.strictObject({
  baseURL: v.optional(v.pipe(v.string(), v.url()), "http://localhost:4040"),
  model: v.optional(v.string(), "acme-small"),
  keyEnv: v.optional(KeyEnvSchema),
  timeoutSeconds: v.optional(v.pipe(v.number(), v.minValue(1)), 60),
});

const AnswerSchema = v.object({
  text: v.string(),
  tokens: v.object({ read: v.number(), written: v.number() }),
  ended: v.optional(v.string(), "end"),
});

export default definePlugin({
  name: "acme",
  description: "Asks Acme's answering service.",
  sdk: 1,
  slot: "provider",
  config: ConfigSchema,
  hooks: {
    complete: {
      deadlineMs: ({ timeoutSeconds }) => (timeoutSeconds + 5) * 1_000,
      async handler(request: CompletionRequest, ctx) {
        const { baseURL, model, keyEnv, timeoutSeconds } = ctx.config;
        const key = await readKey("acme", ctx.home, keyEnv);
        if (!key) throw new MemoirError("provider_key", "No key is stored for acme.");
        const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
        const asked = {
          model,
          system: request.system,
          turns: request.messages,
          most: request.maxTokens,
        };
        const answered = await fetch(`${baseURL}/v1/answers`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(asked),
          signal: AbortSignal.any([ctx.signal, timeout]),
          redirect: "error",
        }).catch((error) => {
          if (timeout.aborted) throw providerTimeout("acme", timeoutSeconds * 1_000);
          throw providerUnreachable("acme", baseURL, error);
        });
        const body = await answered.text();
        if (!answered.ok)
          throw providerError({
            provider: "acme",
            model,
            status: answered.status,
            message: body,
            retryAfter: answered.headers.get("retry-after"),
            now: ctx.now(),
            key,
          });
        const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), AnswerSchema), body);
        if (!answer.success) throw malformedAnswer("acme", "it is no answer");
        const { text, tokens, ended } = answer.output;
        const usage = { input: tokens.read, output: tokens.written, cacheRead: 0, cacheWrite: 0 };
        const stopReason = ended === "full" ? "max_tokens" : ended === "no" ? "refusal" : "end";
        return { text, model, usage, stopReason };
      },
    },
  },
});

// The options of the anthropic provider.
import * as v from "valibot";
import { KeyEnvSchema, timeoutOption } from "../../src/provider/index.ts";

export const ConfigSchema = v.strictObject({
  model: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("Model id.")),
    "claude-haiku-5-5",
  ),
  baseURL: v.optional(
    v.pipe(v.string(), v.url(), v.description("Where the Messages API is.")),
    "https://api.anthropic.com",
  ),
  keyEnv: v.exactOptional(KeyEnvSchema),
  timeoutSeconds: timeoutOption(90),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

// The options of the anthropic provider.
import * as v from "valibot";
import { KeyEnvSchema } from "../../src/provider/index.ts";

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
  timeoutSeconds: v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(110),
      v.description("Seconds that one call may take (1 to 110)"),
    ),
    90,
  ),
  stream: v.optional(
    v.pipe(v.boolean(), v.description("Receive the answer as it is written.")),
    true,
  ),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

// The options of the openai-compatible provider.
import * as v from "valibot";
import { KeyEnvSchema, timeoutOption } from "../../src/provider/index.ts";
import { flagOption } from "../../src/sdk/index.ts";

export const ConfigSchema = v.strictObject({
  model: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("Model id, as the server names it.")),
    "gpt-4.1-mini",
  ),
  baseURL: v.optional(
    v.pipe(
      v.string(),
      v.url(),
      v.description("Where the chat completions API is, up to and with its version (`…/v1`)."),
    ),
    "https://api.openai.com/v1",
  ),
  keyEnv: v.exactOptional(KeyEnvSchema),
  timeoutSeconds: timeoutOption(90),
  stream: flagOption("Receive the answer as it is written.", false),
  structuredOutput: flagOption("The server takes a JSON schema as `response_format`.", true),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

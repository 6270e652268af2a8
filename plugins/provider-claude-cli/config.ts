// The options of the claude-cli provider.
import * as v from "valibot";
import { KeyEnvSchema, timeoutOption } from "../../src/provider/index.ts";

export const ConfigSchema = v.strictObject({
  command: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Claude Code's program: a path, or a name that is found in PATH."),
    ),
    "claude",
  ),
  model: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.description("Model id, or an alias such as `haiku`.")),
    "haiku",
  ),
  baseURL: v.exactOptional(
    v.pipe(v.string(), v.url(), v.description("A gateway that Claude Code is to call.")),
  ),
  keyEnv: v.exactOptional(KeyEnvSchema),
  timeoutSeconds: timeoutOption(100),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

// The options of the claude-cli provider.
import * as v from "valibot";
import { KeyEnvSchema } from "../../src/provider/index.ts";

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
  timeoutSeconds: v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(110),
      v.description("Seconds that one call may take (1 to 110)"),
    ),
    100,
  ),
  processes: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(8),
      v.description("Most copies of Claude Code at the same time (1 to 8)"),
    ),
    2,
  ),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

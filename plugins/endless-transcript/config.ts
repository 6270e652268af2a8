// What can be set of the strategy `transcript`.
import * as v from "valibot";
import { flagOption, wholeOption } from "../../src/sdk/index.ts";
import { clearingOptions } from "../../src/strategy/index.ts";

export const ConfigSchema = v.strictObject({
  ...clearingOptions,
  wait: flagOption(
    "Whether to wait after a tool use, so its observation reaches the model at once.",
    false,
  ),
  waitSeconds: wholeOption("Longest wait; then the session continues without it.", 1, 600, 90),
  rewrite: v.optional(
    v.pipe(
      v.picklist(["closed", "live", "never"]),
      v.description(
        "When the transcript is rewritten: once no client has the session open, also at tool time, or never.",
      ),
    ),
    "closed",
  ),
  keepTurns: wholeOption(
    "Turns at the end of the conversation that stay whole; 0 keeps its last message only.",
    0,
    100,
    1,
  ),
  copies: flagOption(
    "Whether copies of cleared inputs go too that the client keeps beside and no model reads.",
    false,
  ),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

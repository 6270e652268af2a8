// What can be set of the strategy `gateway`.
import * as v from "valibot";
import { flagOption, isOwnTool } from "../../src/sdk/index.ts";
import { clearingOptions } from "../../src/strategy/index.ts";

export const ConfigSchema = v.strictObject({
  ...clearingOptions,
  clear: flagOption(
    "Whether inputs of finished tool uses are cleared, with thinking before them once that pays; taken back where the API refuses it.",
    true,
  ),
  retire: flagOption("Whether old tool results leave in large batches, once that pays.", true),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

/** The name under which this request offers memoir's fetch, if it does. */
export function fetchToolIn(body: Readonly<Record<string, unknown>>): string | undefined {
  const tools = Array.isArray(body.tools) ? (body.tools as unknown[]) : [];
  for (const tool of tools) {
    const name = (tool as { name?: unknown } | null)?.name;
    if (typeof name === "string" && isOwnTool(name) && /__(?:get|fetch_observations)$/.test(name))
      return name;
  }
  return undefined;
}

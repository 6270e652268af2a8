// What can be set of the strategy `transcript`.
import * as v from "valibot";

const flag = (otherwise: boolean, description: string) =>
  v.optional(v.pipe(v.boolean(), v.description(description)), otherwise);
const number = (otherwise: number, least: number, most: number, description: string) =>
  v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(least),
      v.maxValue(most),
      v.description(description),
    ),
    otherwise,
  );
const names = (description: string) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty())),
    v.description(`${description} A trailing * matches any ending.`),
  );

/** Tools whose inputs are the plan that the agent works by. */
const spared = ["TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode", "AskUserQuestion"];

export const ConfigSchema = v.strictObject({
  wait: flag(
    false,
    "Whether a tool use is waited for, so that its observation reaches the model at once.",
  ),
  waitSeconds: number(90, 1, 600, "Longest wait; then the session goes on without it."),
  rewrite: v.optional(
    v.pipe(
      v.picklist(["closed", "live", "never"]),
      v.description(
        "When the transcript is rewritten: once no client has the session open, also at tool time, or never.",
      ),
    ),
    "closed",
  ),
  minBytes: number(1024, 128, 100_000_000, "Inputs smaller than this stay, in characters of JSON."),
  keepTurns: number(
    1,
    0,
    100,
    "Turns at the end of the conversation that stay whole; 0 keeps its last message only.",
  ),
  inject: flag(
    true,
    "Whether the observations about cleared inputs are put in, as a fetch by memoir's tool.",
  ),
  copies: flag(
    false,
    "Whether copies of cleared inputs go too that the client keeps beside and no model reads.",
  ),
  tools: v.optional(names("Tools whose inputs are cleared."), () => ["*"]),
  spareTools: v.optional(names("Tools whose inputs stay."), () => [...spared]),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

/** Asked for by memoir itself, installed through settings or as a client's plugin. */
const own = ["mcp__memoir__*", "mcp__plugin_memoir_*"];

/** Whether inputs of a tool may be cleared. */
export function wantsTool({ tools, spareTools }: Config): (tool: string) => boolean {
  const never = [...spareTools, ...own];
  return (tool) => tools.some(matches(tool)) && !never.some(matches(tool));
}

function matches(tool: string): (pattern: string) => boolean {
  return (pattern) =>
    pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

// What can be set of the strategy `gateway`.
import * as v from "valibot";

const flag = (description: string) =>
  v.optional(v.pipe(v.boolean(), v.description(description)), true);
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
  clear: flag("Whether inputs of finished tool uses are cleared."),
  minBytes: number(1024, 128, 100_000_000, "Inputs smaller than this stay, in characters of JSON."),
  inject: flag("Whether the observations about cleared inputs are put in."),
  retire: flag("Whether old tool results leave in large batches, once that pays."),
  retireAfter: number(8, 2, 1_000, "Answers for which a result stays at least."),
  tools: v.optional(names("Tools whose inputs and results may leave."), () => ["*"]),
  spareTools: v.optional(names("Tools whose inputs and results stay."), () => [...spared]),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

/** memoir's own tools, installed through settings or as a client's plugin. */
const own = /^mcp__(?:\w+_)?memoir(?:_\w+)?__/;

/** Whether anything of a tool may leave. */
export function wantsTool({ tools, spareTools }: Config): (tool: string) => boolean {
  return (tool) => !own.test(tool) && tools.some(matches(tool)) && !spareTools.some(matches(tool));
}

function matches(tool: string): (pattern: string) => boolean {
  return (pattern) =>
    pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

/** The name under which this request offers memoir's fetch, if it does. */
export function fetchToolIn(body: Readonly<Record<string, unknown>>): string | undefined {
  const tools = Array.isArray(body.tools) ? (body.tools as unknown[]) : [];
  for (const tool of tools) {
    const name = (tool as { name?: unknown } | null)?.name;
    if (typeof name === "string" && own.test(name) && name.endsWith("__fetch_observations"))
      return name;
  }
  return undefined;
}

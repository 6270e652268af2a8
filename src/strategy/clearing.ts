// What strategies of Endless Mode that clear inputs have in common: whose inputs may go, and whether something is put in their place.
import { flagOption, toolNamesOption, wholeOption } from "../sdk/options.ts";
import { isOwnTool, namesTool } from "../sdk/tool-names.ts";

/** Tools whose inputs are the plan that the agent works by. */
const spared = ["TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode", "AskUserQuestion"];

/** Entries of the `config` schema: which inputs are cleared, and whether what was observed is put in. */
export const clearingOptions = {
  minBytes: wholeOption(
    "Inputs smaller than this stay, in characters of JSON.",
    128,
    100_000_000,
    1024,
  ),
  inject: flagOption("Whether the observations about cleared inputs are put in.", true),
  learn: flagOption("Leave alone what is fetched back too often to pay.", true),
  tools: toolNamesOption("Tools that may lose something.", ["*"]),
  spareTools: toolNamesOption("Tools that lose nothing.", spared),
};

/** Gives a test whether anything of a tool may leave; nothing of memoir's own ever may. */
export function wantsTool({
  tools,
  spareTools,
}: {
  tools: readonly string[];
  spareTools: readonly string[];
}): (tool: string) => boolean {
  return (tool) => namesTool(tools, tool) && !namesTool(spareTools, tool) && !isOwnTool(tool);
}

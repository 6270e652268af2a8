// What strategies of Endless Mode that clear inputs have in common: whose inputs may go, and what stands in their place.

import { estimateTokens } from "../text/tokens.ts";
import { flagOption, toolNamesOption, wholeOption } from "./options.ts";
import { isOwnTool, namesTool } from "./tool-names.ts";
import type { ClearedInput } from "./transcript.ts";

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

/**
 * The object that stands for an input whose JSON was `before`. It says in one line how an agent with a shell gets the
 * whole back; `command` is what `memoirCommand` gave.
 */
export function clearedInput(toolUseId: string, before: string, command: string): ClearedInput {
  const tokens = estimateTokens(before);
  const message = `[Input removed to save ~${tokens} tokens; ${command} recall ${toolUseId}]`;
  return { _cleared: true, message };
}

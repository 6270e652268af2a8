// Has the agent memoir's tools: is the MCP server registered, with the binary that is installed?

import { type Check, ok, warn } from "../../../health/check.ts";
import {
  clientStatePath,
  isOwnEntry,
  ownServer,
  serversAt,
} from "../../../install/client-state.ts";
import { enabledAsPlugin } from "../../../install/plugin-presence.ts";
import { readSettings } from "../../../install/settings-file.ts";
import { errorFixes } from "../../../sdk/errors.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { Setup } from "../setup.ts";

/** Memory works without these tools, so nothing here is a failure. */
export async function checkTools(
  { binary }: Setup,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Check[]> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  const path = clientStatePath(env);
  const { text = "{}" } = await readSettings(path);
  const found = (["user", "local"] as const)
    .map((scope) => ownServer(text, serversAt(scope, cwd), path))
    .find((entry) => entry !== undefined);
  const fix = "Run `memoir install`.";
  if (viaPlugin && found !== undefined && isOwnEntry(found))
    return [
      warn(
        "tools",
        `listed twice: by the Claude Code plugin ${viaPlugin.plugin} and in ${path}`,
        "Run `memoir install`: it takes the second one out.",
      ),
    ];
  if (viaPlugin) return [ok("tools", `MCP server of the Claude Code plugin ${viaPlugin.plugin}`)];
  if (found === undefined) return [warn("tools", "the agent has no memoir tools (MCP)", fix)];
  if (!isOwnEntry(found))
    return [
      warn("tools", `${path} has another MCP server named memoir`, errorFixes.mcp_name_taken),
    ];
  const { command } = found as { command?: unknown };
  if (command === binary) return [ok("tools", `MCP server in ${path}`)];
  return [warn("tools", `the MCP server in ${path} runs ${String(command)}, not ${binary}`, fix)];
}

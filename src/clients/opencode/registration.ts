// OpenCode's registration: one file of our own in its folder of plugins, which also names the MCP server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import type { ClientRegistration } from "../registration.ts";
import { pluginText } from "./plugin.ts";

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
  ...(["PostToolUseFailure", "Stop", "SubagentStart", "SubagentStop"] as const),
  ...(["SessionEnd", "PreCompact", "PostCompact"] as const),
];

/** Where OpenCode keeps its settings, unless it is told otherwise. */
function openCodeFolder(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(userHome(env), ".config"), "opencode");
}

export const openCodeRegistration: ClientRegistration = {
  program: "opencode",
  folder: openCodeFolder,
  events,
  files: (place) => [
    {
      path: join(openCodeFolder(place.env), "plugins", "memoir.js"),
      parts: [{ kind: "whole", text: pluginText(place) }],
    },
  ],
  async look({ env }) {
    const fetched = join(openCodeFolder(env), "node_modules", "@opencode-ai", "plugin");
    if (existsSync(fetched)) return [];
    return [
      {
        state: "warn",
        message:
          "OpenCode has not fetched its package for plugins yet. It does so when it starts; while it cannot reach the npm registry, each start waits for that, for a minute and more.",
        fix: "Start OpenCode once where the npm registry can be reached.",
      },
    ];
  },
};

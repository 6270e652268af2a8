// The OpenCode adapter: what memoir's plugin there hands on.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import type { ClientAdapter } from "../adapter.ts";
import { answerOf, fitContext } from "../normal/answer.ts";
import { byNormalForm } from "../normal/parse.ts";
import { shownText } from "../normal/tools.ts";
import type { ClientRegistration } from "../registration.ts";
import { normalOpenCode } from "./normal.ts";
import { pluginText } from "./plugin.ts";
import { openCodeTranscripts } from "./transcripts.ts";

// A reply as memoir's plugin in OpenCode reads it: text for the model, and a tool's result in the place of its own.

/** Events whose answer the plugin can put before the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print: `context` to add, `output` to replace; undefined when there is nothing to say. */
function render(
  { name }: ClientEvent,
  { context, updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  return answerOf({
    context: contextEvents.has(name) ? fitContext(context) : undefined,
    output: name === "PostToolUse" ? shownText(updatedToolOutput) : undefined,
  });
}

// OpenCode's registration: one file of our own in its folder of plugins, which also names the MCP server.

const events: readonly ClientEventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
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

export const adapter: ClientAdapter = {
  ...byNormalForm("opencode", normalOpenCode),
  render,
  registration: openCodeRegistration,
  transcripts: openCodeTranscripts,
};

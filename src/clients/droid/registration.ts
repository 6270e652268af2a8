// Factory droid's settings: hooks in Claude Code's form, and MCP servers in a file of their own.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import type { ClientRegistration } from "../registration.ts";
import { droidFolder } from "./transcripts.ts";

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
  ...(["Stop", "SubagentStop", "SessionEnd", "PreCompact"] as const),
];

export const droidRegistration: ClientRegistration = {
  program: "droid",
  folder: droidFolder,
  events,
  files: (place) => [
    { path: join(droidFolder(place.env), "settings.json"), parts: [hooksPart(place)] },
    {
      path: join(droidFolder(place.env), "mcp.json"),
      parts: [serverPart(place, ["mcpServers", "memoir"], { type: "stdio" })],
    },
  ],
};

// Qwen Code's settings: hooks in Claude Code's form, and MCP servers, in one file.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import type { ClientRegistration } from "../registration.ts";
import { qwenFolder } from "./transcripts.ts";

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
  ...(["PostToolUseFailure", "PostToolBatch", "Stop"] as const),
  ...(["SubagentStart", "SubagentStop", "SessionEnd", "PreCompact", "PostCompact"] as const),
];

export const qwenRegistration: ClientRegistration = {
  program: "qwen",
  folder: qwenFolder,
  events,
  files: (place) => [
    {
      path: join(qwenFolder(place.env), "settings.json"),
      parts: [hooksPart(place), serverPart(place, ["mcpServers", "memoir"])],
    },
  ],
};

// GitHub Copilot CLI's settings: a file of hooks beside others', in Claude Code's form, which it reads too; and its MCP servers.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPlace } from "../registration.ts";
import { copilotFolder } from "./transcripts.ts";

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
  ...(["PostToolUseFailure", "Stop", "SubagentStart", "SubagentStop"] as const),
  ...(["SessionEnd", "PreCompact"] as const),
];

/** Whatever plugins want: a compaction takes away what memoir said at the start. */
function withCompaction(place: RegistrationPlace): RegistrationPlace {
  const seconds = place.events.get("SessionStart");
  if (seconds === undefined || place.events.has("PreCompact")) return place;
  return { ...place, events: new Map([...place.events, ["PreCompact", seconds]]) };
}

export const copilotRegistration: ClientRegistration = {
  program: "copilot",
  folder: copilotFolder,
  events,
  files: (place) => {
    const folder = copilotFolder(place.env);
    return [
      {
        path: join(folder, "mcp-config.json"),
        parts: [serverPart(place, ["mcpServers", "memoir"], { type: "local", tools: ["*"] })],
      },
      // Claude Code's names of events bring the event's name in each payload.
      { path: join(folder, "hooks", "memoir.json"), parts: [hooksPart(withCompaction(place))] },
    ];
  },
};

// GitHub Copilot CLI's settings: a file of hooks beside others', in Claude Code's form, which it reads too; and its MCP servers.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { ClientEventName } from "../../sdk/events.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import type { ClientFinding, ClientRegistration, RegistrationPlace } from "../registration.ts";
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
  look: () => lookAtProject(process.cwd()),
};

/** A project's own settings may turn off every hook; the user's own do that for their own hooks alone. */
export async function lookAtProject(project: string): Promise<readonly ClientFinding[]> {
  for (const name of ["settings.json", "settings.local.json"]) {
    const path = join(project, ".github", "copilot", name);
    const text = await readFile(path, "utf8").catch(() => "");
    if (!/"disableAllHooks"\s*:\s*true/.test(text)) continue;
    const message = `in this folder it runs no hooks: ${path} turns them off`;
    const fix =
      'Take `"disableAllHooks": true` out of that file, where sessions here are to be remembered.';
    return [{ state: "warn", message, fix }];
  }
  return [];
}

// Gemini CLI's settings: hooks in Claude Code's form by names of its own and in milliseconds, and MCP servers, in one file.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { serverPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPart, RegistrationPlace } from "../registration.ts";
import { lookAtSwitch } from "./look.ts";
import { geminiFolder } from "./transcripts.ts";

/** It tells of a compression before every request that it makes: that is no event. */
const events: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "SessionStart"],
  ["UserPromptSubmit", "BeforeAgent"],
  ["PreToolUse", "BeforeTool"],
  ["PostToolUse", "AfterTool"],
  ["Stop", "AfterAgent"],
  ["SessionEnd", "SessionEnd"],
]);

export const geminiRegistration: ClientRegistration = {
  program: "gemini",
  folder: geminiFolder,
  events: [...events.keys()],
  files: (place) => [
    {
      path: settingsPath(place),
      parts: [hooks(place), serverPart(place, ["mcpServers", "memoir"])],
    },
  ],
  look: (place) => lookAtSwitch(settingsPath(place)),
};

function settingsPath({ env }: RegistrationPlace): string {
  return join(geminiFolder(env), "settings.json");
}

function hooks(place: RegistrationPlace): RegistrationPart {
  const wanted = [...place.events].flatMap(([event, seconds]) => {
    const own = events.get(event);
    if (own === undefined) return [];
    const timeout = seconds * 1_000;
    return [[own, own.endsWith("Tool") ? { matcher: "*", timeout } : { timeout }] as const];
  });
  // Without a name it shows the command itself at each step.
  return { kind: "hooks", events: new Map(wanted), named: { name: "memoir" } };
}

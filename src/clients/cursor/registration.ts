// Cursor's settings: hooks in a list of its own form, and MCP servers in a file of their own.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { serverPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPart, RegistrationPlace } from "../registration.ts";
import { cursorFolder } from "./transcripts.ts";

/** Not before a tool: an answer that is missing or late might stop it there. */
const events: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "sessionStart"],
  ["UserPromptSubmit", "beforeSubmitPrompt"],
  ["PostToolUse", "postToolUse"],
  ["PostToolUseFailure", "postToolUseFailure"],
  ["Stop", "stop"],
  ["SubagentStop", "subagentStop"],
  ["SessionEnd", "sessionEnd"],
  ["PreCompact", "preCompact"],
]);

export const cursorRegistration: ClientRegistration = {
  program: "cursor-agent",
  folder: cursorFolder,
  events: [...events.keys()],
  files: (place) => [
    {
      path: join(cursorFolder(place.env), "mcp.json"),
      parts: [serverPart(place, ["mcpServers", "memoir"])],
    },
    { path: join(cursorFolder(place.env), "hooks.json"), parts: [hooks(place)] },
  ],
};

/** Without a timeout: in which unit it counts is told differently, and memoir's hook ends itself. */
function hooks(place: RegistrationPlace): RegistrationPart {
  const wanted = [...place.events.keys()].flatMap((event) => {
    const own = events.get(event);
    return own === undefined ? [] : [[own, {}] as const];
  });
  return { kind: "hooks", events: new Map(wanted), flat: { version: 1 } };
}

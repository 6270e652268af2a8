// Antigravity's settings: hooks by a name of memoir's own, and MCP servers in a file beside it.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { serverPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPlace } from "../registration.ts";
import { geminiHome } from "./transcripts.ts";

/** Not before a tool: an answer that is missing stops it there. */
const events: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "PreInvocation"],
  ["Stop", "Stop"],
]);

export const antigravityRegistration: ClientRegistration = {
  program: "agy",
  folder: (env) => join(geminiHome(env), "antigravity-cli"),
  events: [...events.keys()],
  files: (place) => [
    {
      path: join(geminiHome(place.env), "config", "hooks.json"),
      parts: [{ kind: "server", at: ["memoir"], what: "hooks", entry: hooks(place) }],
    },
    {
      path: join(geminiHome(place.env), "config", "mcp_config.json"),
      parts: [serverPart(place, ["mcpServers", "memoir"])],
    },
  ],
};

function hooks({ events: wanted, command }: RegistrationPlace): Record<string, unknown> {
  const own = [...wanted].flatMap(([event, timeout]) => {
    const name = events.get(event);
    return name === undefined ? [] : [[name, [{ type: "command", command, timeout }]] as const];
  });
  return Object.fromEntries(own);
}

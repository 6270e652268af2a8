// Parts of a registration that several clients share: hooks in Claude Code's form, and an MCP server in a JSON file.
import type { ClientEventName } from "../../sdk/events.ts";
import type { HooksPart, RegistrationPart, RegistrationPlace } from "../adapter.ts";

/** Events that clients match by tool name. */
const toolEvents: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** How a client's hooks differ from Claude Code's. */
interface HooksForm extends Pick<HooksPart, "named" | "flat"> {
  /** Its own names of the events that it has; absent: Claude Code's. */
  names?: ReadonlyMap<ClientEventName, string>;
  /** In which unit it counts a timeout; absent: seconds. `none`: memoir's hook ends itself. */
  timeout?: "milliseconds" | "none";
}

/** Every wanted event that the client has, by its name there. */
export function hooksPart(
  { events }: Pick<RegistrationPlace, "events">,
  form: HooksForm = {},
): HooksPart {
  const { names, timeout: unit, ...more } = form;
  const wanted = [...events].flatMap(([event, seconds]) => {
    const name = names ? names.get(event) : event;
    if (name === undefined) return [];
    if (unit === "none") return [[name, {}] as const];
    const timeout = unit === "milliseconds" ? seconds * 1_000 : seconds;
    return [[name, toolEvents.has(event) ? { matcher: "*", timeout } : { timeout }] as const];
  });
  return { kind: "hooks", events: new Map(wanted), ...more };
}

/** memoir's MCP server as most clients write it. */
export function serverPart(
  { binary, home }: RegistrationPlace,
  at: readonly string[] = ["mcpServers", "memoir"],
  more: Readonly<Record<string, unknown>> = {},
): RegistrationPart {
  const env = home === undefined ? {} : { env: { MEMOIR_HOME: home } };
  return { kind: "server", at, entry: { ...more, command: binary, args: ["mcp"], ...env } };
}

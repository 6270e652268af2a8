// Parts of a registration that several clients share: hooks in Claude Code's form, and an MCP server in a JSON file.
import type { RegistrationPart, RegistrationPlace } from "../registration.ts";

/** Events that clients match by tool name. */
const toolEvents: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** Every wanted event under its own name. `perSecond`: 1,000 for a client that counts milliseconds. */
export function hooksPart({ events }: RegistrationPlace, perSecond = 1): RegistrationPart {
  const wanted = [...events].map(([event, seconds]) => {
    const timeout = seconds * perSecond;
    return [event, toolEvents.has(event) ? { matcher: "*", timeout } : { timeout }] as const;
  });
  return { kind: "hooks", events: new Map(wanted) };
}

/** memoir's MCP server as most clients write it. */
export function serverPart(
  { binary, home }: RegistrationPlace,
  at: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): RegistrationPart {
  const env = home === undefined ? {} : { env: { MEMOIR_HOME: home } };
  return { kind: "server", at, entry: { ...more, command: binary, args: ["mcp"], ...env } };
}

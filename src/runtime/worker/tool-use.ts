// A client event as a tool use: what strategies are given.
import type { ClientEvent } from "../../sdk/events.ts";
import type { ToolUse } from "../../sdk/work.ts";

/** PostToolUse and PostToolUseFailure; undefined for other events. */
export function toToolUse(event: ClientEvent): ToolUse | undefined {
  if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return undefined;
  const shared = {
    id: event.toolUseId,
    name: event.toolName,
    input: event.toolInput,
    time: event.time,
    cwd: event.cwd,
    ...(event.durationMs !== undefined && { durationMs: event.durationMs }),
    ...(event.agent && { agent: event.agent }),
    ...(event.withheld && { withheld: true }),
  };
  if (event.name === "PostToolUse") return { ...shared, response: event.toolResponse };
  return { ...shared, error: event.error, ...(event.isInterrupt && { interrupted: true }) };
}

// A reply becomes what Claude Code reads from a hook's stdout: one JSON object in the event's own output fields, or nothing.
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { renderNested } from "../normal/answer.ts";

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
export function renderClaudeCode(
  event: ClientEvent,
  reply: Reply,
): Record<string, unknown> | undefined {
  if (event.name !== "PostToolUse" || reply.updatedToolOutput === undefined)
    return renderNested(event, reply);
  const field = event.toolName.startsWith("mcp__") ? "updatedMCPToolOutput" : "updatedToolOutput";
  return renderNested(event, reply, { [field]: reply.updatedToolOutput });
}

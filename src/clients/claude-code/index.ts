// The Claude Code adapter. Its form is the normal one; `src/install` knows its settings.

import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { isRecord } from "../../text/text.ts";
import type { ClientAdapter, Delivery } from "../adapter.ts";
import { renderNested } from "../normal/answer.ts";
import { originalOf, parsePayload } from "../normal/parse.ts";
import { projectsFolder } from "./folders.ts";

export const adapter = {
  name: "claude-code",
  parse: parseClaudeCode,
  original: originalOf,
  render,
  transcripts: { folder: projectsFolder },
} satisfies ClientAdapter;

/**
 * For clients that run Claude Code's hooks and that memoir does not know: what they tell in its form is kept, under a name
 * that is nobody's. Their transcripts are read by nobody.
 */
export const unknownAdapter: ClientAdapter = {
  name: "unknown",
  parse(payload, delivery) {
    if (!isRecord(payload)) return parsePayload("unknown", payload, delivery);
    const { transcript_path: _path, tool_use_id = delivery.id, ...fields } = payload;
    return parsePayload("unknown", { ...fields, tool_use_id }, delivery);
  },
  original: originalOf,
  render,
};

/** What Claude Code reads from a hook's stdout: one JSON object in the event's own output fields, or nothing. */
function render(event: ClientEvent, reply: Reply): Record<string, unknown> | undefined {
  if (event.name !== "PostToolUse" || reply.updatedToolOutput === undefined)
    return renderNested(event, reply);
  const field = event.toolName.startsWith("mcp__") ? "updatedMCPToolOutput" : "updatedToolOutput";
  return renderNested(event, reply, { [field]: reply.updatedToolOutput });
}

// A Claude Code hook payload becomes a ClientEvent: its own form is memoir's normal one.

/** Parses one payload. Throws MemoirError `payload_invalid` naming the field; an event without a type becomes `Other`. */
export function parseClaudeCode(payload: unknown, delivery: Delivery): ClientEvent {
  return parsePayload("claude-code", payload, delivery);
}

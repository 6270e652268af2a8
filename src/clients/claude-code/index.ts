// The Claude Code adapter. Its form is the normal one; `src/install` knows its settings.
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { isRecord } from "../../text/text.ts";
import type { ClientAdapter, Delivery } from "../adapter.ts";
import { byNormalForm, parsePayload, renderNested } from "../normal/payload.ts";
import { projectsFolder } from "./folders.ts";

export const adapter = {
  ...byNormalForm("claude-code", (payload) => payload),
  parse: parseClaudeCode,
  render,
  transcripts: { folder: projectsFolder },
} satisfies ClientAdapter;

/** Parses one payload, which is an event always. Throws MemoirError `payload_invalid` naming the field; without a type it is `Other`. */
export function parseClaudeCode(payload: unknown, delivery: Delivery): ClientEvent {
  return parsePayload("claude-code", payload, delivery);
}

/**
 * For clients that run Claude Code's hooks and that memoir does not know: what they report in its form is kept, under a name
 * that is nobody's. Their transcripts are read by nobody.
 */
export const unknownAdapter: ClientAdapter = {
  ...byNormalForm("unknown", (payload, id) => {
    if (!isRecord(payload)) return payload;
    const { transcript_path: _path, tool_use_id = id, ...fields } = payload;
    return { ...fields, tool_use_id };
  }),
  render,
};

/** What Claude Code reads from a hook's stdout: one JSON object in the event's own output fields, or nothing. */
function render(event: ClientEvent, reply: Reply): Record<string, unknown> | undefined {
  if (event.name !== "PostToolUse" || reply.updatedToolOutput === undefined)
    return renderNested(event, reply);
  const field = event.toolName.startsWith("mcp__") ? "updatedMCPToolOutput" : "updatedToolOutput";
  return renderNested(event, reply, { [field]: reply.updatedToolOutput });
}

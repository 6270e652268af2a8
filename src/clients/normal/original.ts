// The tool use of a PostToolUse payload in normal form, whole.
import type { ToolOriginal } from "../../sdk/endless.ts";
import { isRecord } from "../../text/values.ts";

/** Undefined for other payloads; nothing is copied. */
export function originalOf(payload: unknown): ToolOriginal | undefined {
  if (!isRecord(payload) || payload.hook_event_name !== "PostToolUse") return undefined;
  return { input: payload.tool_input, response: payload.tool_response };
}

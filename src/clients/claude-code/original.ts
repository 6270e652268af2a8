// A tool's input and response as Claude Code wrote them, before anything is shortened.
import type { ToolOriginal } from "../../sdk/endless.ts";

/** Of a PostToolUse payload; nothing is copied. */
export function originalOf(payload: unknown): ToolOriginal | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { hook_event_name, tool_input, tool_response } = payload as Record<string, unknown>;
  if (hook_event_name !== "PostToolUse") return undefined;
  return { input: tool_input, response: tool_response };
}

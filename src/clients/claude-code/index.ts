// The Claude Code adapter.

import type { ToolOriginal } from "../../sdk/endless.ts";
import type { ClientAdapter } from "../adapter.ts";
import { projectsFolder } from "./folders.ts";
import { parseClaudeCode } from "./parse.ts";
import { eventPayloads, type TypedEventName } from "./payload.ts";
import { renderClaudeCode } from "./render.ts";

export const claudeCode: ClientAdapter = {
  name: "claude-code",
  title: "Claude Code",
  events: Object.keys(eventPayloads) as TypedEventName[],
  transcripts: projectsFolder,
  parse: parseClaudeCode,
  original: originalOf,
  render: renderClaudeCode,
};

/** Of a PostToolUse payload; nothing is copied. */
function originalOf(payload: unknown): ToolOriginal | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { hook_event_name, tool_input, tool_response } = payload as Record<string, unknown>;
  if (hook_event_name !== "PostToolUse") return undefined;
  return { input: tool_input, response: tool_response };
}

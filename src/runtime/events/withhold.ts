// Takes every text out of an event whose redaction failed: that something happened is kept, what was said is not.
import type { ClientEvent } from "../../sdk/events.ts";

/** Stands where a text was. */
const withheldMark = "[withheld]";

/**
 * The event without anything a person, a tool or a model wrote: prompt, tool input and result, error,
 * messages, unknown fields. Names, ids, times and paths of its frame stay. `withheld` is set.
 */
export function withholdText(event: ClientEvent): ClientEvent {
  const { extra: _extra, ...frame } = event;
  const kept: ClientEvent = { ...frame, withheld: true };
  switch (kept.name) {
    case "UserPromptSubmit":
      return { ...kept, prompt: withheldMark };
    case "PreToolUse":
      return { ...kept, toolInput: {} };
    case "PostToolUse":
      return { ...kept, toolInput: {}, toolResponse: {} };
    case "PostToolUseFailure":
      return { ...kept, toolInput: {}, error: withheldMark };
    case "PostToolBatch":
      return {
        ...kept,
        toolCalls: kept.toolCalls.map(({ toolName, toolUseId }) => ({
          toolName,
          toolUseId,
          toolInput: {},
          toolResponse: {},
        })),
      };
    case "Stop":
    case "SubagentStop": {
      const { lastAssistantMessage: _message, ...rest } = kept;
      return rest;
    }
    case "PostCompact": {
      const { compactSummary: _summary, ...rest } = kept;
      return rest;
    }
    case "SessionStart":
    case "SessionEnd":
    case "SubagentStart":
    case "PreCompact":
    case "Other":
      return kept;
  }
}

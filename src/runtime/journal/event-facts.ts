// What the journal reads off an event to file it: pure.
import type { ClientEvent } from "../../sdk/events.ts";

/** Columns beside the payload. */
export interface EventFacts {
  toolUseId: string | null;
  agent: string | null;
  spoken: boolean;
  /** Nothing has to be done for it: it is kept and counts as settled. */
  idle: boolean;
  /** A sign of life that a session summary should cover. */
  activity: boolean;
}

/** PostToolBatch repeats what PostToolUse brought, and PreToolUse what it will bring. */
export function eventFacts(event: ClientEvent): EventFacts {
  const facts: EventFacts = {
    toolUseId: null,
    agent: event.agent?.id ?? null,
    spoken: false,
    idle: false,
    activity: false,
  };
  switch (event.name) {
    case "UserPromptSubmit":
      return { ...facts, activity: true };
    case "PostToolUse":
      return { ...facts, activity: true, toolUseId: event.toolUseId };
    case "PostToolUseFailure":
      return { ...facts, activity: true, toolUseId: event.toolUseId, spoken: event.isInterrupt };
    case "Stop":
      return { ...facts, activity: true, spoken: Boolean(event.lastAssistantMessage?.trim()) };
    case "SubagentStop":
    case "SessionEnd":
      return facts;
    default:
      return { ...facts, idle: true };
  }
}

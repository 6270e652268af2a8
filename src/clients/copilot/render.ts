// A reply as GitHub Copilot CLI reads it: flat, whichever spelling its payload had. Claude Code's nested form it passes over.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import type { ClientAdapter } from "../adapter.ts";
import { contextLimit, fitContext } from "../normal/answer.ts";
import { shownText } from "./tools.ts";

/** Events whose answer reaches the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** Sessions whose beginning is remembered at a time. */
const mostHeld = 100;

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. A compaction takes away
 * what the session was told at its start, and no event asks for it anew: the next prompt brings it again.
 */
export function createCopilotRender(): ClientAdapter["render"] {
  const starts = new Map<string, string>();
  const compacted = new Set<string>();

  /** What is given now. */
  function contextOf({ name, session, agent }: ClientEvent, context: string): string {
    if (name === "SessionStart" && context !== "") {
      starts.set(session, context);
      dropOldest(starts, mostHeld);
    }
    // A subagent's compaction leaves the session as it is.
    if (name === "PreCompact" && !agent && starts.has(session)) compacted.add(session);
    if (name !== "UserPromptSubmit" || !compacted.delete(session)) return context;
    return [starts.get(session), context].filter(Boolean).join("\n\n");
  }

  return (event, { context = "", updatedToolOutput }: Reply) => {
    const given = contextOf(event, context);
    if (!contextEvents.has(event.name)) return undefined;
    // It takes three times as much whole.
    const additionalContext = fitContext(given, 2 * contextLimit);
    const output = {
      ...(additionalContext !== "" && { additionalContext }),
      ...(event.name === "PostToolUse" && replaced(event.toolName, updatedToolOutput)),
    };
    return Object.keys(output).length > 0 ? output : undefined;
  };
}

/** Nothing where the other result has no text: the client's own stays. */
function replaced(tool: string, response: unknown): Record<string, unknown> {
  if (response === undefined) return {};
  const text = shownText(response);
  if (text === "") return {};
  const textResultForLlm = tool === "Bash" ? `${text}\n<completed with exit code 0>` : text;
  return { modifiedResult: { textResultForLlm, resultType: "success" } };
}

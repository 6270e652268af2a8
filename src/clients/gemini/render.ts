// A reply as Gemini CLI reads it: Claude Code's form under its own names of events.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import type { ClientAdapter } from "../adapter.ts";
import { fitContext } from "../normal/answer.ts";

/** Events that take context, by its own names: a tool that failed comes by that of one that ended. */
const contextEvents: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "SessionStart"],
  ["UserPromptSubmit", "BeforeAgent"],
  ["PostToolUse", "AfterTool"],
  ["PostToolUseFailure", "AfterTool"],
]);

/** Sessions that wait for their first prompt at a time. */
const mostHeld = 100;

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. What a session that was
 * cleared is to know is held for its first prompt, for Gemini drops it before; a resumed one knows it still.
 */
export function createGeminiRender(): ClientAdapter["render"] {
  const held = new Map<string, string>();

  /** What is given now. */
  function contextOf(event: ClientEvent, context: string): string {
    if (event.name === "UserPromptSubmit") {
      const before = held.get(event.session);
      held.delete(event.session);
      return [before, context].filter(Boolean).join("\n\n");
    }
    if (event.name !== "SessionStart" || event.source === "startup") return context;
    if (event.source === "clear" && context !== "") {
      held.set(event.session, context);
      dropOldest(held, mostHeld);
    }
    return "";
  }

  return (event, { context = "", systemMessage = "" }: Reply) => {
    const hookEventName = contextEvents.get(event.name);
    const additionalContext =
      hookEventName === undefined ? "" : fitContext(contextOf(event, context));
    const message = event.name === "SessionEnd" ? "" : fitContext(systemMessage);
    const output = {
      ...(message !== "" && { systemMessage: message }),
      ...(additionalContext !== "" && { hookSpecificOutput: { hookEventName, additionalContext } }),
    };
    return Object.keys(output).length > 0 ? output : undefined;
  };
}

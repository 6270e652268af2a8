// A reply as Gemini CLI reads it: Claude Code's form under its own names of events.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import type { ClientAdapter } from "../adapter.ts";
import { contextLimit, fitContext } from "../normal/answer.ts";

/** Events that take context, by its own names: a tool that failed comes by that of one that ended. */
const contextEvents: ReadonlyMap<ClientEventName, string> = new Map([
  ["UserPromptSubmit", "BeforeAgent"],
  ["PostToolUse", "AfterTool"],
  ["PostToolUseFailure", "AfterTool"],
]);

/** Sessions that wait for their first prompt at a time. */
const mostHeld = 100;
/** A session's context and its first prompt's, each as long as elsewhere. */
const mostContext = 2 * contextLimit;

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. What a session is to know
 * comes with its first prompt: Gemini drops what is told at its start after `/clear`, and when it goes on with a session it
 * drops every message that begins with it, the person's own words included. A resumed session has what it was told, and
 * its context is what came since.
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
    if (event.name !== "SessionStart") return context;
    if (context.trim() !== "") {
      held.set(event.session, fitContext(context));
      dropOldest(held, mostHeld);
    }
    return "";
  }

  return (event, { context = "", systemMessage = "" }: Reply) => {
    const given = fitContext(contextOf(event, context), mostContext);
    const hookEventName = contextEvents.get(event.name);
    const additionalContext = hookEventName === undefined ? "" : given;
    const message = event.name === "SessionEnd" ? "" : fitContext(systemMessage);
    const output = {
      ...(message !== "" && { systemMessage: message }),
      ...(additionalContext !== "" && { hookSpecificOutput: { hookEventName, additionalContext } }),
    };
    return Object.keys(output).length > 0 ? output : undefined;
  };
}

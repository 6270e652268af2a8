// A reply as Cursor reads it, by its documentation. What it asks before a prompt or a tool it takes for a permission: nothing is said there.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { fitContext } from "../normal/answer.ts";

const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
export function renderCursor(
  event: ClientEvent,
  { context = "" }: Reply,
): Record<string, unknown> | undefined {
  const additional_context = contextEvents.has(event.name) ? fitContext(context) : "";
  return additional_context === "" ? undefined : { additional_context };
}

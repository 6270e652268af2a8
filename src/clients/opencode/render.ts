// A reply as memoir's plugin in OpenCode reads it: text for the model, and a tool's result in the place of its own.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { fitContext } from "../normal/answer.ts";
import { shownText } from "../normal/tools.ts";

/** Events whose answer the plugin can put before the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print: `context` to add, `output` to replace; undefined when there is nothing to say. */
export function renderOpenCode(
  event: ClientEvent,
  { context = "", updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  const given = contextEvents.has(event.name) ? fitContext(context) : "";
  const output = event.name === "PostToolUse" ? shownText(updatedToolOutput) : undefined;
  if (given === "" && output === undefined) return undefined;
  return { ...(given !== "" && { context: given }), ...(output !== undefined && { output }) };
}

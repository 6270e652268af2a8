// A reply as memoir's extension for pi reads it: text for the model, a line for the person, another result for the tool.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { fitContext } from "../normal/answer.ts";
import { shownText } from "../normal/tools.ts";

/** Events that the extension can give something with. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse"] as const),
  ...(["PostToolUse", "PostToolUseFailure"] as const),
]);

/** The object to print, or undefined when there is nothing to say. */
export function renderPi(
  event: ClientEvent,
  { context = "", systemMessage = "", updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  // A copied session has the context of its beginning still.
  const isGiven =
    contextEvents.has(event.name) && !(event.name === "SessionStart" && event.source === "fork");
  const given = isGiven ? fitContext(context) : "";
  const message = fitContext(systemMessage);
  const content =
    event.name === "PostToolUse" && updatedToolOutput !== undefined
      ? shownText(updatedToolOutput)
      : undefined;
  const output = {
    ...(given !== "" && { context: given }),
    ...(message !== "" && { message }),
    ...(content !== undefined && { content }),
  };
  return Object.keys(output).length > 0 ? output : undefined;
}

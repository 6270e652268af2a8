// A reply as GitHub Copilot CLI reads it: flat, whichever spelling its payload had. Claude Code's nested form it passes over.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { fitContext } from "../normal/answer.ts";
import { shownText } from "./tools.ts";

/** Events whose answer reaches the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
export function renderCopilot(
  event: ClientEvent,
  { context = "", updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  if (!contextEvents.has(event.name)) return undefined;
  const additionalContext = fitContext(context);
  const output = {
    ...(additionalContext !== "" && { additionalContext }),
    ...(event.name === "PostToolUse" && replaced(event.toolName, updatedToolOutput)),
  };
  return Object.keys(output).length > 0 ? output : undefined;
}

/** Nothing where the other result has no text: the client's own stays. */
function replaced(tool: string, response: unknown): Record<string, unknown> {
  if (response === undefined) return {};
  const text = shownText(response);
  if (text === "") return {};
  const textResultForLlm = tool === "Bash" ? `${text}\n<completed with exit code 0>` : text;
  return { modifiedResult: { textResultForLlm, resultType: "success" } };
}

// A reply as Codex reads it: one field that it does not know for an event, and it drops the whole answer.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { fitContext } from "../normal/answer.ts";

/** Events that take context, by Codex's own names: it knows no failed tool. */
const contextEvents: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "SessionStart"],
  ["UserPromptSubmit", "UserPromptSubmit"],
  ["PreToolUse", "PreToolUse"],
  ["PostToolUse", "PostToolUse"],
  ["PostToolUseFailure", "PostToolUse"],
  ["SubagentStart", "SubagentStart"],
]);

/** Events that take a message for the person and nothing else of memoir's. */
const messageEvents: ReadonlySet<ClientEventName> = new Set(["Stop", "SubagentStop"]);

/** What is longer becomes a file with a short preview: 2,500 tokens, which it counts as four bytes each. */
const mostBytes = 10_000;

/** A session that goes on, or is copied, has the context of its beginning still. */
const goesOn: ReadonlySet<string> = new Set(["resume", "fork"]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
export function renderCodex(
  event: ClientEvent,
  { context = "", systemMessage = "" }: Reply,
): Record<string, unknown> | undefined {
  const hookEventName = contextEvents.get(event.name);
  if (hookEventName === undefined && !messageEvents.has(event.name)) return undefined;
  const isGiven =
    hookEventName !== undefined && !(event.name === "SessionStart" && goesOn.has(event.source));
  const additionalContext = isGiven ? fit(context) : "";
  const message = fit(systemMessage);
  const output = {
    ...(message !== "" && { systemMessage: message }),
    ...(additionalContext !== "" && { hookSpecificOutput: { hookEventName, additionalContext } }),
  };
  return Object.keys(output).length > 0 ? output : undefined;
}

function fit(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return fitContext(text, read);
}

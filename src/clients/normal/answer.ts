// A reply in the form that Claude Code reads from a hook's stdout, and those who took it over.
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";

/** Clients turn a longer field into a file with a short preview. Counted in UTF-16 units. */
export const contextLimit = 10_000;

/** Events whose output may carry `additionalContext`; PreCompact, PostCompact and SessionEnd have no output at all. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "SubagentStart",
  "SubagentStop",
]);

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. `specific`: further fields
 * of the event's own output.
 */
export function renderNested(
  event: ClientEvent,
  { context = "", systemMessage }: Reply,
  specific: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> | undefined {
  if (!contextEvents.has(event.name)) return undefined;
  const given = fitContext(context);
  const own = { ...(given !== "" && { additionalContext: given }), ...specific };
  const output: Record<string, unknown> = {};
  if (systemMessage) output.systemMessage = fitContext(systemMessage);
  if (Object.keys(own).length > 0)
    output.hookSpecificOutput = { hookEventName: event.name, ...own };
  return Object.keys(output).length > 0 ? output : undefined;
}

/** At most `contextLimit` characters, cut at a line end where there is one, without half a surrogate pair. */
export function fitContext(text: string, limit: number = contextLimit): string {
  const whole = text.toWellFormed();
  if (whole.trim() === "") return "";
  if (whole.length <= limit) return whole;
  const line = whole.lastIndexOf("\n", limit);
  if (line > 0) return whole.slice(0, line);
  const code = whole.charCodeAt(limit - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return whole.slice(0, splitsPair ? limit - 1 : limit);
}

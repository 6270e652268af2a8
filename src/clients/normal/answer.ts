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
  { context, systemMessage }: Reply,
  specific: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> | undefined {
  if (!contextEvents.has(event.name)) return undefined;
  const additionalContext = fitContext(context);
  return nestedAnswer(fitContext(systemMessage), event.name, { additionalContext, ...specific });
}

/** The same of what was fitted already. `hookEventName`: as the client names the event. */
export function nestedAnswer(
  systemMessage: string | undefined,
  hookEventName: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const own = answerOf(fields);
  return answerOf({ systemMessage, hookSpecificOutput: own && { hookEventName, ...own } });
}

/** The object without the fields that are undefined; undefined where none is left. */
export function answerOf(
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/**
 * At most `limit` characters, cut at a line end where there is one, without half a surrogate pair; undefined for a text
 * that says nothing.
 */
export function fitContext(text = "", limit: number = contextLimit): string | undefined {
  const whole = text.toWellFormed();
  if (whole.trim() === "") return undefined;
  if (whole.length <= limit) return whole;
  const line = whole.lastIndexOf("\n", limit);
  if (line > 0) return whole.slice(0, line);
  const code = whole.charCodeAt(limit - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return whole.slice(0, splitsPair ? limit - 1 : limit);
}

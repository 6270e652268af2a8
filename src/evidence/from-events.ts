// Captured events as moments: what hooks told of a turn, and what was recovered from a transcript in their form.
import type { ClientEvent } from "../sdk/events.ts";
import { changingTools, readingTools, shellTools } from "../sdk/tool-kinds.ts";
import { recordOf, shorten, textField, textOf } from "../text/text.ts";
import { aboutTool } from "./commands.ts";
import { compactionText, notificationText, type Verdict, verdictOf } from "./dialogs.ts";
import { touchedSymbols } from "./files.ts";
import { symbolsLimit } from "./fit.ts";
import type { Moment, SpokenMoment, UsedTool } from "./moment.ts";

/** What one event tells of its turn; nothing where it tells nothing. `relative` shortens paths. */
export function momentsOfEvent(event: ClientEvent, relative: (path: string) => string): Moment[] {
  if (event.withheld) return [];
  const base = { time: event.time, ...(event.agent && { agent: event.agent.id }) };
  const words = (what: SpokenMoment["what"], text: string | undefined): Moment[] =>
    text === undefined || text.trim() === "" ? [] : [{ ...base, what, text: text.trim() }];
  switch (event.name) {
    case "UserPromptSubmit": {
      const report = notificationText(event.prompt);
      return report === undefined ? words("prompt", event.prompt) : words("report", report);
    }
    case "PostToolUse":
      return [
        {
          ...base,
          what: "tool",
          tool: slimTool({ ...toolOf(event), response: event.toolResponse }),
        },
      ];
    case "PostToolUseFailure": {
      const tool = toolOf(event);
      const verdict = event.isInterrupt
        ? (verdictOf(event.error) ?? { kind: "interrupted" as const })
        : verdictOf(event.error);
      return verdict
        ? [{ ...base, ...stopped(tool, verdict, relative) }]
        : [{ ...base, what: "tool", tool: slimTool({ ...tool, error: event.error }) }];
    }
    // The only event that a tool use has which was refused before it ran; all others have told of theirs.
    case "PostToolBatch":
      return event.toolCalls.flatMap((call) => {
        const verdict = verdictOf(textOf(call.toolResponse));
        return verdict ? [{ ...base, ...stopped(toolOf(call), verdict, relative) }] : [];
      });
    case "Stop":
      return words("said", event.lastAssistantMessage).map((said) => ({ ...said, last: true }));
    case "SubagentStop":
      return isCompacting(event.agent) ? [] : words("report", event.lastAssistantMessage);
    case "PostCompact":
      return words("compaction", compactionText(event.compactSummary ?? ""));
    default:
      return [];
  }
}

type Stopped = Pick<SpokenMoment, "what" | "text" | "about" | "toolUseId">;

function stopped(tool: UsedTool, verdict: Verdict, relative: (path: string) => string): Stopped {
  const of = { about: aboutTool(tool, relative), toolUseId: tool.id };
  return verdict.kind === "refused"
    ? { ...of, what: "refused", text: verdict.reason }
    : { ...of, what: "interrupted", text: "" };
}

/** The client tells its own summarizing as a subagent; its words are the compaction's. */
function isCompacting(agent: ClientEvent["agent"]): boolean {
  return agent?.type === "" || agent?.id.startsWith("acompact") === true;
}

function toolOf(event: { toolUseId: string; toolName: string; toolInput: unknown }): UsedTool {
  return { id: event.toolUseId, name: event.toolName, input: event.toolInput };
}

// A tool use without what no evidence is made of: whole files before and after a change, what was read, endless output.

/** More than is kept of an output, so that it can be shortened with care. */
const outputLimit = 16_000;

/** The same tool use, small: a turn of many hours fits into memory. */
export function slimTool(tool: UsedTool): UsedTool {
  const { id, name, input, response, error } = tool;
  if (changingTools.has(name) || readingTools.has(name)) {
    const path = textField(input, "file_path", "notebook_path") || textField(response, "filePath");
    const symbols = changingTools.has(name) && touchedSymbols(response, path, symbolsLimit);
    return {
      ...failed({ id, name, input: { file_path: path } }, error),
      ...(symbols && { symbols }),
    };
  }
  if (!shellTools.has(name)) return error === undefined ? tool : failed({ id, name, input }, error);
  const command = textField(input, "command");
  const slim = { id, name, input: { command, description: textField(input, "description") } };
  return error === undefined ? ran(slim, response) : failed(slim, error);
}

function failed(tool: UsedTool, error: string | undefined): UsedTool {
  if (error === undefined) return tool;
  const { text, leftOut } = shorten(error, outputLimit, true);
  return { ...tool, error: text, ...(leftOut > 0 && { omitted: leftOut }) };
}

function ran(tool: UsedTool, response: unknown): UsedTool {
  if (Array.isArray(response)) return { ...tool, response };
  const { backgroundTaskId } = recordOf(response);
  const whole =
    typeof response === "string"
      ? response
      : [textField(response, "stdout"), textField(response, "stderr")].filter(Boolean).join("\n");
  const { text, leftOut } = shorten(whole, outputLimit, true);
  return {
    ...tool,
    response: { stdout: text, ...(backgroundTaskId !== undefined && { backgroundTaskId }) },
    ...(leftOut > 0 && { omitted: leftOut }),
  };
}

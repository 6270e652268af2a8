// pi's events and tools in the normal form.
import { isAbsolute, join } from "node:path";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import {
  endedFields,
  endedUse,
  type NormalTool,
  normalName,
  patchOfDiff,
  patchOfStrings,
  ranCommand,
  resultText,
  type ToolResult,
} from "../normal/tools.ts";

type Json = Record<string, unknown>;

/** What memoir's extension sends, as Claude Code would have written it; undefined for what is no event of memoir's. */
export function normalPi(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { event, ctx } = payload;
  if (!isRecord(event) || !isRecord(ctx)) return payload;
  const told = fieldsOf(event, ctx);
  return told && { ...common(ctx), ...told };
}

function common({ cwd, sessionId, sessionFile, mode }: Json): Json {
  return {
    ...{ session_id: sessionId, cwd },
    ...(typeof sessionFile === "string" && { transcript_path: sessionFile }),
    ...(typeof mode === "string" && { mode }),
  };
}

function fieldsOf(event: Json, ctx: Json): Json | undefined {
  switch (event.type) {
    case "session_start":
      return { hook_event_name: "SessionStart", source: sourceOf(event.reason, ctx) };
    case "before_agent_start":
      return promptFields(event.prompt);
    case "input":
      // A prompt that begins a turn comes again, as it is sent to the model.
      return ctx.idle === false ? promptFields(event.text) : undefined;
    case "tool_call":
      return { hook_event_name: "PreToolUse", ...toolFields(event, ctx) };
    case "tool_result":
      return resultFields(event, ctx);
    case "agent_end":
      return { hook_event_name: "Stop", ...lastWords(event) };
    case "session_before_compact":
      return { hook_event_name: "PreCompact", trigger: triggerOf(event.reason) };
    case "session_compact": {
      const compact_summary = recordOf(event.compactionEntry).summary;
      const trigger = triggerOf(event.reason);
      return { hook_event_name: "PostCompact", trigger, compact_summary };
    }
    case "session_shutdown":
      return { hook_event_name: "SessionEnd", reason: event.reason };
    default:
      return undefined;
  }
}

/** pi calls a session that is taken up again on its command line a new start; `/new` is what others call `/clear`. */
function sourceOf(reason: unknown, { resumed }: Json): unknown {
  if (reason === "new") return "clear";
  if (reason === "startup" && resumed === true) return "resume";
  // Copied from its first prompt on it has no past.
  return reason === "fork" && resumed !== true ? "startup" : reason;
}

function triggerOf(reason: unknown): string {
  return reason === "manual" ? "manual" : "auto";
}

function promptFields(prompt: unknown): Json | undefined {
  const text = typeof prompt === "string" ? promptText(prompt) : prompt;
  return text === "" ? undefined : { hook_event_name: "UserPromptSubmit", prompt: text };
}

const skill = /^<skill name="[^"\n]*" location="[^"\n]*">\n[\s\S]*?\n<\/skill>\s*/;

/** What the person wrote: a skill's text stands before it where one was called. */
export function promptText(content: unknown): string {
  const text = resultText(content);
  const rest = text.replace(skill, "").trim();
  return rest === "" ? (/^<skill name="([^"\n]*)"/.exec(text)?.[1] ?? "") : rest;
}

function lastWords(event: Json): Json {
  const isSaid = (message: unknown) => textField(message, "role") === "assistant";
  const text = resultText(listField(event, "messages").findLast(isSaid)).trim();
  return text === "" ? {} : { last_assistant_message: text };
}

function toolFields({ toolName, toolCallId, input }: Json, ctx: Json): Json {
  if (typeof toolName !== "string") return { tool_name: toolName, tool_use_id: toolCallId };
  const tool = normalTool(toolName, input, textField(ctx, "cwd"));
  return { tool_name: tool.name, tool_input: tool.input, tool_use_id: toolCallId };
}

function resultFields(event: Json, ctx: Json): Json {
  const used = toolFields(event, ctx);
  const tool = { name: textField(used, "tool_name"), input: recordOf(used.tool_input) };
  const { content, details } = event;
  const result = normalResult(tool, content, details, event.isError === true, ctx.created === true);
  return { ...used, ...endedFields(result) };
}

const names: Readonly<Record<string, string>> = {
  bash: "Bash",
  powershell: "PowerShell",
  read: "Read",
  edit: "Edit",
  write: "Write",
  grep: "Grep",
  find: "Glob",
  ls: "LS",
};

/** The tool by its normal name, with the normal one's input. `cwd`: against which paths are meant; empty: nobody knows. */
export function normalTool(name: string, input: unknown, cwd: string): NormalTool {
  const fields = recordOf(input);
  const normal = normalName(names, name) ?? name;
  if (normal !== "Read" && normal !== "Edit" && normal !== "Write")
    return { name: normal, input: fields };
  const { path, edits, oldText, newText, ...rest } = fields;
  const file_path = typeof path === "string" ? placed(path, cwd) : path;
  if (normal !== "Edit") return { name: normal, input: { file_path, ...rest } };
  const changes = Array.isArray(edits) ? edits.map(changeOf) : [changeOf({ oldText, newText })];
  return changes.length === 1
    ? { name: "Edit", input: { file_path, ...changes[0], ...rest } }
    : { name: "MultiEdit", input: { file_path, edits: changes, ...rest } };
}

function changeOf(edit: unknown): { old_string: string; new_string: string } {
  return { old_string: textField(edit, "oldText"), new_string: textField(edit, "newText") };
}

/** The path as it is meant; one that needs the home folder stays. */
export function placed(path: string, cwd: string): string {
  return cwd === "" || isAbsolute(path) || path.startsWith("~") ? path : join(cwd, path);
}

const exited = /(?:^|\n\n)Command exited with code (-?\d{1,9})$/;
const aborted = /(?:^|\n\n)(?:Command|Operation) aborted$/;

/** How it ended. `tool`: in normal form. */
export function normalResult(
  tool: NormalTool,
  content: unknown,
  details: unknown,
  isError: boolean,
  created = false,
): ToolResult {
  const text = resultText(content);
  if (isError) {
    const exit = exited.exec(text);
    if (exit) return ranCommand(text.slice(0, exit.index), Number(exit[1]));
    return { error: text, isInterrupt: aborted.test(text) };
  }
  const { name, input } = tool;
  const diff = textField(details, "patch");
  if (name === "PowerShell") return ranCommand(text, 0);
  if (name === "MultiEdit") return editedPlaces(input, diff);
  const startLine = Number.isInteger(input.offset) ? Number(input.offset) : 1;
  return endedUse(tool, { text, startLine, created, diff: diff || undefined });
}

function editedPlaces(input: Json, diff: string): ToolResult {
  const edits = listField(input, "edits").map((edit) => ({
    oldString: textField(edit, "old_string"),
    newString: textField(edit, "new_string"),
  }));
  const structuredPatch = diff === "" ? edits.flatMap(patchOfStrings) : patchOfDiff(diff);
  return { response: { filePath: textField(input, "file_path"), edits, structuredPatch } };
}

/** A picture is no memory. */
export function withoutPictures(parts: readonly unknown[]): unknown[] {
  return parts.filter((part) => textField(part, "type") !== "image");
}

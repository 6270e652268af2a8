// The Cursor adapter, by its documented payloads: events and tools by names of its own, results as JSON in a text.

import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/values.ts";
import type { ClientAdapter } from "../adapter.ts";
import { fitContext } from "../normal/answer.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import type { NormalTool, ToolResult } from "../normal/tools.ts";
import {
  editedFile,
  outcomeFields,
  ranCommand,
  readFile,
  resultText,
  writtenFile,
} from "../normal/tools.ts";
import { cursorRegistration } from "./registration.ts";
import { cursorTranscripts } from "./transcripts.ts";

// A reply as Cursor reads it, by its documentation. What it asks before a prompt or a tool it takes for a permission: nothing is said there.

const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
function renderCursor(
  event: ClientEvent,
  { context = "" }: Reply,
): Record<string, unknown> | undefined {
  const additional_context = contextEvents.has(event.name) ? fitContext(context) : "";
  return additional_context === "" ? undefined : { additional_context };
}

// Cursor's tools in the normal form.

const names: Readonly<Record<string, string>> = {
  Shell: "Bash",
  run_terminal_cmd: "Bash",
  read_file: "Read",
  edit_file: "Edit",
  StrReplace: "Edit",
  search_replace: "Edit",
  write: "Write",
  grep: "Grep",
  WebFetch: "WebFetch",
  WebSearch: "WebSearch",
  Task: "Task",
};

/** memoir's own tools, where nobody says whose a server's tool is. */
const own: ReadonlySet<string> = new Set(["search", "timeline", "get", "recall"]);

/** The tool by its normal name, with the normal one's input. `server`: whose tool it is, where the payload says that. */
function normalTool(name: string, input: unknown, server: string): NormalTool {
  const fields = recordOf(typeof input === "string" ? parsed(input) : input);
  if (name.startsWith("MCP:")) return { name: serverTool(name.slice(4), server), input: fields };
  const normal = (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
  const { path, target_file, contents, ...rest } = fields;
  const file_path = fields.file_path ?? path ?? target_file;
  switch (normal) {
    case "Read":
      return { name: normal, input: { ...rest, file_path } };
    case "Edit":
    case "Write": {
      // It calls a change a writing too.
      const isEdit = typeof fields.old_string === "string";
      if (isEdit) return { name: "Edit", input: { ...rest, file_path } };
      return { name: normal, input: { ...rest, file_path, content: contents ?? rest.content } };
    }
    default:
      return { name: normal, input: fields };
  }
}

/** `MCP:tool`, or with the server between them. */
function serverTool(name: string, server: string): string {
  const at = name.indexOf(":");
  if (at > 0) return `mcp__${name.slice(0, at)}__${name.slice(at + 1)}`;
  return `mcp__${server || (own.has(name) ? "memoir" : "server")}__${name}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How it ended: JSON in a text, or a text alone. */
function normalResult({ name, input }: NormalTool, output: unknown): ToolResult {
  const value = typeof output === "string" ? (parsed(output) ?? output) : output;
  const fields = recordOf(value);
  const path = textField(input, "file_path");
  switch (name) {
    case "Bash": {
      const { exitCode, exit_code } = fields;
      const exit = [exitCode, exit_code].find((one) => typeof one === "number");
      const printed = [textField(fields, "output", "stdout"), textField(fields, "stderr")];
      const text = isRecord(value) ? printed.filter(Boolean).join("\n") : resultText(value);
      return ranCommand(text, exit as number | undefined);
    }
    case "Read":
      return readFile(path, textField(fields, "contents", "content") || resultText(value));
    case "Write":
      return writtenFile(path, textField(input, "content"), true);
    case "Edit": {
      const diff = textField(fields, "diff");
      return editedFile(path, {
        oldString: textField(input, "old_string"),
        newString: textField(input, "new_string"),
        ...(diff !== "" && { diff }),
      });
    }
    default:
      if (fields.isError === true) return { error: resultText(value) };
      return { response: value ?? "" };
  }
}

const exited = /^Command failed with exit code (-?\d{1,9})\b[.:]?\s*/;

/** What a failed tool said: of a command as the normal form has it, where the number is known. */
function failure({ name }: NormalTool, said: string): string {
  const [begin, code] = exited.exec(said) ?? [];
  if (name !== "Bash" || begin === undefined) return said;
  const rest = said.slice(begin.length);
  return `Exit code ${code}${rest === "" ? "" : `\n${rest}`}`;
}

// Cursor's payloads in the normal form.

type Json = Record<string, unknown>;

/** Its names of events. Claude Code's settings may have it spell them otherwise: the first letter does not count. */
const events: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  beforeSubmitPrompt: "UserPromptSubmit",
  userPromptSubmit: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  stop: "Stop",
  preCompact: "PreCompact",
};

/** The event's normal name; its own for one that tells the same again, or nothing. */
function eventOf(name: string): string {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return (Object.hasOwn(events, key) ? events[key] : undefined) ?? name;
}

/** The payload as Claude Code would have written it; undefined for an empty prompt. `id` stands in where a tool use has none. */
function normalCursor(payload: unknown, id: string): unknown {
  if (!isRecord(payload) || typeof payload.hook_event_name !== "string") return payload;
  const event = eventOf(payload.hook_event_name);
  const [root] = listField(payload, "workspace_roots");
  const path = textField(payload, "transcript_path");
  const turn = textField(payload, "generation_id");
  const agent = textField(payload, "subagent_id", "agent_id");
  const type = textField(payload, "subagent_type", "agent_type");
  const session = textField(payload, "conversation_id", "session_id");
  const cwd = textField(payload, "cwd") || (typeof root === "string" ? root : "");
  const shared = {
    ...(session !== "" && { session_id: session }),
    // The program has an empty one where the editor has the folder.
    ...(cwd !== "" && { cwd }),
    hook_event_name: event,
    ...(path !== "" && { transcript_path: path }),
    // It is another with each of a person's messages.
    ...(turn !== "" && { prompt_id: turn }),
    ...(agent !== "" && { agent_id: agent }),
    ...(type !== "" && { agent_type: type }),
  };
  const used = textField(payload, "tool_name");
  if (used !== "") return toolUse(payload, used, shared, id);
  if (event !== "UserPromptSubmit") return { ...shared, ...fieldsOf(event, payload) };
  if (typeof payload.prompt !== "string") return shared;
  const prompt = payload.prompt.trim();
  return prompt === "" ? undefined : { ...shared, prompt };
}

function toolUse(payload: Json, used: string, shared: Json, id: string): Json {
  const tool = normalTool(used, payload.tool_input, textField(payload, "mcp_server_name"));
  const given = textField(payload, "tool_use_id").trim();
  const told = {
    ...shared,
    ...{ tool_name: tool.name, tool_input: tool.input },
    // A line feed may stand in it.
    tool_use_id: given === "" ? id : given.replace(/\s+/g, "-"),
  };
  const duration = typeof payload.duration === "number" ? { duration_ms: payload.duration } : {};
  switch (shared.hook_event_name) {
    case "PostToolUse": {
      const result = normalResult(tool, payload.tool_output ?? payload.tool_response);
      const hook_event_name = "error" in result ? "PostToolUseFailure" : "PostToolUse";
      return { ...told, ...duration, hook_event_name, ...outcomeFields(result) };
    }
    case "PostToolUseFailure": {
      const error = textField(payload, "error_message", "error");
      const isInterrupt =
        payload.is_interrupt === true || payload.failure_type === "permission_denied";
      const failed = error === "" ? {} : { error: failure(tool, error) };
      return { ...told, ...duration, ...failed, is_interrupt: isInterrupt };
    }
    default:
      return told;
  }
}

/** What an event of no tool says beside that. */
function fieldsOf(event: string, payload: Json): Json {
  const { reason, trigger, status } = recordOf(payload);
  const said = textField(payload, "last_assistant_message", "summary", "result");
  switch (event) {
    case "SessionStart":
      return { source: textField(payload, "source") || "startup" };
    case "SessionEnd":
      return { reason };
    case "PreCompact":
      return { trigger };
    case "Stop":
      return { status };
    case "SubagentStop": {
      const path = textField(payload, "agent_transcript_path");
      return {
        ...(said !== "" && { last_assistant_message: said }),
        ...(path !== "" && { agent_transcript_path: path }),
      };
    }
    default:
      return {};
  }
}

export const cursorAdapter: ClientAdapter = {
  name: "cursor",
  parse(payload, delivery) {
    const normal = normalCursor(payload, delivery.id);
    return normal === undefined ? undefined : parsePayload("cursor", normal, delivery);
  },
  original: (payload) => originalOf(normalCursor(payload, "")),
  render: renderCursor,
  registration: cursorRegistration,
  transcripts: cursorTranscripts,
};

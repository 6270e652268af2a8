// The Cursor adapter, by its documented payloads: events and tools by names of its own, results as JSON in a text.

import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type { ClientAdapter, ClientTranscripts } from "../adapter.ts";
import { describedRegistration } from "../described/adapter.ts";
import { diskPath } from "../described/places.ts";
import { answerOf, byNormalForm, fitContext } from "../normal/payload.ts";
import {
  endedFields,
  endedUse,
  type NormalTool,
  normalName,
  resultText,
  type ToolForms,
  type ToolResult,
  toolByForms,
} from "../normal/tools.ts";

// A reply as Cursor reads it, by its documentation. What it asks before a prompt or a tool it takes for a permission: nothing is said there.

const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
function render({ name }: ClientEvent, { context }: Reply): Record<string, unknown> | undefined {
  return contextEvents.has(name)
    ? answerOf({ additional_context: fitContext(context) })
    : undefined;
}

// Cursor's tools in the normal form.

const path = { path: "file_path", target_file: "file_path" };
const forms: ToolForms = {
  names: {
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
  },
  fields: { Read: path, Edit: path, Write: { ...path, contents: "content" } },
  other: (name) => name,
};

/** memoir's own tools, where nobody says whose a server's tool is. */
const own: ReadonlySet<string> = new Set(["search", "timeline", "get", "recall"]);

/** The tool by its normal name, with the normal one's input. `server`: whose tool it is, where the payload says that. */
function normalTool(name: string, input: unknown, server: string): NormalTool {
  const fields = recordOf(typeof input === "string" ? parseJson(input) : input);
  if (name.startsWith("MCP:")) return { name: serverTool(name.slice(4), server), input: fields };
  const tool = toolByForms(forms, name, fields);
  // It calls a change a writing too.
  const isEdit = tool.name === "Write" && typeof fields.old_string === "string";
  return isEdit ? { ...tool, name: "Edit" } : tool;
}

/** `MCP:tool`, or with the server between them. */
function serverTool(name: string, server: string): string {
  const at = name.indexOf(":");
  if (at > 0) return `mcp__${name.slice(0, at)}__${name.slice(at + 1)}`;
  return `mcp__${server || (own.has(name) ? "memoir" : "server")}__${name}`;
}

/** How it ended: JSON in a text, or a text alone. */
function normalResult(tool: NormalTool, output: unknown): ToolResult {
  const value = typeof output === "string" ? (parseJson(output) ?? output) : output;
  const fields = recordOf(value);
  const text = resultText(value);
  switch (tool.name) {
    case "Bash": {
      const { exitCode, exit_code } = fields;
      const exit = [exitCode, exit_code].find((one) => typeof one === "number");
      const printed = [textField(fields, "output", "stdout"), textField(fields, "stderr")];
      return endedUse(tool, {
        text: isRecord(value) ? printed.filter(Boolean).join("\n") : text,
        exit: exit as number | undefined,
      });
    }
    case "Read":
      return endedUse(tool, { text: textField(fields, "contents", "content") || text });
    case "Write":
    case "Edit":
      return endedUse(tool, { text, diff: textField(fields, "diff") || undefined });
    default:
      return fields.isError === true ? { error: text } : { response: value ?? "" };
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
  return normalName(events, key) ?? name;
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
  const use = {
    ...shared,
    ...{ tool_name: tool.name, tool_input: tool.input },
    // A line feed may stand in it.
    tool_use_id: given === "" ? id : given.replace(/\s+/g, "-"),
  };
  const duration = typeof payload.duration === "number" ? { duration_ms: payload.duration } : {};
  switch (shared.hook_event_name) {
    case "PostToolUse": {
      const result = normalResult(tool, payload.tool_output ?? payload.tool_response);
      return { ...use, ...duration, ...endedFields(result) };
    }
    case "PostToolUseFailure": {
      const error = textField(payload, "error_message", "error");
      const isInterrupt =
        payload.is_interrupt === true || payload.failure_type === "permission_denied";
      const failed = error === "" ? {} : { error: failure(tool, error) };
      return { ...use, ...duration, ...failed, is_interrupt: isInterrupt };
    }
    default:
      return use;
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

// Cursor's settings: hooks in a list of its own form, and MCP servers in a file of their own.

/** Not before a tool: an answer that is missing or late might stop it there. */
const hookNames = {
  SessionStart: "sessionStart",
  UserPromptSubmit: "beforeSubmitPrompt",
  PostToolUse: "postToolUse",
  PostToolUseFailure: "postToolUseFailure",
  Stop: "stop",
  SubagentStop: "subagentStop",
  SessionEnd: "sessionEnd",
  PreCompact: "preCompact",
};

const registration = describedRegistration({
  program: "cursor-agent",
  folder: "~/.cursor",
  install: [
    { path: "mcp.json", server: {} },
    // Without a timeout: sources differ on the unit it counts in.
    { path: "hooks.json", hooks: { events: hookNames, timeout: "none", flat: 1 } },
  ],
});

// Cursor's transcripts: `~/.cursor/projects/<project>/agent-transcripts/…/<session>.jsonl`. Its lines have no times and its tool uses no ids: only the last words are read.

const transcripts: ClientTranscripts = {
  folder: (env) => diskPath("~/.cursor/projects", env),
  // Without times nothing in it can be put in order: it is no history.
  about: async () => undefined,
  normalLine,
  fillsIn: true,
};

function normalLine({ role, message }: Json): Json | undefined {
  if ((role !== "assistant" && role !== "user") || !isRecord(message)) return undefined;
  const content = listField(message, "content")
    .map((block) => textField(block, "text"))
    .filter(Boolean)
    .map((text) => ({ type: "text", text }));
  if (content.length === 0) return undefined;
  return { type: role, message: { role, content } };
}

export const adapter: ClientAdapter = {
  ...byNormalForm("cursor", normalCursor),
  render,
  registration,
  transcripts,
};

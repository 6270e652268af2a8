// The Grok Build adapter: Claude Code's events, each field in two spellings, with tools and results of its own.
import { isRecord, recordOf, textField } from "../../text/text.ts";
import type { ClientAdapter } from "../adapter.ts";
import { describedRegistration } from "../described/adapter.ts";
import { byNormalForm, eventsBut, renderNested } from "../normal/payload.ts";
import {
  editedFile,
  endedFields,
  type NormalTool,
  ranCommand,
  readFile,
  type ToolForms,
  type ToolResult,
  toolByForms,
  writtenFile,
} from "../normal/tools.ts";

const events = eventsBut("PostToolBatch", "SubagentStart", "SubagentStop", "PostCompact");

export const adapter: ClientAdapter = {
  ...byNormalForm("grok", normalGrok),
  render: (event, reply) => renderNested(event, reply),
  registration: describedRegistration({
    program: "grok",
    folder: "~/.grok",
    install: [
      { path: "hooks/memoir.json", hooks: { events } },
      { path: "config.toml", server: { toml: true } },
    ],
  }),
};

/** The payload as Claude Code would have written it; undefined for what is no event of a person's session. */
function normalGrok(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { hook_event_name: name, session_id, cwd, promptId, reason } = payload;
  if (payload.subagentType !== undefined) return undefined;
  const said = textField(payload, "prompt");
  // What ran in the background reports in the person's place.
  if (name === "UserPromptSubmit" && (said.trim() === "" || /-completed-/.test(String(promptId))))
    return undefined;
  // Grok says at its end that it stops, too.
  if (name === "Stop" && reason !== "end_turn") return undefined;
  const message = textField(payload, "lastAssistantMessage");
  const common = {
    ...{ session_id, cwd, hook_event_name: name },
    ...(promptId !== undefined && { prompt_id: promptId }),
    ...(said !== "" && { prompt: payload.prompt }),
    ...(message !== "" && { last_assistant_message: message }),
    ...(name === "SessionStart" && {
      source: payload.source === "new" ? "startup" : payload.source,
    }),
    ...(name === "SessionEnd" && { reason }),
  };
  if (typeof payload.tool_name !== "string") return common;
  const tool = normalTool(payload.tool_name, recordOf(payload.tool_input));
  const { tool_use_id, duration_ms } = payload;
  const used = {
    ...common,
    tool_use_id,
    duration_ms,
    tool_name: tool.name,
    tool_input: tool.input,
  };
  if (name === "PostToolUseFailure") {
    const { error, is_interrupt } = payload;
    return { ...used, error: typeof error === "string" ? error : "", is_interrupt };
  }
  if (name !== "PostToolUse") return used;
  return { ...used, ...endedFields(normalResult(tool, recordOf(payload.tool_response))) };
}

const forms: ToolForms = {
  names: {
    run_terminal_command: "Bash",
    read_file: "Read",
    search_replace: "Edit",
    write: "Write",
    grep: "Grep",
    list_dir: "LS",
    spawn_subagent: "Task",
  },
  fields: { Read: { target_file: "file_path" }, LS: { target_directory: "path" } },
  other: (name) => name,
};

/** The tool by its normal name, with the normal one's input. */
function normalTool(name: string, input: Readonly<Record<string, unknown>>): NormalTool {
  // `server__tool`, called by one tool for all servers, which its input names again.
  if (name.includes("__") && input.tool_name === name)
    return { name: `mcp__${name}`, input: recordOf(input.tool_input) };
  return toolByForms(forms, name, input);
}

/** How a tool ended: one member says it, or a failure by its name. */
function normalResult(
  { name, input }: NormalTool,
  response: Readonly<Record<string, unknown>>,
): ToolResult {
  const { type, FileContent: content, EditsApplied: edits, exit_code: exit } = response;
  const shown = textField(response, "output_for_prompt", "text", "summary");
  switch (type) {
    case "Bash":
      return ranCommand(
        shown.replace(/^exit: -?\d{1,9}\n/, ""),
        typeof exit === "number" ? exit : undefined,
      );
    case "ReadFile": {
      if (!isRecord(content)) return { error: failure(response) };
      const start = typeof content.offset === "number" ? content.offset : 1;
      return readFile(textField(input, "file_path"), textField(content, "raw_output"), start);
    }
    case "SearchReplace": {
      if (!isRecord(edits)) return { error: failure(response) };
      const path = textField(edits, "absolute_path");
      const oldString = textField(edits, "old_string");
      const newString = textField(edits, "new_string");
      return name === "Write"
        ? writtenFile(path, newString, oldString === "")
        : editedFile(path, { oldString, newString });
    }
    case "MCP":
      return { response: textField(response.output, "OkayOutput") || response.output };
    default:
      return { response: shown || response };
  }
}

/** `{ FileNotFound: "…" }`, `{ NoMatchesFound: { message: "…" } }`. */
function failure({ type: _type, ...rest }: Readonly<Record<string, unknown>>): string {
  const [name = "", said] = Object.entries(rest)[0] ?? [];
  return typeof said === "string" ? said : textField(said, "message") || name;
}

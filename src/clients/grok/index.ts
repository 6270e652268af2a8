// The Grok Build adapter: Claude Code's events, each field in two spellings, with tools and results of its own.
import { join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { isRecord, recordOf, textField } from "../../text/text.ts";
import type { ClientAdapter } from "../adapter.ts";
import { serverTable } from "../codex/toml.ts";
import { renderNested } from "../normal/answer.ts";
import { byNormalForm } from "../normal/parse.ts";
import { hooksPart } from "../normal/registration.ts";
import {
  editedFile,
  endedFields,
  type NormalTool,
  ranCommand,
  readFile,
  type ToolResult,
  writtenFile,
} from "../normal/tools.ts";

const events: readonly ClientEventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SessionEnd",
  "PreCompact",
];

const folder = (env: Environment) => join(userHome(env), ".grok");

export const adapter: ClientAdapter = {
  ...byNormalForm("grok", normalGrok),
  render: (event, reply) => renderNested(event, reply),
  registration: {
    program: "grok",
    folder,
    events,
    files: (place) => [
      { path: join(folder(place.env), "hooks/memoir.json"), parts: [hooksPart(place)] },
      { path: join(folder(place.env), "config.toml"), parts: [serverTable(place)] },
    ],
  },
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

/** The tool by its normal name, with the normal one's input. */
function normalTool(name: string, input: Readonly<Record<string, unknown>>): NormalTool {
  const { target_file, target_directory, tool_input, ...rest } = input;
  switch (name) {
    case "run_terminal_command":
      return { name: "Bash", input: rest };
    case "read_file":
      return { name: "Read", input: { file_path: target_file, ...rest } };
    case "search_replace":
      return { name: "Edit", input: rest };
    case "write":
      return { name: "Write", input: rest };
    case "grep":
      return { name: "Grep", input: rest };
    case "list_dir":
      return { name: "LS", input: { path: target_directory } };
    case "spawn_subagent":
      return { name: "Task", input: rest };
    default: {
      // `server__tool`, called by one tool for all servers, which its input names again.
      const isServers = name.includes("__") && input.tool_name === name;
      return isServers ? { name: `mcp__${name}`, input: recordOf(tool_input) } : { name, input };
    }
  }
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

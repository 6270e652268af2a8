// The Factory droid adapter: Claude Code's events with tools of its own, without ids, and without a word of what failed.

import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type { ClientAdapter, ClientTranscripts } from "../adapter.ts";
import { describedRegistration } from "../described/adapter.ts";
import { diskPath } from "../described/places.ts";
import { byNormalForm, eventsBut, renderNested } from "../normal/payload.ts";
import {
  endedFields,
  endedUse,
  exitIn,
  type Hunk,
  type NormalTool,
  resultText,
  serverTool,
  type ToolForms,
  type ToolResult,
  toolByForms,
} from "../normal/tools.ts";

// Factory droid's transcripts: `~/.factory/sessions/<project>/<session>.jsonl`, Anthropic's messages in lines of its own.

const droidTranscripts: ClientTranscripts = {
  folder: (env) => diskPath("~/.factory/sessions", env),
  normalLine,
  outcome: ({ name, input, result }) =>
    result && normalResult({ name, input: recordOf(input) }, result.content, result.isError),
  fillsIn: true,
};

type Json = Record<string, unknown>;

function normalLine(value: Json): Json | undefined {
  const { type, id, parentId, timestamp, message } = value;
  // The first line has the folder, which no other has.
  if (type === "session_start")
    return { type: "system", subtype: "start", cwd: value.cwd, uuid: id };
  if (type !== "message" || !isRecord(message)) return undefined;
  // What only the person sees are its own notes of hooks; what only the model sees, its own words.
  if (message.visibility !== undefined) return undefined;
  const { role } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  const content = listField(message, "content").map(block);
  if (content.length === 0) return undefined;
  const shared = { type: role, uuid: id, parentUuid: parentId, timestamp };
  return { ...shared, message: { role, id, model: value.modelId, content } };
}

function block(value: unknown): unknown {
  if (textField(value, "type") !== "tool_use") return value;
  const { name, input, ...rest } = recordOf(value);
  return { ...rest, ...normalTool(typeof name === "string" ? name : "", input) };
}

// Factory droid's settings: hooks in Claude Code's form, and MCP servers in a file of their own.

const events = eventsBut("PostToolUseFailure", "PostToolBatch", "SubagentStart", "PostCompact");

export const adapter: ClientAdapter = {
  ...byNormalForm("droid", normalDroid),
  // Whether it takes another result for a tool's was never tried: what `live` would say is left out.
  render: (event, reply) => renderNested(event, reply),
  registration: describedRegistration({
    program: "droid",
    folder: "~/.factory",
    install: [
      { path: "settings.json", hooks: { events } },
      { path: "mcp.json", server: { more: { type: "stdio" } } },
    ],
  }),
  transcripts: droidTranscripts,
};

// Factory droid's payloads and tools in the normal form.

/** The payload as Claude Code would have written it. Its tool uses have no id: `id` stands in until the transcript tells. */
function normalDroid(payload: unknown, id: string): unknown {
  if (!isRecord(payload)) return payload;
  // Its context goes with one request only: a session that continues knows none of it.
  if (payload.hook_event_name === "SessionStart" && payload.source === "resume")
    return { ...payload, source: "startup" };
  if (typeof payload.tool_name !== "string") return payload;
  const { tool_response: response, ...fields } = payload;
  const tool = normalTool(payload.tool_name, payload.tool_input);
  const used = {
    ...{ ...fields, tool_name: tool.name, tool_input: tool.input },
    tool_use_id: textField(payload, "tool_use_id") || id,
  };
  if (payload.hook_event_name !== "PostToolUse") return used;
  return { ...used, ...endedFields(normalResult(tool, response, false)) };
}

const forms: ToolForms = {
  names: { Execute: "Bash", Create: "Write", FetchUrl: "WebFetch" },
  fields: {
    Bash: { summary: "description" },
    Edit: { old_str: "old_string", new_str: "new_string", change_all: "replace_all" },
  },
  other: (name) => serverTool(name, "{server}___{tool}"),
};

function normalTool(name: string, input: unknown): NormalTool {
  const fields = Object.entries(recordOf(input)).filter(([field, value]) =>
    name === "Execute"
      ? field === "command" || field === "summary"
      : field !== "change_all" || value === true,
  );
  return toolByForms(forms, name, Object.fromEntries(fields));
}

const exited = /\[Process exited with code (-?\d{1,9})\]\s*$/;
const failedCommand = /^Error: Command failed \(exit code: (-?\d{1,9})\)\n?/;

/** How it ended, from the text that the model saw. */
function normalResult(tool: NormalTool, response: unknown, isError: boolean): ToolResult {
  const text = resultText(response);
  if (tool.name === "Bash") {
    const exit = exitIn(text, exited) ?? exitIn(text, failedCommand);
    const output = text.replace(failedCommand, "").replace(exited, "").trimEnd();
    return exit === undefined && isError
      ? { error: output }
      : endedUse(tool, { text: output, exit });
  }
  if (isError) return { error: text.replace(/^Error: /, "") };
  const ended = endedUse(tool, { text });
  const hunks = tool.name === "Edit" ? hunksOf(text) : [];
  if (hunks.length === 0 || !("response" in ended)) return ended;
  return { response: { ...recordOf(ended.response), structuredPatch: hunks } };
}

/** Its list of lines, old and new, as hunks. */
function hunksOf(text: string): Hunk[] {
  const hunks: Hunk[] = [];
  let last = Number.NaN;
  for (const line of listField(parseJson(text), "diffLines")) {
    const { old, new: now } = recordOf(recordOf(line).lineNumber);
    const [before, after] = [numberOf(old), numberOf(now)];
    const at = before ?? after ?? 1;
    let hunk = hunks.at(-1);
    if (!hunk || Math.abs(at - last) > 1 + hunk.lines.length) {
      hunk = { oldStart: before ?? at, oldLines: 0, newStart: after ?? at, newLines: 0, lines: [] };
      hunks.push(hunk);
    }
    last = at;
    const type = textField(line, "type");
    const mark = type === "added" ? "+" : type === "removed" ? "-" : " ";
    if (mark !== "+") hunk.oldLines++;
    if (mark !== "-") hunk.newLines++;
    hunk.lines.push(mark + textField(line, "content"));
  }
  return hunks;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

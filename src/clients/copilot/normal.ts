// GitHub Copilot CLI's tools and transcripts in the normal form.
import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import type { TranscriptEntry } from "../../transcript/entry.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type { ClientTranscripts } from "../adapter.ts";
import {
  endedUse,
  exitIn,
  type FilePatch,
  fileId,
  type NormalTool,
  normalName,
  patchedFiles,
  type ToolForms,
  type ToolResult,
  toolByForms,
  toolOfPatch,
} from "../normal/tools.ts";

/** By its own names; hooks in Claude Code's spelling have the normal one already. */
const forms: ToolForms = {
  names: {
    bash: "Bash",
    powershell: "Bash",
    view: "Read",
    edit: "Edit",
    apply_patch: "Edit",
    create: "Write",
    grep: "Grep",
    rg: "Grep",
    glob: "Glob",
    task: "Task",
    Agent: "Task",
    web_fetch: "WebFetch",
    web_search: "WebSearch",
  },
  fields: {
    Read: { path: "file_path" },
    Edit: { path: "file_path", old_str: "old_string", new_str: "new_string" },
    Write: { path: "file_path", file_text: "content" },
    Task: { agent_type: "subagent_type" },
  },
  other: serverTool,
};

/** A server's tool is `server-tool`, and servers' names have dashes more often than tools'. */
function serverTool(name: string): string {
  const at = name.startsWith("memoir-") ? "memoir".length : name.lastIndexOf("-");
  return at > 0 ? `mcp__${name.slice(0, at)}__${name.slice(at + 1)}` : name;
}

/** The tool by its normal name, with the normal one's input. Of a patch one file: a hook tells the first, the transcript all. */
export function normalTool(name: string, args: unknown, cwd: string, at = 0): NormalTool {
  const file = patchOf(name, args)[at];
  if (file) return toolOfPatch(file, cwd);
  const tool = toolByForms(forms, name, fieldsOf(args));
  if (tool.name !== "Read") return tool;
  const { view_range, ...input } = tool.input;
  return { name: "Read", input: { ...input, ...rangeOf(view_range) } };
}

/** The files of a patch; none where the tool is another. Its own spelling has the patch as JSON, or bare. */
function patchOf(name: string, args: unknown): FilePatch[] {
  if (typeof args !== "string" || (name !== "apply_patch" && name !== "Edit")) return [];
  return patchedFiles(textOf(args));
}

function textOf(args: string): string {
  const value = parseJson(args);
  return typeof value === "string" ? value : args;
}

/** Its own spelling may have a text of JSON in the place of an object. */
function fieldsOf(args: unknown): Record<string, unknown> {
  if (typeof args !== "string") return recordOf(args);
  const value = parseJson(args);
  return isRecord(value) ? value : { input: args };
}

function rangeOf(range: unknown): Record<string, number> {
  const [from, to] = Array.isArray(range) ? (range as unknown[]) : [];
  if (typeof from !== "number") return {};
  return { offset: from, ...(typeof to === "number" && to >= from && { limit: to - from + 1 }) };
}

/**
 * The id of a tool use that ended: no hook has one, and its transcript says which hook ran when, and for what. So it is
 * made of these, as both have them. It may stand in a shell's command.
 */
export function toolId(time: number, name: string, args: unknown): string {
  const input = typeof args === "string" ? (parseJson(args) ?? args) : args;
  const fields = isRecord(input)
    ? Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1))
    : input;
  const said = JSON.stringify([normalName(forms.names, name) ?? serverTool(name), fields]);
  return `copilot-${time}-${createHash("sha256").update(said).digest("hex").slice(0, 8)}`;
}

const exitMark =
  /\n?<(?:shellId: [^\s<>]+|command) (?:completed|exited) with exit code (-?\d{1,9})>\s*$/;

/** It calls that a success, and nothing was read. */
const tooLarge = /^File too large to read at once \(/;

/** How it ended, from the text that the model saw. `type`: Copilot's word for it; `diff`: where the transcript has one. */
export function normalResult(tool: NormalTool, text: string, type: string, diff = ""): ToolResult {
  if (type !== "" && type !== "success")
    return { error: text, isInterrupt: type === "rejected" || type === "denied" };
  if (tool.name === "Read" && tooLarge.test(text)) return { error: text };
  const isCommand = tool.name === "Bash";
  return endedUse(tool, {
    // What a command printed may end like that itself: the client's own comes last.
    text: isCommand ? text.replace(exitMark, "") : text,
    exit: isCommand ? exitIn(text, exitMark) : undefined,
    diff: diff || undefined,
  });
}

/** A result in normal form as the text that a model reads. */
export function shownText(response: unknown): string {
  if (typeof response === "string") return response;
  const { stdout, file } = recordOf(response);
  if (typeof stdout === "string") return stdout;
  if (isRecord(file)) return textField(file, "content");
  const blocks = Array.isArray(response) ? (response as unknown[]) : listField(response, "content");
  return blocks.map((block) => textField(block, "text")).join("\n");
}

// GitHub Copilot CLI's transcripts: `~/.copilot/session-state/<session>/events.jsonl`, one event of its own in each line.

/** Where Copilot keeps its own files: `COPILOT_HOME`, else `~/.copilot`. */
export function copilotFolder(env: Environment): string {
  return env.COPILOT_HOME ? resolve(env.COPILOT_HOME) : join(userHome(env), ".copilot");
}

const file = "events.jsonl";

export const copilotTranscripts: ClientTranscripts = {
  folder: (env) => join(copilotFolder(env), "session-state"),
  pathOf: (session, env) => join(copilotTranscripts.folder(env), session, file),
  sessionOf: (_name, path) => basename(dirname(path)),
  // Beside it lie files of the session's own making.
  about: async (path) => (basename(path) === file ? {} : undefined),
  normalLine,
  outcome({ name, input, result }) {
    if (!result) return undefined;
    const { text, type, diff } = recordOf(result.structured);
    const tool = { name, input: recordOf(input) };
    return normalResult(tool, String(text ?? ""), String(type ?? ""), String(diff ?? ""));
  },
  reported,
  reaches: (event, entry) => stopped(entry) >= timeOf(event),
  fillsIn: true,
};

type Json = Record<string, unknown>;

function normalLine({ type, data, id, timestamp, agentId }: Json): Json | undefined {
  const made = entryOf(type, recordOf(data));
  if (!made) return undefined;
  const agent = typeof agentId === "string" ? { isSidechain: true, agentId } : {};
  return { uuid: id, timestamp, ...agent, ...made };
}

function entryOf(type: unknown, data: Json): Json | undefined {
  switch (type) {
    case "session.start":
    case "session.resume":
      return place(recordOf(data.context), data.copilotVersion);
    case "user.message":
      return prompt(data);
    case "assistant.message":
      return answer(data);
    case "tool.execution_complete":
      return ended(data);
    case "hook.start":
      return hook(textField(data, "hookType"), recordOf(data.input));
    default:
      return undefined;
  }
}

/** Where it works; no other line says that. */
function place({ cwd, branch }: Json, version: unknown): Json | undefined {
  if (typeof cwd !== "string") return undefined;
  return { type: "system", subtype: "start", cwd, gitBranch: branch, version };
}

/** `content` is what was typed; what hooks added stands beside it. A source is named where nobody typed it. */
function prompt({ content, source }: Json): Json | undefined {
  if (typeof content !== "string" || content.trim() === "") return undefined;
  if (typeof source === "string" && source !== "user" && !source.startsWith("agent-"))
    return undefined;
  const text = content.trim();
  return { type: "user", message: { role: "user", content: [{ type: "text", text }] } };
}

function answer(data: Json): Json | undefined {
  const { content, messageId, model } = data;
  const said =
    typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
  const blocks = [...said, ...listField(data, "toolRequests").flatMap(asked)];
  if (blocks.length === 0) return undefined;
  const message = { role: "assistant", id: messageId, model, content: blocks };
  return { type: "assistant", message };
}

/** The tool uses of a request: one, but of a patch one for each file. */
function asked(request: unknown): Json[] {
  const { toolCallId: call, arguments: args } = recordOf(request);
  const name = textField(request, "name");
  if (typeof call !== "string" || name === "") return [];
  const count = Math.max(1, patchOf(name, args).length);
  return Array.from({ length: count }, (_, at) => {
    const tool = normalTool(name, args, "", at);
    return { type: "tool_use", id: fileId(call, at), ...tool };
  });
}

/** What Copilot puts behind a result when a hook had something to say. */
const guidance =
  /\n\nTool "[^"\n]*" (?:succeeded|failed)\. Additional guidance from \w+ hooks:\n[\s\S]*$/;

function ended(data: Json): Json | undefined {
  const { toolCallId: call, success } = data;
  if (typeof call !== "string") return undefined;
  const { result, error } = { result: recordOf(data.result), error: recordOf(data.error) };
  const failed = success === false;
  const shown = failed ? textField(error, "message") : textField(result, "content");
  const text = shown.replace(guidance, "");
  const type = failed ? textField(error, "code") || "failure" : "success";
  const files = Math.max(1, listField(data, "fileEdits").length);
  const content = Array.from({ length: files }, (_, at) => ({
    ...{ type: "tool_result", tool_use_id: fileId(call, at) },
    ...{ content: text, is_error: failed },
  }));
  // Of several files there is one diff.
  const diff = files === 1 ? textField(result, "detailedContent") : "";
  const toolUseResult = { text, type, diff };
  return { type: "user", toolUseResult, message: { role: "user", content } };
}

/** A hook's run: which tool use it reported, and that a turn was over. */
function hook(type: string, input: Json): Json | undefined {
  const { timestamp: time, toolName: name, toolArgs: args } = input;
  if (typeof time !== "number") return undefined;
  if (type === "agentStop") return { type: "system", subtype: "stopped", time };
  if (type !== "postToolUse" && type !== "postToolUseFailure") return undefined;
  if (typeof name !== "string") return undefined;
  const tool = normalTool(name, args, "");
  return {
    type: "system",
    subtype: "reported",
    reported: { id: toolId(time, name, args), ...tool },
  };
}

function reported(
  entry: TranscriptEntry,
): { id: string; name: string; input: unknown } | undefined {
  if (entry.kind !== "system" || entry.subtype !== "reported") return undefined;
  const use = recordOf(entry.raw.reported);
  return { id: textField(use, "id"), name: textField(use, "name"), input: use.input };
}

/** When a turn was over, by this line; 0 where it tells nothing of that. */
function stopped(entry: TranscriptEntry): number {
  if (entry.kind !== "system" || entry.subtype !== "stopped") return 0;
  const time = entry.raw.time;
  return typeof time === "number" ? time : 0;
}

/** When the client ran an event's hook. */
function timeOf({ extra }: ClientEvent): number {
  const time = extra?.timestamp;
  return typeof time === "number" ? time : Number.POSITIVE_INFINITY;
}

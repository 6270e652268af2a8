// Codex's payloads, tools and transcripts in the normal form.
import { join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import { firstLine } from "../../transcript/read.ts";
import type { TranscriptToolUse } from "../../transcript/tool-uses.ts";
import type { AboutFile, ClientTranscripts, EndedUse } from "../adapter.ts";
import {
  byPath,
  editedFile,
  endedFields,
  endedUse,
  exitIn,
  fileId,
  type NormalTool,
  patchedFiles,
  ranCommand,
  resultOfPatch,
  resultText,
  type ToolResult,
  toolOfPatch,
  writtenFile,
} from "../normal/tools.ts";

/** The payload as Claude Code would have written it; undefined for a prompt that nobody typed. */
export function normalCodex(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { tool_response, ...fields } = payload;
  const normal = textField(payload, "agent_id") === "" ? ofPerson(fields) : ofAgent(fields);
  if (payload.hook_event_name === "UserPromptSubmit" && typeof payload.prompt === "string") {
    // A subagent's task is nobody's prompt; it stands in the tool use that began it.
    if ("agent_id" in normal) return undefined;
    const prompt = payload.prompt.trim();
    return prompt === "" ? undefined : { ...normal, prompt };
  }
  if (typeof payload.tool_name !== "string") return normal;
  const cwd = textField(payload, "cwd");
  const tool = normalTool(payload.tool_name, payload.tool_input, cwd);
  const used = { ...normal, tool_name: tool.name, tool_input: tool.input };
  if (payload.hook_event_name !== "PostToolUse") return used;
  const result = normalResult(payload.tool_name, payload.tool_input, tool_response, cwd);
  return { ...used, ...endedFields(result) };
}

/** What a person asks and what follows is one turn: its id makes one prompt of two deliveries. */
function ofPerson({ turn_id, agent_id: _none, ...fields }: Record<string, unknown>) {
  return { ...fields, ...(typeof turn_id === "string" && { prompt_id: turn_id }) };
}

/** A subagent has turns of its own, and a transcript: the session's is another. */
function ofAgent({ turn_id: _turn, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const { transcript_path: path, ...others } = fields;
  if (!textField(fields, "transcript_path").includes(textField(fields, "agent_id"))) return fields;
  return { ...others, agent_transcript_path: path };
}

/** The tool by its normal name, with the normal one's input. Of a patch its first file: the transcript tells the others. */
function normalTool(name: string, input: unknown, cwd: string): NormalTool {
  const fields = recordOf(input);
  switch (name) {
    case "exec_command":
    case "shell":
    case "shell_command":
    case "local_shell":
    case "container.exec": {
      const { cmd, command, ...rest } = fields;
      return { name: "Bash", input: { command: commandLine(cmd ?? command), ...rest } };
    }
    case "apply_patch": {
      const [first] = patchedFiles(patchOf(fields));
      return first ? toolOfPatch(first, cwd) : { name, input: fields };
    }
    default:
      return { name: name.replace(joined, ""), input: fields };
  }
}

/** In hooks a namespace stands before the tool's name, with nothing between. */
const joined = /^(?:functions|collaboration|clock)(?=[a-z])/;

/** The patch of an `apply_patch` tool, whose input changed its name over the versions. */
function patchOf(input: unknown): string {
  return textField(input, "command", "input", "patch");
}

/** `["bash", "-lc", "npm test"]` is `npm test`. */
function commandLine(command: unknown): unknown {
  if (!Array.isArray(command)) return command;
  const [shell, flag, line] = command as unknown[];
  const isShell = typeof shell === "string" && /(?:^|[\\/])(?:ba|z|da)?sh$/.test(shell);
  if (isShell && typeof line === "string" && (flag === "-lc" || flag === "-c")) return line;
  return command.filter((word) => typeof word === "string").join(" ");
}

/** What stands before the output that a model is shown. */
const ahead =
  /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines|Exit code): [^\n]*\n|Process [^\n]*\n)*?Output:\n?/;
const exitCode = /^(?:Exit code: |Process exited with code )(-?\d{1,9})$/m;
const refusal =
  /^(?:unsupported (?:custom tool )?call: |unable to process image|apply_patch verification failed|failed to parse function arguments)/;

/** A tool's result as the model saw it, without what Codex put before it. */
function shownResult(response: unknown): { output: string; exit: number | undefined } {
  const text = resultText(response);
  const before = ahead.exec(text)?.[0] ?? "";
  return { output: text.slice(before.length), exit: exitIn(before, exitCode) };
}

/** How a tool ended, from its hook's payload or what the model was shown. `name` and `input` as Codex has them. */
function normalResult(name: string, input: unknown, response: unknown, cwd: string): ToolResult {
  const { output, exit } = shownResult(response);
  if (refusal.test(output)) return { error: output };
  const tool = normalTool(name, input, cwd);
  // The hook's own text is the output alone: nothing in it tells how the command ended.
  if (name === "Bash") return ranCommand(resultText(response), undefined);
  if (tool.name === "Bash") return ranCommand(output, exit);
  if (name === "apply_patch") {
    if (exit !== undefined && exit !== 0) return { error: output };
    const [first] = patchedFiles(patchOf(input));
    return first ? resultOfPatch(first, cwd) : { response: output };
  }
  if (recordOf(response).isError === true) return { error: output };
  return { response: name.startsWith("mcp__") && isRecord(response) ? response : output };
}

// Codex's transcripts: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`, OpenAI's items in lines of its own.

/** Where Codex keeps its own files: `CODEX_HOME`, else `~/.codex`. */
export function codexFolder(env: Environment): string {
  return env.CODEX_HOME ? resolve(env.CODEX_HOME) : join(userHome(env), ".codex");
}

export const codexTranscripts: ClientTranscripts = {
  folder: (env) => join(codexFolder(env), "sessions"),
  sessionOf: (file) => /^rollout-[\dT-]{19}-(.+)\.jsonl$/.exec(file)?.[1],
  about,
  normalLine,
  outcome,
  fillsIn: true,
};

/** What the first line says of the session itself stands before the instructions in it. */
const headBytes = 8_192;

/** A subagent's hooks tell of it as part of the session that began it. */
async function about(path: string): Promise<AboutFile | undefined> {
  const first = await firstLine(path, headBytes).catch(() => "");
  return /"thread_source": ?"subagent"/.test(first) ? undefined : {};
}

type Json = Record<string, unknown>;

function normalLine({ type, timestamp, payload }: Json): Json | undefined {
  const item = recordOf(payload);
  const made =
    type === "session_meta"
      ? beginning(item)
      : type === "response_item"
        ? modelItem(item)
        : type === "event_msg"
          ? message(item)
          : undefined;
  return made && { timestamp, ...made };
}

/** The first line has the folder, which no other has. */
function beginning({ id, cwd, cli_version, git }: Json): Json {
  const gitBranch = textField(git, "branch");
  const start = { type: "system", subtype: "start", uuid: id, cwd, version: cli_version };
  return { ...start, ...(gitBranch !== "" && { gitBranch }) };
}

/** What the model said and asked for. In a user's or developer's place stands what Codex and hooks tell it. */
function modelItem(item: Json): Json | undefined {
  const { type, id, role, call_id: call } = item;
  switch (type) {
    case "message": {
      if (role !== "assistant") return undefined;
      const text = resultText(item.content);
      return text === "" ? undefined : assistant(id, [{ type: "text", text }]);
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const content = asked(item);
      return content.length === 0 ? undefined : assistant(id, content);
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return typeof call === "string" ? answered(id, call, item.output) : undefined;
    default:
      return undefined;
  }
}

function assistant(id: unknown, content: readonly Json[]): Json {
  return { type: "assistant", uuid: id, message: { role: "assistant", id, content } };
}

/** The tool uses of a call: one, but of a patch one for each file. */
function asked(item: Json): Json[] {
  const { type, call_id: call, namespace } = item;
  if (typeof call !== "string") return [];
  const name = type === "local_shell_call" ? "local_shell" : textField(item, "name");
  // It asks again what a command says that goes on: no use of its own.
  if (name === "write_stdin") return [];
  const input = inputOf(item);
  if (runsScripts(name, input)) return [];
  const uses: NormalTool[] =
    name === "apply_patch"
      ? patchedFiles(patchOf(input)).map((file) => toolOfPatch(file, ""))
      : [normalTool(fullName(name, namespace), input, "")];
  return uses.map((use, at) => ({ type: "tool_use", id: fileId(call, at), ...use }));
}

/** Code mode: one tool runs JavaScript, another waits for it. The tools that a script calls have items of their own. */
function runsScripts(name: string, input: unknown): boolean {
  return name === "exec" || (name === "wait" && "cell_id" in recordOf(input));
}

/** `mcp__server` and `tool`. */
function fullName(name: string, namespace: unknown): string {
  const isApart = typeof namespace === "string" && namespace.startsWith("mcp__");
  return isApart && !name.startsWith("mcp__") ? `${namespace}__${name}` : name;
}

/** Arguments are a text: of JSON, or of a patch. */
function inputOf(item: Json): unknown {
  if (isRecord(item.action)) return item.action;
  const text = textField(item, "arguments", "input");
  const value = parseJson(text);
  return isRecord(value) ? value : { input: text };
}

const goesOn = /^Process running with session ID /m;
const listed = /^[AMD] \S/gm;

/** What the model was shown; of a patch that was applied, for each of its files. */
function answered(id: unknown, call: string, output: unknown): Json | undefined {
  const text = typeof output === "string" ? ofOldForm(output) : resultText(output);
  const [, refusal] = refusedPatch.exec(text) ?? [];
  if (refusal !== undefined) {
    const [, file_path] = refusedFile.exec(refusal) ?? [];
    const use = { name: "Edit", input: file_path === undefined ? {} : { file_path } };
    return ended(id, [{ id: call, ...use }], refusal, undefined);
  }
  const { output: shown } = shownResult(text);
  // It runs still; its end is an item of its own.
  if (goesOn.test(text.slice(0, text.length - shown.length))) return undefined;
  const isPatch = shown.startsWith("Success. Updated the following files:");
  const count = isPatch ? Math.max(1, shown.match(listed)?.length ?? 0) : 1;
  const content = Array.from({ length: count }, (_, at) => ({
    ...{ type: "tool_result", tool_use_id: fileId(call, at) },
    ...{ content: text, is_error: false },
  }));
  return { type: "user", message: { role: "user", content } };
}

/** A script that ended at a patch which does not fit: no item and no hook tells that. */
const refusedPatch =
  /^Script failed\n[\s\S]*?\nScript error:\n(apply_patch verification failed: [\s\S]*)/;
const refusedFile = /^[^\n]* (\/[^\n]+?|[A-Za-z]:[^\n]+?):(?: |\n|$)/;

/** Codex once wrote `{"output": …, "metadata": {"exit_code": …}}`. */
function ofOldForm(text: string): string {
  if (!text.startsWith('{"')) return text;
  const { output, metadata } = recordOf(parseJson(text));
  const { exit_code: exit } = recordOf(metadata);
  if (typeof output !== "string" || typeof exit !== "number") return text;
  return `Exit code: ${exit}\nOutput:\n${output}`;
}

/** Uses that a line tells with their end. Of a call that the model made itself the first half is known already. */
function ended(
  uuid: unknown,
  uses: readonly Json[],
  text: string,
  item: unknown,
): Json | undefined {
  if (uses.length === 0) return undefined;
  const content = uses.flatMap((use) => [
    { type: "tool_use", ...use },
    { type: "tool_result", tool_use_id: use.id, content: text, is_error: false },
  ]);
  return { ...assistant(uuid, content), toolUseResult: item };
}

/** As Claude Code writes it. */
const interrupted = [{ type: "text", text: "[Request interrupted by user]" }];

/** What happened: prompts, tool uses with how they ended, and that the person stopped a turn. */
function message(event: Json): Json | undefined {
  // Before its items were written down.
  if (event.type === "user_message") return prompt(undefined, undefined, event.message);
  if (event.type === "turn_aborted" && event.reason === "interrupted")
    return { type: "user", message: { role: "user", content: interrupted } };
  if (event.type !== "item_completed") return undefined;
  const item = recordOf(event.item);
  const { type, id } = item;
  if (typeof id !== "string") return undefined;
  switch (type) {
    case "UserMessage": {
      const texts = listField(item, "content").map((part) => textField(part, "text"));
      return prompt(id, event.turn_id, texts.join(""));
    }
    case "CommandExecution": {
      const run = normalTool("exec_command", { command: item.command }, "");
      const uses = isByAgent(item) && !wasCutOff(item) ? [{ id, ...run }] : [];
      return ended(id, uses, textField(item, "aggregated_output"), item);
    }
    case "FileChange": {
      const uses = Object.keys(recordOf(item.changes)).flatMap((_path, at) => {
        const use = changeOf(fileId(id, at), item);
        return use ? [{ id: fileId(id, at), name: use.name, input: use.input }] : [];
      });
      return ended(id, uses, textField(item, "stderr", "stdout"), item);
    }
    case "McpToolCall": {
      const name = `mcp__${textField(item, "server")}__${textField(item, "tool")}`;
      return ended(id, [{ id, name, input: item.arguments }], resultText(item.result), item);
    }
    case "ImageView": {
      const path = textField(item, "path").replace(/^file:\/\//, "");
      return ended(id, [{ id, name: "view_image", input: { path } }], "", undefined);
    }
    default:
      return undefined;
  }
}

/** It ran until Codex ended, which says nothing of how it went. */
function wasCutOff({ exit_code: exit, process_id: process }: Json): boolean {
  return exit === -1 && process !== undefined;
}

/** Not a command that the person ran, nor what was typed into one that runs. */
function isByAgent({ source }: Json): boolean {
  return source === undefined || source === "agent" || source === "unified_exec_startup";
}

function prompt(uuid: unknown, turn: unknown, text: unknown): Json | undefined {
  if (typeof text !== "string" || text.trim() === "" || text.startsWith("<hook_prompt"))
    return undefined;
  const content = [{ type: "text", text: text.trim() }];
  const promptId = typeof turn === "string" ? { promptId: turn } : {};
  return { type: "user", uuid, ...promptId, message: { role: "user", content } };
}

/** How a use ended: Codex's own word for it where there is one, else what the model was shown. */
function outcome({ id, name, input, result }: TranscriptToolUse): EndedUse | undefined {
  if (!result) return undefined;
  const item = recordOf(result.structured);
  switch (item.type) {
    case "CommandExecution": {
      const output = textField(item, "aggregated_output");
      if (item.status === "declined") return { error: "declined", isInterrupt: true };
      return ranCommand(output, typeof item.exit_code === "number" ? item.exit_code : undefined);
    }
    case "FileChange":
      return item.status === "completed" ? changed(id, item) : { error: failure(item, result) };
    case "McpToolCall": {
      const isError = item.status !== "completed" || recordOf(item.result).isError === true;
      return isError ? { error: failure(item, result) } : { response: item.result };
    }
    default:
      return shown(name, input, result.content);
  }
}

const aborted = /^aborted by user after [\d.]+s$/;

function shown(name: string, input: unknown, content: unknown): EndedUse {
  if (aborted.test(resultText(content))) return { error: resultText(content), isInterrupt: true };
  if (name !== "Edit" && name !== "Write")
    return normalResult(name === "Bash" ? "exec_command" : name, input, content, "");
  const ended = normalResult("apply_patch", {}, content, "");
  return "error" in ended ? ended : endedUse({ name, input: recordOf(input) }, { text: "" });
}

function failure(item: Json, { content }: { content: unknown }): string {
  return textField(item.error, "message") || resultText(content) || textField(item, "status");
}

function changed(id: string, item: Json): EndedUse | undefined {
  return changeOf(id, item)?.ended;
}

/** The file of this use among those that were changed: in the order of their paths, as in the patch. */
function changeOf(id: string, item: Json): (NormalTool & { ended: EndedUse }) | undefined {
  const at = Number(/#(\d{1,6})$/.exec(id)?.[1] ?? 1) - 1;
  const changes = Object.entries(recordOf(item.changes));
  const [from, change] = changes.sort(([one], [other]) => byPath(one, other))[at] ?? [];
  if (from === undefined) return undefined;
  const file_path = textField(change, "move_path") || from;
  const content = textField(change, "content");
  if (textField(change, "type") === "add") {
    const input = { file_path, content };
    const ended = { ...writtenFile(file_path, content, true), input };
    return { name: "Write", input, ended };
  }
  const diff = textField(change, "unified_diff");
  const isGone = textField(change, "type") === "delete";
  const oldString = isGone ? content : linesOf(diff, " -");
  const newString = isGone ? "" : linesOf(diff, " +");
  const input = { file_path, old_string: oldString, new_string: newString };
  const edit = { oldString, newString, ...(!isGone && { diff }) };
  return { name: "Edit", input, ended: { ...editedFile(file_path, edit), input } };
}

function linesOf(diff: string, marks: string): string {
  return diff
    .split("\n")
    .filter((line) => line !== "" && marks.includes(line.charAt(0)))
    .map((line) => line.slice(1))
    .join("\n");
}

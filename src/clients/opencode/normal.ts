// OpenCode's tools and the payloads of memoir's plugin there in the normal form.
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import {
  editedFile,
  endedFields,
  endedUse,
  type NormalTool,
  patchedFiles,
  patchOfDiff,
  readFile,
  resultText,
  type ToolResult,
  toolByForms,
  toolOfPatch,
  writtenFile,
} from "../normal/tools.ts";

/** Its own tools. What has no name here and an underline in it is a server's: `server_tool`. */
const names = {
  bash: "Bash",
  shell: "Bash",
  read: "Read",
  edit: "Edit",
  multiedit: "MultiEdit",
  write: "Write",
  apply_patch: "apply_patch",
  patch: "apply_patch",
  grep: "Grep",
  glob: "Glob",
  list: "LS",
  webfetch: "WebFetch",
  websearch: "WebSearch",
  codesearch: "WebSearch",
  task: "Task",
  todowrite: "TodoWrite",
  todoread: "TodoRead",
  skill: "Skill",
  question: "AskUserQuestion",
  plan_enter: "EnterPlanMode",
  plan_exit: "ExitPlanMode",
};

const ofFile = {
  filePath: "file_path",
  oldString: "old_string",
  newString: "new_string",
  replaceAll: "replace_all",
};
const fields = { Read: ofFile, Edit: ofFile, Write: ofFile, MultiEdit: ofFile };

/** The tool by its normal name, with the normal one's input. */
function normalTool(tool: string, args: unknown): NormalTool {
  return toolByForms({ names, fields, other: serverTool }, tool, recordOf(args));
}

/** `server_tool` → `mcp__server__tool`. */
function serverTool(name: string): string {
  const at = name.indexOf("_");
  return at > 0 ? `mcp__${name.slice(0, at)}__${name.slice(at + 1)}` : name;
}

/** A tool use that ended, in the normal form. */
interface FinishedUse extends NormalTool {
  id: unknown;
  result: ToolResult;
}
type FinishedUses = readonly [FinishedUse, ...FinishedUse[]];

/**
 * The uses of a part of the database that ended, or of the plugin's hook in its form: one, but of a patch one for each
 * file, of which the first has the call's own id.
 */
export function finishedUses(part: Readonly<Record<string, unknown>>): FinishedUses {
  const { tool, callID: id } = part;
  const state = recordOf(part.state);
  const used = normalTool(typeof tool === "string" ? tool : "", state.input);
  if (used.name === "apply_patch" && typeof state.error === "string") {
    const [file] = patchedFiles(textField(used.input, "patchText"));
    const meant = file ? toolOfPatch(file, "") : used;
    return [{ id, ...meant, result: normalResult(used, state) }];
  }
  if (used.name === "apply_patch") {
    const [first, ...others] = listField(state.metadata, "files").map(patchedFile);
    const later = others.map((use, at) => ({ id: `${id}#${at + 2}`, ...use }));
    if (first) return [{ id, ...first }, ...later];
  }
  return [{ id, ...used, result: normalResult(used, state) }];
}

/** What a patch did to one file. */
function patchedFile(file: unknown): NormalTool & { result: ToolResult } {
  const { type } = recordOf(file);
  const file_path = textField(file, "movePath", "filePath");
  const diff = textField(file, "patch", "diff");
  const [before, after] = sidesOf(diff);
  if (type === "add") {
    const result = writtenFile(file_path, after, true);
    return { name: "Write", input: { file_path, content: after }, result };
  }
  const result = editedFile(file_path, { oldString: before, newString: after, diff });
  return {
    name: "Edit",
    input: { file_path, old_string: before, new_string: after },
    result,
  };
}

/** The lines of a diff before and after. */
function sidesOf(diff: string): [before: string, after: string] {
  const lines = patchOfDiff(diff).flatMap((hunk) => hunk.lines);
  const side = (gone: string) =>
    lines
      .filter((line) => !line.startsWith(gone))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return [side("+"), side("-")];
}

/** What it shows of a command that printed nothing. */
const noOutput = "(no output)";
const aborted = /\bUser aborted the command\b/;

/** The person's own doing, in its words. */
const interrupted = /^(?:Tool execution aborted|The user (?:rejected|dismissed))/;

/** How it ended. `state`: `output` and `metadata`, or `content` of a server's tool, or the `error` it threw. */
function normalResult(tool: NormalTool, state: Readonly<Record<string, unknown>>): ToolResult {
  if (typeof state.error === "string") {
    const isInterrupt = interrupted.test(state.error);
    return { error: state.error, ...(isInterrupt && { isInterrupt }) };
  }
  const { exit, display, diff, exists } = recordOf(state.metadata);
  const text = resultText(state.content ?? state.output);
  switch (tool.name) {
    case "Bash":
      // It did not come to its end: the person broke it off, or its time was over.
      if (exit === null) return { error: text, isInterrupt: aborted.test(text) };
      return endedUse(tool, {
        text: text === noOutput ? "" : text.replace(/\n$/, ""),
        exit: typeof exit === "number" && Number.isInteger(exit) ? exit : undefined,
      });
    case "Read":
      return fileRead(textField(tool.input, "file_path"), text, recordOf(display));
    case "invalid":
      return { error: textField(tool.input, "error") || text };
    default:
      return endedUse(tool, {
        text,
        diff: typeof diff === "string" ? diff : undefined,
        created: exists !== true,
        response: Array.isArray(state.content) ? state.content : text,
      });
  }
}

/** What it showed of a file: the lines alone, and where they are in it. */
function fileRead(
  path: string,
  text: string,
  shown: Readonly<Record<string, unknown>>,
): ToolResult {
  const { lineStart, totalLines } = shown;
  if (shown.type !== "file" || typeof shown.text !== "string") return readFile(path, text);
  const read = readFile(path, shown.text);
  if (!("response" in read) || typeof lineStart !== "number" || typeof totalLines !== "number")
    return read;
  const response = recordOf(read.response);
  return {
    response: {
      ...response,
      file: { ...recordOf(response.file), startLine: lineStart, totalLines },
    },
  };
}

// The payloads of memoir's plugin in OpenCode in the normal form.
//
// Each has `hook_event_name`, `session_id`, `cwd` and `transcript_path`, and `agent_id` where a subagent did it. Below
// `opencode` stands what OpenCode said, by the `hook` it said it with:
// - `session`: `agent`, `model`, beside `source`
// - `chat.message`: `message` and the `parts` that the person wrote
// - `tool.execute.before`: `tool`, `callID`, `args`
// - `tool.execute.after`: the same and `output`: `title`, `output`, `metadata`; of a server's tool `content`; with a `file`
//   above 0 that one of a patch
// - `message.part.updated`: the `part` of a tool that failed

type Json = Record<string, unknown>;

/** The payload as Claude Code would have written it; undefined for a prompt with nothing in it. */
export function normalOpenCode(payload: unknown): unknown {
  if (!isRecord(payload) || !isRecord(payload.opencode)) return payload;
  const { opencode, ...fields } = payload;
  const given = recordOf(opencode);
  switch (given.hook) {
    case "session": {
      const model = textField(given.model, "modelID");
      // Its context was part of the system prompt, and is gone with the process: one that continues gets all of it anew.
      const source = fields.source === "compact" ? "compact" : "startup";
      return { ...fields, source, ...(model !== "" && { model }) };
    }
    case "chat.message": {
      const prompt = promptOf(listField(given, "parts"));
      const id = textField(given.message, "id");
      return prompt === "" ? undefined : { ...fields, prompt, ...(id !== "" && { prompt_id: id }) };
    }
    case "tool.execute.before":
      return { ...fields, ...usedTool(given, given.args) };
    case "tool.execute.after": {
      const at = typeof given.file === "number" ? given.file : 0;
      const { tool, callID, args: input } = given;
      return ended(
        fields,
        finishedUses({ tool, callID, state: { ...recordOf(given.output), input } }),
        at,
      );
    }
    case "message.part.updated":
      return ended(fields, finishedUses(recordOf(given.part)), 0);
    default:
      return fields;
  }
}

function usedTool({ tool, callID }: Json, args: unknown): Json {
  const { name, input } = normalTool(typeof tool === "string" ? tool : "", args);
  return { tool_name: name, tool_input: input, tool_use_id: callID };
}

function ended(fields: Json, uses: FinishedUses, at: number): Json {
  const { id, name, input, result } = uses[at] ?? uses[0];
  const used = { tool_name: name, tool_input: input, tool_use_id: id };
  return { ...fields, ...used, ...endedFields(result) };
}

/** What the person wrote. `opencode run "a b"` hands it on in quotation marks, with those inside escaped. */
export function promptOf(parts: readonly unknown[]): string {
  const text = parts
    .map((part) => textField(part, "text"))
    .join("\n")
    .trim();
  const quoted = /^"((?:[^"]|(?<=\\)")*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replaceAll('\\"', '"').trim();
}

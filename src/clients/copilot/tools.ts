// GitHub Copilot CLI's tools in the normal form.
import { createHash } from "node:crypto";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import { type FilePatch, patchedFiles, toolOfPatch } from "../normal/patch.ts";
import { endedUse, exitIn, type NormalTool, normalName, type ToolResult } from "../normal/tools.ts";

/** By its own names; hooks in Claude Code's spelling have the normal one already. */
const names: Readonly<Record<string, string>> = {
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
};

/** The normal name. A server's tool is `server-tool`, and servers' names have dashes more often than tools'. */
function nameOf(name: string): string {
  const known = normalName(names, name);
  if (known !== undefined) return known;
  const at = name.startsWith("memoir-") ? "memoir".length : name.lastIndexOf("-");
  return at > 0 ? `mcp__${name.slice(0, at)}__${name.slice(at + 1)}` : name;
}

/** The tool by its normal name, with the normal one's input. Of a patch one file: a hook tells the first, the transcript all. */
export function normalTool(name: string, args: unknown, cwd: string, at = 0): NormalTool {
  const file = patchOf(name, args)[at];
  if (file) return toolOfPatch(file, cwd);
  const normal = nameOf(name);
  const fields = fieldsOf(args);
  const { path, old_str, new_str, file_text, view_range, agent_type, ...rest } = fields;
  switch (normal) {
    case "Read":
      return { name: normal, input: { file_path: path, ...rangeOf(view_range), ...rest } };
    case "Edit":
      return {
        name: normal,
        input: { file_path: path, old_string: old_str, new_string: new_str, ...rest },
      };
    case "Write":
      return { name: normal, input: { file_path: path, content: file_text, ...rest } };
    case "Task":
      return { name: normal, input: { ...rest, subagent_type: agent_type } };
    default:
      return { name: normal, input: fields };
  }
}

/** The files of a patch; none where the tool is another. Its own spelling has the patch as JSON, or bare. */
export function patchOf(name: string, args: unknown): FilePatch[] {
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
  const said = JSON.stringify([nameOf(name), fields]);
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

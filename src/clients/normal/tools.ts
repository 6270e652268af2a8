// Tool uses in the normal form: what Claude Code says of a command, a file read, a change, as an adapter of another client makes it.
import { isAbsolute, join } from "node:path";
import { recordOf, textField } from "../../text/text.ts";

/** How a tool use ended. */
export type ToolResult = { response: unknown } | { error: string; isInterrupt?: boolean };

/** A tool use in normal form. */
export interface NormalTool {
  name: string;
  input: Record<string, unknown>;
}

/** What a client tells of a tool use that went well, or of a command however it went. */
interface Ended {
  /** What the model was shown. */
  text: string;
  /** Of a command, where anybody says it. */
  exit?: number | undefined;
  /** Of a change, as `diff -u` writes it, and the file before it. */
  diff?: string | undefined;
  originalFile?: string | undefined;
  /** Of a file that was read. */
  startLine?: number;
  /** Of a file that was written; absent: it was. */
  created?: boolean;
  /** Of a tool that the normal form has no words for, where it is more than the text. */
  response?: unknown;
}

/** The same in normal form, by the tool's normal name. */
export function endedUse({ name, input }: NormalTool, ended: Ended): ToolResult {
  const { text, exit, diff, originalFile, startLine, created = true, response = text } = ended;
  const path = textField(input, "file_path");
  switch (name) {
    case "Bash":
      return ranCommand(text, exit);
    case "Read":
      return readFile(path, text, startLine);
    case "Write":
      return writtenFile(path, textField(input, "content"), created);
    case "Edit":
      return editedFile(path, {
        oldString: textField(input, "old_string"),
        newString: textField(input, "new_string"),
        ...(originalFile !== undefined && { originalFile }),
        ...(diff !== undefined && { diff }),
      });
    default:
      return { response };
  }
}

/** The exit code that a text tells by the first group of `mark`; undefined where it tells none. */
export function exitIn(text: string, mark: RegExp): number | undefined {
  const code = mark.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** A tool by a client's table of names; undefined where it has none of that name. */
export function normalName(
  names: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** A client's tools as data. */
export interface ToolForms {
  /** Its own names of tools, and the normal ones. */
  names: Readonly<Record<string, string>>;
  /** Its own names of a normal tool's fields, and the normal ones. */
  fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The normal name of a tool that is in no table: a server's. */
  other(name: string): string;
}

/** The tool by its normal name, with the normal one's input. */
export function toolByForms(
  { names, fields, other }: ToolForms,
  name: string,
  input: Readonly<Record<string, unknown>>,
): NormalTool {
  const normal = normalName(names, name) ?? other(name);
  const renamed = fields[normal] ?? {};
  const own = Object.entries(input).map(([field, value]) => [renamed[field] ?? field, value]);
  return { name: normal, input: Object.fromEntries(own) };
}

/** `mcp__server__tool` for `server_tool` by the form `{server}_{tool}`; any other name as it is. */
export function serverTool(name: string, form: string): string {
  const [begin = "", between = "", end = ""] = form.split(/\{server\}|\{tool\}/);
  if (!name.startsWith(begin) || !name.endsWith(end)) return name;
  const inner = name.slice(begin.length, name.length - end.length);
  const at = inner.indexOf(between);
  return at > 0 && between !== ""
    ? `mcp__${inner.slice(0, at)}__${inner.slice(at + between.length)}`
    : name;
}

/** A command that ended; `exit` undefined: nobody says, and it counts as passed. */
export function ranCommand(output: string, exit: number | undefined): ToolResult {
  if (exit !== undefined && exit !== 0)
    return { error: `Exit code ${exit}${output === "" ? "" : `\n${output}`}` };
  return { response: { stdout: output, stderr: "", interrupted: false, isImage: false } };
}

/** A file that was read, or what follows of it from a line on. */
export function readFile(filePath: string, content: string, startLine = 1): ToolResult {
  const numLines = content.replace(/\n$/, "").split("\n").length;
  const totalLines = startLine - 1 + numLines;
  const file = { filePath, content, numLines, startLine, totalLines };
  return { response: { type: "text", file } };
}

/** A file that was changed. `diff`: as `diff -u` writes it. */
export function editedFile(
  filePath: string,
  change: { oldString: string; newString: string; originalFile?: string; diff?: string },
): ToolResult {
  const { diff, ...rest } = change;
  const structuredPatch = diff === undefined ? patchOfStrings(rest) : patchOfDiff(diff);
  return { response: { filePath, ...rest, structuredPatch } };
}

/** A file that was written whole. */
export function writtenFile(filePath: string, content: string, created: boolean): ToolResult {
  const type = created ? "create" : "update";
  return { response: { type, filePath, content, structuredPatch: [] } };
}

/** One changed place of a file. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The hunks of a unified diff; whatever else stands in it is passed over. */
export function patchOfDiff(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of diff.split("\n")) {
    const found = hunkHeader.exec(line);
    if (found) {
      const [, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
      hunks.push({
        ...{ oldStart: Number(oldStart), oldLines: Number(oldLines) },
        ...{ newStart: Number(newStart), newLines: Number(newLines), lines: [] },
      });
    } else if (/^[ +-]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}

/** Where nobody gave a diff: what went and what came, at a place nobody knows. */
export function patchOfStrings({
  oldString,
  newString,
}: {
  oldString: string;
  newString: string;
}): Hunk[] {
  const [before, after] = [linesOf(oldString), linesOf(newString)];
  if (before.length + after.length === 0) return [];
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return [{ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines }];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The text of a result in whatever form a client gives it: a string, a list of blocks, an object with either. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(resultText).filter(Boolean).join("\n");
  const { text, content, llmContent, output } = recordOf(value);
  const found = [text, content, llmContent, output].find((one) => one !== undefined);
  return found === undefined ? "" : resultText(found);
}

/** What a model would be shown of a result in normal form; undefined where that is no text. */
export function shownText(response: unknown): string | undefined {
  const { stdout, stderr, file } = recordOf(response);
  if (typeof stdout === "string")
    return [stdout, stderr].filter((text) => typeof text === "string" && text !== "").join("\n");
  const text = resultText(file ?? response);
  return text === "" ? undefined : text;
}

/** A payload of a tool use that ended: its event's name, and how it ended. */
export function endedFields(result: ToolResult): Record<string, unknown> {
  const hook_event_name = "error" in result ? "PostToolUseFailure" : "PostToolUse";
  return { hook_event_name, ...outcomeFields(result) };
}

/** The fields of a payload that tell how a tool use ended. */
export function outcomeFields(result: ToolResult): Record<string, unknown> {
  if ("response" in result) return { tool_response: result.response };
  return { error: result.error, is_interrupt: result.isInterrupt ?? false };
}

// A patch as OpenAI's models write it, taken apart: one tool use for each file.

/** What a patch does to one file. */
export interface FilePatch {
  kind: "add" | "update" | "delete";
  /** As the patch names it. */
  path: string;
  /** Where the file is afterwards. */
  movedTo?: string;
  /** Its lines, each with `+`, `-` or a blank before it; of a new file all with `+`. */
  lines: string[];
}

const fileHeader = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const move = /^\*\*\* Move to: (.+?)\s*$/;

/** The files of a patch in the order of their paths, each once. */
export function patchedFiles(patch: string): FilePatch[] {
  const found = new Map<string, FilePatch>();
  let file: FilePatch | undefined;
  for (const line of patch.split(/\r?\n/)) {
    if (line.startsWith("*** End Patch")) break;
    const [, verb = "", path = ""] = fileHeader.exec(line) ?? [];
    const movedTo = move.exec(line)?.[1];
    if (path !== "") {
      const kind = verb === "Add" ? "add" : verb === "Delete" ? "delete" : "update";
      file = found.get(path) ?? { kind, path, lines: [] };
      found.set(path, file);
    } else if (movedTo !== undefined && file) file.movedTo = movedTo;
    else if (/^[ +-]/.test(line)) file?.lines.push(line);
    else if (line === "" && file?.kind === "update") file.lines.push(" ");
  }
  return [...found.values()].sort((one, other) => byPath(one.path, other.path));
}

/** The order in which hook and transcript agree. */
export function byPath(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The id of a patch's file: the first has the call's own, so that the hook's event is the transcript's. */
export function fileId(call: string, at: number): string {
  return at === 0 ? call : `${call}#${at + 1}`;
}

/** The tool use that did this. */
export function toolOfPatch(file: FilePatch, cwd: string): NormalTool {
  const file_path = placed(file.movedTo ?? file.path, cwd);
  const { before, after } = sides(file);
  if (file.kind === "add") return { name: "Write", input: { file_path, content: after } };
  return { name: "Edit", input: { file_path, old_string: before, new_string: after } };
}

/** How it ended, where only the patch is known. */
export function resultOfPatch(file: FilePatch, cwd: string): ToolResult {
  const path = placed(file.movedTo ?? file.path, cwd);
  const { before, after } = sides(file);
  if (file.kind === "add") return writtenFile(path, after, true);
  const [old, now] = [before, after].map((text) => (text === "" ? 0 : text.split("\n").length));
  // Where in the file it was, the patch does not say.
  const diff = [`@@ -1,${old} +1,${now} @@`, ...file.lines].join("\n");
  return editedFile(path, { oldString: before, newString: after, diff });
}

/** A relative path is one of the folder that the session is in; where nobody knows that, it stays. */
function placed(path: string, cwd: string): string {
  return cwd === "" || isAbsolute(path) ? path : join(cwd, path);
}

function sides({ kind, lines }: FilePatch): { before: string; after: string } {
  const of = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0))).map((line) => line.slice(1));
  const end = kind === "add" && lines.length > 0 ? "\n" : "";
  return { before: of(" -").join("\n"), after: of(" +").join("\n") + end };
}

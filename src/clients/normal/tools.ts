// Tool uses in the normal form: what Claude Code says of a command, a file read, a change, as an adapter of another client makes it.
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

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The hunks of a unified diff; whatever else stands in it is passed over. */
export function patchOfDiff(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of diff.split("\n")) {
    const found = header.exec(line);
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

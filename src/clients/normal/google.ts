// What Gemini CLI and those that grew out of it share: tools in the normal form, and marks around what the client adds to a text.
import { isRecord, recordOf, textField } from "../../text/text.ts";
import {
  endedUse,
  type NormalTool,
  normalName,
  ranCommand,
  resultText,
  type ToolResult,
} from "./tools.ts";

const names: Readonly<Record<string, string>> = {
  run_shell_command: "Bash",
  read_file: "Read",
  replace: "Edit",
  edit: "Edit",
  write_file: "Write",
  glob: "Glob",
  grep_search: "Grep",
  search_file_content: "Grep",
  list_directory: "LS",
  web_fetch: "WebFetch",
  google_web_search: "WebSearch",
  web_search: "WebSearch",
  todo_write: "TodoWrite",
  write_todos: "TodoWrite",
  agent: "Task",
  task: "Task",
};

/** The tool by its normal name; its input has the normal one's fields already, but for a path in another field. */
export function normalTool(name: string, input: unknown): NormalTool {
  const fields = recordOf(input);
  const normal = normalName(names, name);
  const path = textField(fields, "file_path", "absolute_path");
  if (normal === "Read" || normal === "Edit" || normal === "Write")
    return { name: normal, input: { ...fields, file_path: path } };
  return { name: normal ?? serverTool(name), input: fields };
}

/** `mcp_server_tool` → `mcp__server__tool`; the name of a server has no `_` but by chance. */
function serverTool(name: string): string {
  return name.replace(/^mcp_([^_]+)_/, "mcp__$1__");
}

/** How it ended. `display`: what the person was shown; `isError`: the client calls it an error. */
export function normalResult(
  tool: NormalTool,
  content: unknown,
  display: unknown,
  isError: boolean,
): ToolResult {
  const text = ownText(resultText(content));
  if (tool.name === "Bash") return commandResult(text, display, isError);
  if (isError) return { error: text };
  const response = Array.isArray(content) ? blocks(content) : text;
  // A change of which the person was shown nothing.
  if (tool.name === "Edit" && !isRecord(display)) return { response };
  const { originalContent, fileDiff } = recordOf(display);
  return endedUse(tool, {
    text,
    originalFile: typeof originalContent === "string" ? originalContent : undefined,
    diff: typeof fileDiff === "string" ? fileDiff : undefined,
    created: textField(display, "originalContent") === "",
    response,
  });
}

/** What comes from elsewhere stands in a tag that warns the model. */
const untrusted = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/;

function ownText(text: string): string {
  return untrusted.exec(text)?.[1] ?? text;
}

function blocks(content: readonly unknown[]): unknown[] {
  return content.map((one) => {
    const text = textField(one, "text");
    return text === "" ? one : { type: "text", text: ownText(text) };
  });
}

/** What the client itself says last, of which what went well may be missing. */
const trailer =
  /(?:\nExit Code: (-?\d{1,9}|\(none\)))?(?:\nSignal: [^\n]*)?(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: [^\n]*)?\s*$/;
/** It is not longer. */
const mostTrailed = 1_000;
const ahead = "Output: ";
const errors = "\nError: ";

/** What Gemini says before the output of a command that the person stopped, or that ran too long. */
const cancelled = /^Command was ((?:automatically )?)cancelled /;

/** `Output: …` up to what follows it; the whole text where it has no such form. */
function commandResult(text: string, display: unknown, isError: boolean): ToolResult {
  const [, byItself] = cancelled.exec(text) ?? [];
  if (byItself !== undefined) return { error: text, isInterrupt: byItself === "" };
  // What a command printed may end like what follows it: the person was shown it alone.
  const shown = typeof display === "string" && display !== "" ? ahead + display : undefined;
  const own = shown !== undefined && text.startsWith(shown) ? shown.length : undefined;
  const from = Math.max(own ?? 0, text.length - mostTrailed);
  const found = trailer.exec(text.slice(from));
  const end = from + (found?.index ?? 0);
  const exit = Number(found?.[1] ?? Number.NaN);
  const at = text.indexOf(ahead);
  const printed =
    own === undefined
      ? withoutHeads(text.slice(at + ahead.length, end), at > 0)
      : display + text.slice(own, end);
  const whole = at < 0 ? text : printed;
  if (Number.isNaN(exit) && isError) return { error: whole };
  return ranCommand(whole, Number.isNaN(exit) ? undefined : exit);
}

/** Both streams in one. `isHeaded`: by a client that names the command first, and each stream. */
function withoutHeads(printed: string, isHeaded: boolean): string {
  const at = isHeaded ? printed.lastIndexOf(errors) : -1;
  const streams = at < 0 ? [printed] : [printed.slice(0, at), printed.slice(at + errors.length)];
  return streams.filter((one) => one !== "(none)" && one !== "(empty)").join("\n");
}

// What clients put between marks of their own in a text: found in one pass, for others' texts may hold the marks too.

/** A text around its first pair of marks. */
interface Marked {
  before: string;
  inside: string;
  after: string;
}

/** The text around its first `open` that a `close` follows; undefined where there is none. */
export function firstMarked(text: string, open: string, close: string): Marked | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  if (end < 0) return undefined;
  return {
    before: text.slice(0, start),
    inside: text.slice(start + open.length, end),
    after: text.slice(end + close.length),
  };
}

/** The text without what stands between marks, without them, and without the blanks behind them. */
export function withoutMarked(text: string, open: string, close: string): string {
  let kept = "";
  let rest = text;
  for (;;) {
    const found = firstMarked(rest, open, close);
    if (!found) return kept + rest;
    kept += found.before;
    rest = found.after.trimStart();
  }
}

/** The text without the marked part that ends it, and without up to two line feeds before that. */
export function withoutMarkedEnd(text: string, open: string, close: string): string {
  const start = text.trimEnd().endsWith(close) ? text.lastIndexOf(open) : -1;
  return start < 0 ? text : text.slice(0, start).replace(/\n{1,2}$/, "");
}

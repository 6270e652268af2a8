// The tools of Gemini CLI and of those that grew out of it, in the normal form.
import { isRecord, recordOf, textField } from "../../text/values.ts";
import {
  editedFile,
  type NormalTool,
  ranCommand,
  readFile,
  resultText,
  type ToolResult,
  writtenFile,
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
  const normal = Object.hasOwn(names, name) ? names[name] : undefined;
  const path = textField(fields, "file_path", "absolute_path");
  if (normal === "Read" || normal === "Edit" || normal === "Write")
    return { name: normal, input: { ...fields, file_path: path } };
  return { name: normal ?? name, input: fields };
}

/** How it ended. `display`: what the person was shown; `isError`: the client calls it an error. */
export function normalResult(
  { name, input }: NormalTool,
  content: unknown,
  display: unknown,
  isError: boolean,
): ToolResult {
  const text = resultText(content);
  if (name === "Bash") return commandResult(text, isError);
  if (isError) return { error: text };
  const path = textField(input, "file_path");
  if (name === "Read") return readFile(path, text);
  const shown = recordOf(display);
  if (name === "Edit" && isRecord(display))
    return editedFile(path, {
      oldString: textField(input, "old_string"),
      newString: textField(input, "new_string"),
      ...(typeof shown.originalContent === "string" && { originalFile: shown.originalContent }),
      ...(typeof shown.fileDiff === "string" && { diff: shown.fileDiff }),
    });
  if (name === "Write")
    return writtenFile(
      path,
      textField(input, "content"),
      textField(shown, "originalContent") === "",
    );
  return { response: Array.isArray(content) ? blocks(content) : text };
}

function blocks(content: readonly unknown[]): unknown[] {
  return content.map((one) => {
    const text = textField(one, "text");
    return text === "" ? one : { type: "text", text };
  });
}

const exitMark = "Exit Code: ";
/** The number, and what the client itself writes after it. */
const exitEnd = /^(-?\d{1,9})(?:\n(?:Signal|Process Group PGID|Background PIDs|<\/)[^\n]*)*\s*$/;

/** `Output: …` up to the line that follows it; the whole text where it has no such form. */
function commandResult(text: string, isError: boolean): ToolResult {
  // What a command printed may hold such a line itself: the client's own comes last.
  const at = text.lastIndexOf(exitMark);
  const exit = at < 0 ? undefined : exitEnd.exec(text.slice(at + exitMark.length))?.[1];
  const output = between(text, "Output: ", ["\nError: ", "\nExit Code: ", "\nSignal: "]);
  const errors = between(text, "\nError: ", ["\nExit Code: ", "\nSignal: "]);
  const printed = [output, errors]
    .filter((one): one is string => one !== undefined && one !== "(none)" && one !== "(empty)")
    .join("\n");
  const whole = output === undefined ? text : printed;
  if (exit === undefined && isError) return { error: whole };
  return ranCommand(whole, exit === undefined ? undefined : Number(exit));
}

function between(text: string, mark: string, ends: readonly string[]): string | undefined {
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const rest = text.slice(at + mark.length);
  const places = ends.map((end) => rest.lastIndexOf(end)).filter((place) => place >= 0);
  return places.length === 0 ? rest : rest.slice(0, Math.min(...places));
}

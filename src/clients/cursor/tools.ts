// Cursor's tools in the normal form.
import { isRecord, recordOf, textField } from "../../text/values.ts";
import {
  editedFile,
  type NormalTool,
  ranCommand,
  readFile,
  resultText,
  type ToolResult,
  writtenFile,
} from "../normal/tools.ts";

const names: Readonly<Record<string, string>> = {
  Shell: "Bash",
  run_terminal_cmd: "Bash",
  read_file: "Read",
  edit_file: "Edit",
  StrReplace: "Edit",
  search_replace: "Edit",
  write: "Write",
  grep: "Grep",
  WebFetch: "WebFetch",
  WebSearch: "WebSearch",
  Task: "Task",
};

/** memoir's own tools, where nobody says whose a server's tool is. */
const own: ReadonlySet<string> = new Set(["search", "timeline", "get", "recall"]);

/** The tool by its normal name, with the normal one's input. `server`: whose tool it is, where the payload says that. */
export function normalTool(name: string, input: unknown, server: string): NormalTool {
  const fields = recordOf(typeof input === "string" ? parsed(input) : input);
  if (name.startsWith("MCP:")) return { name: serverTool(name.slice(4), server), input: fields };
  const normal = (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
  const { path, target_file, contents, ...rest } = fields;
  const file_path = fields.file_path ?? path ?? target_file;
  switch (normal) {
    case "Read":
      return { name: normal, input: { ...rest, file_path } };
    case "Edit":
    case "Write": {
      // It calls a change a writing too.
      const isEdit = typeof fields.old_string === "string";
      if (isEdit) return { name: "Edit", input: { ...rest, file_path } };
      return { name: normal, input: { ...rest, file_path, content: contents ?? rest.content } };
    }
    default:
      return { name: normal, input: fields };
  }
}

/** `MCP:tool`, or with the server between them. */
function serverTool(name: string, server: string): string {
  const at = name.indexOf(":");
  if (at > 0) return `mcp__${name.slice(0, at)}__${name.slice(at + 1)}`;
  return `mcp__${server || (own.has(name) ? "memoir" : "server")}__${name}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How it ended: JSON in a text, or a text alone. */
export function normalResult({ name, input }: NormalTool, output: unknown): ToolResult {
  const value = typeof output === "string" ? (parsed(output) ?? output) : output;
  const fields = recordOf(value);
  const path = textField(input, "file_path");
  switch (name) {
    case "Bash": {
      const { exitCode, exit_code } = fields;
      const exit = [exitCode, exit_code].find((one) => typeof one === "number");
      const printed = [textField(fields, "output", "stdout"), textField(fields, "stderr")];
      const text = isRecord(value) ? printed.filter(Boolean).join("\n") : resultText(value);
      return ranCommand(text, exit as number | undefined);
    }
    case "Read":
      return readFile(path, textField(fields, "contents", "content") || resultText(value));
    case "Write":
      return writtenFile(path, textField(input, "content"), true);
    case "Edit": {
      const diff = textField(fields, "diff");
      return editedFile(path, {
        oldString: textField(input, "old_string"),
        newString: textField(input, "new_string"),
        ...(diff !== "" && { diff }),
      });
    }
    default:
      if (fields.isError === true) return { error: resultText(value) };
      return { response: value ?? "" };
  }
}

const exited = /^Command failed with exit code (-?\d{1,9})\b[.:]?\s*/;

/** What a failed tool said: of a command as the normal form has it, where the number is known. */
export function failure({ name }: NormalTool, said: string): string {
  const [begin, code] = exited.exec(said) ?? [];
  if (name !== "Bash" || begin === undefined) return said;
  const rest = said.slice(begin.length);
  return `Exit code ${code}${rest === "" ? "" : `\n${rest}`}`;
}

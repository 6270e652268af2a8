// Codex's payloads and tools in the normal form.
import { isRecord, recordOf, textField } from "../../text/text.ts";
import { patchedFiles, resultOfPatch, toolOfPatch } from "../normal/patch.ts";
import {
  endedFields,
  exitIn,
  type NormalTool,
  ranCommand,
  resultText,
  type ToolResult,
} from "../normal/tools.ts";

/** The payload as Claude Code would have written it; undefined for a prompt that nobody typed. */
export function normalCodex(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { tool_response, ...fields } = payload;
  const told = textField(payload, "agent_id") === "" ? ofPerson(fields) : ofAgent(fields);
  if (payload.hook_event_name === "UserPromptSubmit" && typeof payload.prompt === "string") {
    // A subagent's task is nobody's prompt; it stands in the tool use that began it.
    if ("agent_id" in told) return undefined;
    const prompt = payload.prompt.trim();
    return prompt === "" ? undefined : { ...told, prompt };
  }
  if (typeof payload.tool_name !== "string") return told;
  const cwd = textField(payload, "cwd");
  const tool = normalTool(payload.tool_name, payload.tool_input, cwd);
  const used = { ...told, tool_name: tool.name, tool_input: tool.input };
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
export function normalTool(name: string, input: unknown, cwd: string): NormalTool {
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
export function patchOf(input: unknown): string {
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
export function shownResult(response: unknown): { output: string; exit: number | undefined } {
  const text = resultText(response);
  const before = ahead.exec(text)?.[0] ?? "";
  return { output: text.slice(before.length), exit: exitIn(before, exitCode) };
}

/** How a tool ended, from its hook's payload or what the model was shown. `name` and `input` as Codex has them. */
export function normalResult(
  name: string,
  input: unknown,
  response: unknown,
  cwd: string,
): ToolResult {
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

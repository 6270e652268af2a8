// pi's sessions: `~/.pi/agent/sessions/--<folder>--/<time>_<session>.jsonl`, a tree of entries, each with its parent.
import { join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { isRecord, recordOf, textField } from "../../text/text.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import type { ClientTranscripts } from "../transcripts.ts";
import { normalResult, normalTool, placed, promptText, withoutPictures } from "./normal.ts";

/** Where pi keeps its own files. */
export function piFolder(env: Environment): string {
  return env.PI_CODING_AGENT_DIR
    ? resolve(env.PI_CODING_AGENT_DIR)
    : join(userHome(env), ".pi", "agent");
}

export const piTranscripts: ClientTranscripts = {
  folder: (env) =>
    env.PI_CODING_AGENT_SESSION_DIR
      ? resolve(env.PI_CODING_AGENT_SESSION_DIR)
      : join(piFolder(env), "sessions"),
  sessionOf: (file) => /_([^_]+)\.jsonl$/.exec(file)?.[1],
  parse: (line) => parseTranslated(line, normalLine),
  outcome({ name, input, result, cwd = "" }) {
    if (!result) return undefined;
    const fields = recordOf(input);
    const { file_path: path } = fields;
    // No line but the first has the folder, against which a path is meant.
    const placedInput =
      typeof path === "string" ? { ...fields, file_path: placed(path, cwd) } : fields;
    const tool = { name, input: placedInput };
    const ended = normalResult(tool, result.content, result.structured, result.isError);
    return { ...ended, input: placedInput };
  },
  // It refuses calls of tools that it does not know, or with a wrong input, without a word to extensions.
  fillsIn: true,
};

type Json = Record<string, unknown>;

function normalLine(value: Json): Json | undefined {
  const { type, id, parentId, timestamp, message } = value;
  if (type === "session")
    return { type: "system", subtype: "start", cwd: value.cwd, uuid: id, timestamp };
  if (type !== "message" || !isRecord(message)) return undefined;
  const shared = { uuid: id, parentUuid: parentId, timestamp };
  const { role } = message;
  const parts = typeof message.content === "string" ? [textPart(message.content)] : message.content;
  if (!Array.isArray(parts)) return undefined;
  if (role === "user") {
    const text = promptText(parts);
    const content = text === "" ? [] : [textPart(text)];
    return content.length === 0 ? undefined : { ...shared, type: role, message: { role, content } };
  }
  if (role === "assistant") {
    const content = parts.flatMap(spoken);
    const said = { role, id, model: message.model, content };
    return content.length === 0 ? undefined : { ...shared, type: role, message: said };
  }
  if (role !== "toolResult") return undefined;
  const block = {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    content: withoutPictures(parts),
    is_error: message.isError === true,
  };
  const result = { role: "user", content: [block] };
  return { ...shared, type: "user", toolUseResult: message.details, message: result };
}

function textPart(text: string): Json {
  return { type: "text", text };
}

function spoken(part: unknown): Json[] {
  const { type, id, name, arguments: input, thinking } = recordOf(part);
  const text = textField(part, "text");
  if (type === "toolCall" && typeof name === "string")
    return [{ type: "tool_use", id, ...normalTool(name, input, "") }];
  if (type === "thinking" && typeof thinking === "string") return [{ type, thinking }];
  return type === "text" && text !== "" ? [textPart(text)] : [];
}

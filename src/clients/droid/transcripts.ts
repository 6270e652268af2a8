// Factory droid's transcripts: `~/.factory/sessions/<project>/<session>.jsonl`, Anthropic's messages in lines of its own.
import { join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { isRecord, listField, recordOf, textField } from "../../text/values.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import type { ClientTranscripts } from "../transcripts.ts";
import { normalResult, normalTool } from "./normal.ts";

/** Where droid keeps its own files. */
export function droidFolder(env: Environment): string {
  return join(userHome(env), ".factory");
}

export const droidTranscripts: ClientTranscripts = {
  folder: (env) => join(droidFolder(env), "sessions"),
  parse: (line) => parseTranslated(line, normalLine),
  outcome: ({ name, input, result }) =>
    result && normalResult({ name, input: recordOf(input) }, result.content, result.isError),
  fillsIn: true,
};

type Json = Record<string, unknown>;

function normalLine(value: Json): Json | undefined {
  const { type, id, parentId, timestamp, message } = value;
  // The first line has the folder, which no other has.
  if (type === "session_start")
    return { type: "system", subtype: "start", cwd: value.cwd, uuid: id };
  if (type !== "message" || !isRecord(message)) return undefined;
  // What only the person sees are its own notes of hooks; what only the model sees, its own words.
  if (message.visibility !== undefined) return undefined;
  const { role } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  const content = listField(message, "content").map(block);
  if (content.length === 0) return undefined;
  const shared = { type: role, uuid: id, parentUuid: parentId, timestamp };
  return { ...shared, message: { role, id, model: value.modelId, content } };
}

function block(value: unknown): unknown {
  if (textField(value, "type") !== "tool_use") return value;
  const { name, input, ...rest } = recordOf(value);
  return { ...rest, ...normalTool(typeof name === "string" ? name : "", input) };
}

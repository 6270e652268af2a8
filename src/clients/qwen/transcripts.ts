// Qwen Code's transcripts: `~/.qwen/projects/<project>/chats/<session>.jsonl`, Claude Code's lines with Gemini's messages.
import { join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { isRecord, listField, recordOf, textField } from "../../text/values.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import { normalResult, normalTool } from "../normal/google-tools.ts";
import type { ClientTranscripts } from "../transcripts.ts";
import { partText } from "./normal.ts";

/** Where Qwen Code keeps its own files. */
export function qwenFolder(env: Environment): string {
  return env.QWEN_HOME ? resolve(env.QWEN_HOME) : join(userHome(env), ".qwen");
}

/** What it writes as it runs may lie apart from its settings. */
function runtimeFolder(env: Environment): string {
  return env.QWEN_RUNTIME_DIR ? resolve(env.QWEN_RUNTIME_DIR) : qwenFolder(env);
}

export const qwenTranscripts: ClientTranscripts = {
  folder: (env) => join(runtimeFolder(env), "projects"),
  parse: (line) => parseTranslated(line, normalLine),
  outcome({ name, input, result }) {
    if (!result) return undefined;
    const shown = recordOf(result.structured());
    const text = typeof result.content === "string" ? result.content : "";
    const tool = { name, input: recordOf(input) };
    return normalResult(tool, text, shown.resultDisplay, result.isError);
  },
};

type Json = Record<string, unknown>;

/** What hooks added to a prompt stands in a part of its own. */
const added = /^\s*<qwen:user-prompt-submit-context>/;

function normalLine(value: Json): Json | undefined {
  const { type, message, model, usageMetadata: _usage, toolCallResult, ...shared } = value;
  const parts = listField(message, "parts");
  switch (type) {
    case "user": {
      const texts = parts
        .map((part) => textField(part, "text"))
        .filter((text) => !added.test(text));
      const content = texts.filter(Boolean).map((text) => ({ type: "text", text }));
      return content.length === 0
        ? undefined
        : { ...shared, type, message: { role: "user", content } };
    }
    case "assistant":
      return {
        ...shared,
        type,
        message: { role: "assistant", id: value.uuid, model, content: parts.flatMap(spoken) },
      };
    case "tool_result": {
      const content = parts.flatMap((part) => answered(part, toolCallResult));
      const tool = { ...shared, type: "user", toolUseResult: toolCallResult };
      return { ...tool, message: { role: "user", content } };
    }
    default:
      return undefined;
  }
}

function spoken(part: unknown): Json[] {
  const { functionCall, text, thought } = recordOf(part);
  if (isRecord(functionCall)) {
    const { name, input } = normalTool(textField(functionCall, "name"), functionCall.args);
    return [{ type: "tool_use", id: functionCall.id, name, input }];
  }
  if (typeof text !== "string" || text === "") return [];
  return [thought === true ? { type: "thinking", thinking: text } : { type: "text", text }];
}

function answered(part: unknown, result: unknown): Json[] {
  const { functionResponse } = recordOf(part);
  if (!isRecord(functionResponse)) return [];
  const isError =
    textField(result, "status") === "error" || "error" in recordOf(functionResponse.response);
  const content = partText(part);
  return [{ type: "tool_result", tool_use_id: functionResponse.id, content, is_error: isError }];
}

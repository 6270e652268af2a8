// The Qwen Code adapter: Claude Code's events with Gemini CLI's tools.

import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import type { ClientAdapter, ClientTranscripts } from "../adapter.ts";
import { describedRegistration } from "../described/adapter.ts";
import { diskPath } from "../described/places.ts";
import { normalResult, normalTool } from "../normal/google.ts";
import { byNormalForm, renderNested } from "../normal/payload.ts";
import { endedFields, resultText } from "../normal/tools.ts";

// Qwen Code's transcripts: `~/.qwen/projects/<project>/chats/<session>.jsonl`, Claude Code's lines with Gemini's messages.

/** Where Qwen Code keeps its own files; what it writes as it runs may lie apart from its settings. */
const folder = ["$QWEN_HOME", "~/.qwen"];
const written = ["$QWEN_RUNTIME_DIR", ...folder].map((path) => `${path}/projects`);

const qwenTranscripts: ClientTranscripts = {
  folder: (env) => diskPath(written, env),
  normalLine,
  outcome({ name, input, result }) {
    if (!result) return undefined;
    const shown = recordOf(result.structured);
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

export const adapter: ClientAdapter = {
  ...byNormalForm("qwen", normalQwen),
  // It takes no other result for a tool's: what `live` would say is left out.
  render: (event, reply) => renderNested(event, reply),
  registration: describedRegistration({
    program: "qwen",
    folder,
    // Hooks in Claude Code's form, and MCP servers, in one file.
    install: [{ path: "settings.json", hooks: {}, server: {} }],
  }),
  transcripts: qwenTranscripts,
};

// Qwen Code's payloads in the normal form.

/** The payload as Claude Code would have written it; undefined for a prompt that nobody typed. */
function normalQwen(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { hook_event_name: event, tool_call_id: _id, ...fields } = payload;
  // After every batch of tools it tells of a prompt with nothing in it.
  if (event === "UserPromptSubmit" && textField(payload, "prompt").trim() === "") return undefined;
  // Its context is part of its instructions, which it writes anew each time: a resumed session knows none of it.
  if (event === "SessionStart" && payload.source === "resume")
    return { ...payload, source: "startup" };
  if (event === "PostToolBatch") return { ...payload, tool_calls: batch(payload.tool_calls) };
  if (typeof payload.tool_name !== "string") return payload;
  const tool = normalTool(payload.tool_name, payload.tool_input);
  const used: Record<string, unknown> = {
    ...{ ...fields, tool_name: tool.name, tool_input: tool.input },
    // The model's own id: the transcript has no other.
    tool_use_id: textField(payload, "tool_call_id", "tool_use_id"),
  };
  if (event === "PostToolUse") {
    const { llmContent, returnDisplay } = recordOf(payload.tool_response);
    const { tool_response: _response, ...rest } = used;
    const result = normalResult(tool, llmContent, returnDisplay, false);
    return { ...rest, ...endedFields(result) };
  }
  if (event === "PostToolUseFailure" && typeof payload.error === "string") {
    const result = normalResult(tool, payload.error, undefined, true);
    const error = "error" in result ? result.error : payload.error;
    return { ...used, hook_event_name: event, error };
  }
  return { ...used, hook_event_name: event };
}

function batch(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call: unknown) => {
    if (!isRecord(call) || typeof call.tool_name !== "string") return call;
    const { name, input } = normalTool(call.tool_name, call.tool_input);
    const id = textField(call, "tool_call_id", "tool_use_id");
    const parts = recordOf(call.tool_response).response_parts;
    return {
      ...{ tool_name: name, tool_input: input, tool_use_id: id },
      tool_response: Array.isArray(parts) ? parts.map(partText).join("\n") : call.tool_response,
    };
  });
}

/** What a model is shown of a tool's result. */
function partText(part: unknown): string {
  const { response } = recordOf(recordOf(part).functionResponse);
  return resultText(recordOf(response).output) || textField(response, "error");
}

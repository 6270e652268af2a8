// Qwen Code's payloads in the normal form.
import { isRecord, recordOf, textField } from "../../text/values.ts";
import { normalResult, normalTool } from "../normal/google-tools.ts";
import { outcomeFields, resultText } from "../normal/tools.ts";

/** The payload as Claude Code would have written it; undefined for a prompt that nobody typed. */
export function normalQwen(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { hook_event_name: event, tool_call_id: _id, ...fields } = payload;
  // After every batch of tools it tells of a prompt with nothing in it.
  if (event === "UserPromptSubmit" && textField(payload, "prompt").trim() === "") return undefined;
  // What it was told stands in its instructions, which it writes anew each time: a resumed session knows none of it.
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
    const { tool_response: _response, ...told } = used;
    const result = normalResult(tool, llmContent, returnDisplay, false);
    const hook_event_name = "error" in result ? "PostToolUseFailure" : event;
    return { ...told, hook_event_name, ...outcomeFields(result) };
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

/** What a model is told of a tool's result. */
export function partText(part: unknown): string {
  const { response } = recordOf(recordOf(part).functionResponse);
  return resultText(recordOf(response).output) || textField(response, "error");
}

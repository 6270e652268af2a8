// Cursor's payloads in the normal form.
import { isRecord, listField, recordOf, textField } from "../../text/values.ts";
import { outcomeFields } from "../normal/tools.ts";
import { failure, normalResult, normalTool } from "./tools.ts";

type Json = Record<string, unknown>;

/** Its names of events. Claude Code's settings may have it spell them otherwise: the first letter does not count. */
const events: Readonly<Record<string, string>> = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  beforeSubmitPrompt: "UserPromptSubmit",
  userPromptSubmit: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  stop: "Stop",
  preCompact: "PreCompact",
};

/** The event's normal name; its own for one that tells the same again, or nothing. */
function eventOf(name: string): string {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return (Object.hasOwn(events, key) ? events[key] : undefined) ?? name;
}

/** The payload as Claude Code would have written it; undefined for an empty prompt. `id` stands in where a tool use has none. */
export function normalCursor(payload: unknown, id: string): unknown {
  if (!isRecord(payload) || typeof payload.hook_event_name !== "string") return payload;
  const event = eventOf(payload.hook_event_name);
  const [root] = listField(payload, "workspace_roots");
  const path = textField(payload, "transcript_path");
  const turn = textField(payload, "generation_id");
  const agent = textField(payload, "subagent_id", "agent_id");
  const type = textField(payload, "subagent_type", "agent_type");
  const session = textField(payload, "conversation_id", "session_id");
  const cwd = textField(payload, "cwd") || (typeof root === "string" ? root : "");
  const shared = {
    ...(session !== "" && { session_id: session }),
    // The program has an empty one where the editor has the folder.
    ...(cwd !== "" && { cwd }),
    hook_event_name: event,
    ...(path !== "" && { transcript_path: path }),
    // It is another with each of a person's messages.
    ...(turn !== "" && { prompt_id: turn }),
    ...(agent !== "" && { agent_id: agent }),
    ...(type !== "" && { agent_type: type }),
  };
  const used = textField(payload, "tool_name");
  if (used !== "") return toolUse(payload, used, shared, id);
  if (event !== "UserPromptSubmit") return { ...shared, ...fieldsOf(event, payload) };
  if (typeof payload.prompt !== "string") return shared;
  const prompt = payload.prompt.trim();
  return prompt === "" ? undefined : { ...shared, prompt };
}

function toolUse(payload: Json, used: string, shared: Json, id: string): Json {
  const tool = normalTool(used, payload.tool_input, textField(payload, "mcp_server_name"));
  const given = textField(payload, "tool_use_id").trim();
  const told = {
    ...shared,
    ...{ tool_name: tool.name, tool_input: tool.input },
    // A line feed may stand in it.
    tool_use_id: given === "" ? id : given.replace(/\s+/g, "-"),
  };
  const duration = typeof payload.duration === "number" ? { duration_ms: payload.duration } : {};
  switch (shared.hook_event_name) {
    case "PostToolUse": {
      const result = normalResult(tool, payload.tool_output ?? payload.tool_response);
      const hook_event_name = "error" in result ? "PostToolUseFailure" : "PostToolUse";
      return { ...told, ...duration, hook_event_name, ...outcomeFields(result) };
    }
    case "PostToolUseFailure": {
      const error = textField(payload, "error_message", "error");
      const isInterrupt =
        payload.is_interrupt === true || payload.failure_type === "permission_denied";
      const failed = error === "" ? {} : { error: failure(tool, error) };
      return { ...told, ...duration, ...failed, is_interrupt: isInterrupt };
    }
    default:
      return told;
  }
}

/** What an event of no tool says beside that. */
function fieldsOf(event: string, payload: Json): Json {
  const { reason, trigger, status } = recordOf(payload);
  const said = textField(payload, "last_assistant_message", "summary", "result");
  switch (event) {
    case "SessionStart":
      return { source: textField(payload, "source") || "startup" };
    case "SessionEnd":
      return { reason };
    case "PreCompact":
      return { trigger };
    case "Stop":
      return { status };
    case "SubagentStop": {
      const path = textField(payload, "agent_transcript_path");
      return {
        ...(said !== "" && { last_assistant_message: said }),
        ...(path !== "" && { agent_transcript_path: path }),
      };
    }
    default:
      return {};
  }
}

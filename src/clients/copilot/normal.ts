// GitHub Copilot CLI's payloads in the normal form. It writes them in its own spelling, or in Claude Code's, as a hook is registered.
import { isRecord, recordOf, textField } from "../../text/values.ts";
import { outcomeFields } from "../normal/tools.ts";
import { normalResult, normalTool, toolId } from "./tools.ts";

type Json = Record<string, unknown>;

/**
 * The payload as Claude Code would have written it; undefined for what is no event: an empty prompt, a subagent's task
 * and its end, which are told of twice. `id` stands in where a tool use's time is missing.
 */
export function normalCopilot(payload: unknown, id: string): unknown {
  if (!isRecord(payload)) return payload;
  const event = eventOf(payload);
  if (event === undefined) return payload;
  const agent = textField(payload, "agent_id", "agentId");
  const session = textField(payload, "session_id", "sessionId");
  // A subagent's hooks name itself as the session.
  const isAgents = agent !== "" && session === agent;
  if (isAgents && (event === "UserPromptSubmit" || event === "Stop")) return undefined;
  const at = timeOf(payload.timestamp);
  const shared = {
    ...textsOf({
      session_id: isAgents ? textField(payload, "parent_agent_id", "parentAgentId") : session,
      transcript_path: textField(payload, "transcript_path", "transcriptPath"),
      cwd: textField(payload, "cwd"),
      agent_id: agent,
      agent_type: textField(payload, "agent_type", "agentType", "agent_name", "agentName"),
    }),
    hook_event_name: event,
    ...(at !== undefined && { timestamp: at }),
  };
  if (event === "UserPromptSubmit") {
    if (typeof payload.prompt !== "string") return shared;
    const prompt = payload.prompt.trim();
    return prompt === "" ? undefined : { ...shared, prompt };
  }
  const used = textField(payload, "tool_name", "toolName");
  if (used !== "" && isToolEvent.has(event)) return toolUse(payload, used, shared, at, id);
  return { ...shared, ...fieldsOf(event, payload) };
}

const isToolEvent: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

function toolUse(payload: Json, used: string, shared: Json, at: number | undefined, id: string) {
  const args = payload.tool_input ?? payload.toolArgs;
  const tool = normalTool(used, args, textField(payload, "cwd"));
  const told = {
    ...shared,
    tool_name: tool.name,
    tool_input: tool.input,
    tool_use_id: at === undefined ? id : toolId(at, used, args),
  };
  if (shared.hook_event_name === "PreToolUse") return told;
  if (shared.hook_event_name === "PostToolUseFailure") {
    const { error } = payload;
    return { ...told, error: textField(error, "message") || error, is_interrupt: false };
  }
  const result = recordOf(payload.tool_result ?? payload.toolResult);
  const shown = textField(result, "text_result_for_llm", "textResultForLlm");
  const ended = normalResult(tool, shown, textField(result, "result_type", "resultType"));
  const hook_event_name = "error" in ended ? "PostToolUseFailure" : "PostToolUse";
  return { ...told, hook_event_name, ...outcomeFields(ended) };
}

/** What an event of no tool says beside that. */
function fieldsOf(event: string, payload: Json): Json {
  switch (event) {
    case "SessionStart": {
      const source = textField(payload, "source");
      return textsOf({ source: source === "new" ? "startup" : source });
    }
    case "Stop":
      return {
        stop_hook_active: payload.stop_hook_active,
        ...textsOf({ stop_reason: textField(payload, "stop_reason", "stopReason") }),
      };
    case "SubagentStop":
      return textsOf({
        last_assistant_message: textField(payload, "last_assistant_message", "response"),
        stop_reason: textField(payload, "stop_reason", "stopReason"),
      });
    case "SessionEnd":
      return textsOf({ reason: textField(payload, "reason") });
    case "PreCompact":
      return textsOf({ trigger: textField(payload, "trigger") });
    default:
      return {};
  }
}

/** The event's name; its own spelling has none, and each event its own fields. */
function eventOf(payload: Json): string | undefined {
  const { hook_event_name: name, hookName } = payload;
  if (typeof name === "string" && name !== "") return name;
  if (typeof hookName === "string" && hookName !== "") return hookName;
  const has = (field: string) => Object.hasOwn(payload, field);
  if (has("toolName"))
    return has("error") ? "PostToolUseFailure" : has("toolResult") ? "PostToolUse" : "PreToolUse";
  if (has("prompt")) return "UserPromptSubmit";
  if (has("agentName"))
    return has("stopReason") || has("response") ? "SubagentStop" : "SubagentStart";
  if (has("stopReason")) return "Stop";
  if (has("trigger")) return "PreCompact";
  if (has("reason")) return "SessionEnd";
  return has("source") ? "SessionStart" : undefined;
}

/** Epoch ms; Claude Code's spelling has it as a text. */
function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isSafeInteger(time) && time > 0 ? time : undefined;
}

/** Those that are not empty. */
function textsOf(fields: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ""));
}

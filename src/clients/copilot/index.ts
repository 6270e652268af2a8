// The GitHub Copilot CLI adapter: events in two spellings, without ids, and answers of its own form.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import {
  type ClientEvent,
  type ClientEventName,
  contextLimit,
  type Reply,
} from "../../sdk/events.ts";
import { dropOldest, isRecord, recordOf, textField } from "../../text/text.ts";
import type {
  ClientAdapter,
  ClientFinding,
  ClientRegistration,
  RegistrationPlace,
} from "../adapter.ts";
import { answerOf, byNormalForm, eventsBut, fitContext } from "../normal/payload.ts";
import { hooksPart, serverPart } from "../normal/registration.ts";
import { endedFields } from "../normal/tools.ts";
import {
  copilotFolder,
  copilotTranscripts,
  normalResult,
  normalTool,
  shownText,
  toolId,
} from "./normal.ts";

// GitHub Copilot CLI's payloads in the normal form. It writes them in its own spelling, or in Claude Code's, as a hook is registered.

type Json = Record<string, unknown>;

/**
 * The payload as Claude Code would have written it; undefined for what is no event: an empty prompt, a subagent's task
 * and its end, which come twice. `id` stands in where a tool use's time is missing.
 */
function normalCopilot(payload: unknown, id: string): unknown {
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
  const use = {
    ...shared,
    tool_name: tool.name,
    tool_input: tool.input,
    tool_use_id: at === undefined ? id : toolId(at, used, args),
  };
  if (shared.hook_event_name === "PreToolUse") return use;
  if (shared.hook_event_name === "PostToolUseFailure") {
    const { error } = payload;
    return { ...use, error: textField(error, "message") || error, is_interrupt: false };
  }
  const result = recordOf(payload.tool_result ?? payload.toolResult);
  const shown = textField(result, "text_result_for_llm", "textResultForLlm");
  const ended = normalResult(tool, shown, textField(result, "result_type", "resultType"));
  return { ...use, ...endedFields(ended) };
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

// A reply as GitHub Copilot CLI reads it: flat, whichever spelling its payload had. Claude Code's nested form it passes over.

/** Events whose answer reaches the model. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** Sessions whose beginning is remembered at a time. */
const mostHeld = 100;

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. A compaction takes away
 * the context of the session's start, and no event asks for it anew: the next prompt brings it again.
 */
function createCopilotRender(): ClientAdapter["render"] {
  const starts = new Map<string, string>();
  const compacted = new Set<string>();

  /** What is given now. */
  function contextOf({ name, session, agent }: ClientEvent, context: string): string {
    if (name === "SessionStart" && context !== "") {
      starts.set(session, context);
      dropOldest(starts, mostHeld);
    }
    // A subagent's compaction leaves the session as it is.
    if (name === "PreCompact" && !agent && starts.has(session)) compacted.add(session);
    if (name !== "UserPromptSubmit" || !compacted.delete(session)) return context;
    return [starts.get(session), context].filter(Boolean).join("\n\n");
  }

  return (event, { context = "", updatedToolOutput }: Reply) => {
    const given = contextOf(event, context);
    if (!contextEvents.has(event.name)) return undefined;
    return answerOf({
      // It takes three times as much whole.
      additionalContext: fitContext(given, 2 * contextLimit),
      modifiedResult:
        event.name === "PostToolUse" ? modified(event.toolName, updatedToolOutput) : undefined,
    });
  };
}

/** Undefined where the other result has no text: the client's own stays. */
function modified(tool: string, response: unknown): Record<string, unknown> | undefined {
  const text = shownText(response);
  if (text === "") return undefined;
  const textResultForLlm = tool === "Bash" ? `${text}\n<completed with exit code 0>` : text;
  return { textResultForLlm, resultType: "success" };
}

// GitHub Copilot CLI's settings: a file of hooks beside others', in Claude Code's form, which it reads too; and its MCP servers.

const events = eventsBut("PostToolBatch", "PostCompact");

/** Whatever plugins want: a compaction takes away what memoir said at the start. */
function withCompaction(place: RegistrationPlace): RegistrationPlace {
  const seconds = place.events.get("SessionStart");
  if (seconds === undefined || place.events.has("PreCompact")) return place;
  return { ...place, events: new Map([...place.events, ["PreCompact", seconds]]) };
}

const copilotRegistration: ClientRegistration = {
  program: "copilot",
  folder: copilotFolder,
  events,
  files: (place) => {
    const folder = copilotFolder(place.env);
    return [
      {
        path: join(folder, "mcp-config.json"),
        parts: [serverPart(place, undefined, { type: "local", tools: ["*"] })],
      },
      // Claude Code's names of events bring the event's name in each payload.
      { path: join(folder, "hooks", "memoir.json"), parts: [hooksPart(withCompaction(place))] },
    ];
  },
  look: () => lookAtProject(process.cwd()),
};

/** A project's own settings may turn off every hook; the user's own do that for their own hooks alone. */
export async function lookAtProject(project: string): Promise<readonly ClientFinding[]> {
  for (const name of ["settings.json", "settings.local.json"]) {
    const path = join(project, ".github", "copilot", name);
    const text = await readFile(path, "utf8").catch(() => "");
    if (!/"disableAllHooks"\s*:\s*true/.test(text)) continue;
    const message = `in this folder it runs no hooks: ${path} turns them off`;
    const fix =
      'Take `"disableAllHooks": true` out of that file, where sessions here are to be remembered.';
    return [{ state: "warn", message, fix }];
  }
  return [];
}

const byNormal = byNormalForm("copilot", normalCopilot);

export const adapter: ClientAdapter = {
  ...byNormal,
  parse(payload, delivery) {
    const event = byNormal.parse(payload, delivery);
    const time = event?.extra?.timestamp;
    // A tool use has that in its id.
    if (!event || typeof time !== "number" || "toolUseId" in event) return event;
    // By another road it comes with the same time: that makes one event of both.
    const key = `${event.key.slice(0, -delivery.id.length)}${time}`;
    return { ...event, key: event.agent ? `${key}-${event.agent.id}` : key };
  },
  render: createCopilotRender(),
  registration: copilotRegistration,
  transcripts: copilotTranscripts,
};

// The normal form of a hook payload, which is Claude Code's, as valibot schemas: what memoir needs is required, the rest may come and go.
import * as v from "valibot";

/** A field of the wrong type counts as absent: one odd optional field must not cost the event. */
const text = v.fallback(v.optional(v.string()), undefined);
const number = v.fallback(v.optional(v.number()), undefined);
/** False where it is missing. */
const flag = v.fallback(v.optional(v.boolean(), false), false);

const id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(512));

/** Fields of every event. */
export const CommonPayload = v.looseObject({
  session_id: id,
  hook_event_name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
  cwd: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192)),
  transcript_path: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
});
export type CommonPayload = v.InferOutput<typeof CommonPayload>;

/** What every event of a tool use says of it. */
export const toolPayload = { tool_name: id, tool_input: v.optional(v.unknown()), tool_use_id: id };

/** The further fields of each event that memoir has a type for, in the order a session meets them. */
export const eventPayloads = {
  SessionStart: v.looseObject({ source: v.fallback(v.string(), "startup"), model: text }),
  UserPromptSubmit: v.looseObject({ prompt: v.string() }),
  PreToolUse: v.looseObject(toolPayload),
  PostToolUse: v.looseObject({
    ...toolPayload,
    tool_response: v.optional(v.unknown()),
    duration_ms: number,
  }),
  PostToolUseFailure: v.looseObject({
    ...toolPayload,
    error: v.string(),
    is_interrupt: flag,
    duration_ms: number,
  }),
  PostToolBatch: v.looseObject({
    tool_calls: v.array(v.looseObject({ ...toolPayload, tool_response: v.optional(v.unknown()) })),
  }),
  Stop: v.looseObject({ stop_hook_active: flag, last_assistant_message: text }),
  SubagentStart: v.looseObject({}),
  SubagentStop: v.looseObject({ last_assistant_message: text, agent_transcript_path: text }),
  SessionEnd: v.looseObject({ reason: v.fallback(v.string(), "other") }),
  PreCompact: v.looseObject({ trigger: v.fallback(v.string(), "") }),
  PostCompact: v.looseObject({ trigger: v.fallback(v.string(), ""), compact_summary: text }),
} as const;

export type TypedEventName = keyof typeof eventPayloads;

/** True for an event that memoir has a type for. */
export function isTypedEvent(name: string): name is TypedEventName {
  return Object.hasOwn(eventPayloads, name);
}

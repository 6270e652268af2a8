// A hook payload in the normal form (Claude Code's) becomes a ClientEvent: known fields typed, unknown ones kept, over-long ones shortened.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, EventBase } from "../../sdk/events.ts";
import { omissionMark } from "../../text/shorten.ts";
import type { Delivery } from "../adapter.ts";
import {
  CommonPayload,
  type EventPayload,
  eventPayloads,
  isTypedEvent,
  type TypedEventName,
} from "./payload.ts";

// Bounds what one event may carry: over-long strings, lists and nesting are shortened, and say so.

/** How much of a value survives. All counts are per event. */
interface ClampLimits {
  /** Characters one string may keep. */
  string: number;
  /** Characters all strings together may keep; when they are used up, each further string keeps little. */
  total: number;
  /** Entries a list or object may keep. */
  entries: number;
  /** Levels of nesting. */
  depth: number;
}

export const defaultClampLimits: ClampLimits = {
  string: 64 * 1024,
  total: 2 * 1024 * 1024,
  entries: 5_000,
  depth: 64,
};

/** What a string keeps after the total is used up. */
const leastKept = 256;
/** How far a cut moves to meet a line end. */
const lineReach = 2_000;

/** Keeps the beginning and the end of a text that is longer than `limit`, with a line between them that counts what was left out. */
export function clampText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headEnd = cutBefore(text, Math.ceil(limit * 0.75));
  const tailStart = cutAfter(text, text.length - Math.floor(limit * 0.25));
  const left = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n${omissionMark(left)}\n${text.slice(tailStart)}`;
}

/** The same value with every string, list and object within the limits. Plain JSON in, plain JSON out. */
export function clampDeep(value: unknown, limits: ClampLimits = defaultClampLimits): unknown {
  let spent = 0;
  const visit = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") {
      const room = Math.max(Math.min(limits.string, limits.total - spent), leastKept);
      const kept = clampText(item, room);
      spent += kept.length;
      return kept;
    }
    if (typeof item !== "object" || item === null) return item;
    if (depth >= limits.depth) return "[memoir left out what is nested deeper]";
    if (Array.isArray(item)) {
      const kept = item.slice(0, limits.entries).map((entry) => visit(entry, depth + 1));
      if (item.length > limits.entries) kept.push(leftOut(item.length - limits.entries));
      return kept;
    }
    const entries = Object.entries(item);
    const kept = entries
      .slice(0, limits.entries)
      .map(([key, entry]): [string, unknown] => [clampText(key, 1_024), visit(entry, depth + 1)]);
    if (entries.length > limits.entries) {
      kept.push(["memoir", leftOut(entries.length - limits.entries)]);
    }
    // fromEntries makes own properties, so a key named __proto__ stays data.
    return Object.fromEntries(kept);
  };
  return visit(value, 0);
}

function leftOut(count: number): string {
  return `[memoir left out ${count} more entries]`;
}

/** A position at or before `at`: after a line end when one is near, never inside a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at - 1);
  if (line >= 0 && at - line <= lineReach) return line + 1;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

/** A position at or after `at`: after a line end when one is near, never inside a surrogate pair. */
function cutAfter(text: string, at: number): number {
  const line = text.indexOf("\n", at);
  if (line >= 0 && line - at <= lineReach && line + 1 < text.length) return line + 1;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * Parses one payload of `client`'s. Throws MemoirError `payload_invalid` naming the field; an event without a type
 * becomes `Other`.
 */
export function parsePayload(client: string, payload: unknown, delivery: Delivery): ClientEvent {
  try {
    const bounded = clampDeep(payload);
    const common = check(CommonPayload, bounded, "the payload");
    const name = common.hook_event_name;
    const of = (known: readonly string[]) => base(client, common, known, delivery);
    if (!isTypedEvent(name)) return { ...of([]), name: "Other", clientEvent: name };
    return builders[name](bounded, of(Object.keys(eventPayloads[name].entries)));
  } catch (error) {
    if (error instanceof Wrong)
      throw new MemoirError("payload_invalid", `${client}: ${error.message}`);
    throw error;
  }
}

/** What is wrong with a payload. */
class Wrong extends Error {}

type Builder = (payload: unknown, base: EventBase) => ClientEvent;

const builders: { readonly [Name in TypedEventName]: Builder } = {
  SessionStart: (payload, base) => {
    const { source, model } = fields("SessionStart", payload);
    return { ...base, name: "SessionStart", source, ...present({ model }) };
  },
  UserPromptSubmit: (payload, base) => {
    const { prompt } = fields("UserPromptSubmit", payload);
    // The text is part of the key, so that two prompts never become one should the client repeat an id.
    const key = base.promptId
      ? `${keyStart(base)}:UserPromptSubmit:${base.promptId}:${textHash(prompt)}`
      : base.key;
    return { ...base, key, name: "UserPromptSubmit", prompt };
  },
  PreToolUse: (payload, base) => {
    const tool = fields("PreToolUse", payload);
    return {
      ...base,
      ...toolFields(tool),
      key: toolKey("PreToolUse", tool, base),
      name: "PreToolUse",
    };
  },
  PostToolUse: (payload, base) => {
    const tool = fields("PostToolUse", payload);
    return {
      ...base,
      ...toolFields(tool),
      key: toolKey("PostToolUse", tool, base),
      name: "PostToolUse",
      toolResponse: tool.tool_response,
      ...present({ durationMs: tool.duration_ms }),
    };
  },
  PostToolUseFailure: (payload, base) => {
    const tool = fields("PostToolUseFailure", payload);
    return {
      ...base,
      ...toolFields(tool),
      key: toolKey("PostToolUseFailure", tool, base),
      name: "PostToolUseFailure",
      error: tool.error,
      isInterrupt: tool.is_interrupt ?? false,
      ...present({ durationMs: tool.duration_ms }),
    };
  },
  PostToolBatch: (payload, base) => {
    const calls = fields("PostToolBatch", payload).tool_calls;
    const first = calls[0];
    return {
      ...base,
      key: first ? toolKey("PostToolBatch", first, base) : base.key,
      name: "PostToolBatch",
      toolCalls: calls.map((call) => ({ ...toolFields(call), toolResponse: call.tool_response })),
    };
  },
  Stop: (payload, base) => {
    const { stop_hook_active, last_assistant_message } = fields("Stop", payload);
    return {
      ...base,
      name: "Stop",
      stopHookActive: stop_hook_active ?? false,
      ...present({ lastAssistantMessage: last_assistant_message }),
    };
  },
  SubagentStart: (_payload, base) => ({ ...base, name: "SubagentStart" }),
  SubagentStop: (payload, base) => {
    const { last_assistant_message, agent_transcript_path } = fields("SubagentStop", payload);
    return {
      ...base,
      name: "SubagentStop",
      ...present({
        lastAssistantMessage: last_assistant_message,
        agentTranscriptPath: agent_transcript_path,
      }),
    };
  },
  SessionEnd: (payload, base) => {
    const { reason } = fields("SessionEnd", payload);
    return { ...base, name: "SessionEnd", reason };
  },
  PreCompact: (payload, base) => {
    const { trigger } = fields("PreCompact", payload);
    return { ...base, name: "PreCompact", trigger };
  },
  PostCompact: (payload, base) => {
    const { trigger, compact_summary } = fields("PostCompact", payload);
    return {
      ...base,
      name: "PostCompact",
      trigger,
      ...present({ compactSummary: compact_summary }),
    };
  },
};

function fields<Name extends TypedEventName>(name: Name, payload: unknown): EventPayload<Name> {
  const schema: v.GenericSchema<unknown, EventPayload<Name>> = eventPayloads[name];
  return check(schema, payload, name);
}

function check<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  what: string,
): Output {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? "";
  // The received value is left out on purpose: it may be private.
  const wrong =
    issue.received === "undefined" ? "is missing" : `is not as expected (${issue.expected})`;
  const where = field === "" ? what : `${what}: field \`${field}\``;
  throw new Wrong(`${where} ${wrong}.`);
}

function base(
  client: string,
  common: CommonPayload,
  known: readonly string[],
  delivery: Delivery,
): EventBase {
  const taken = new Set([...Object.keys(CommonPayload.entries), ...known]);
  const rest = Object.entries(common).filter(([key]) => !taken.has(key));
  const agent = common.agent_id
    ? { id: common.agent_id, ...present({ type: common.agent_type }) }
    : undefined;
  return {
    id: delivery.id,
    key: `${client}:${common.session_id}:${common.hook_event_name}:${delivery.id}`,
    client,
    session: common.session_id,
    time: delivery.time,
    cwd: common.cwd,
    ...present({
      transcriptPath: common.transcript_path,
      promptId: common.prompt_id,
      agent,
      extra: rest.length > 0 ? Object.fromEntries(rest) : undefined,
    }),
  };
}

interface ToolPayload {
  tool_name: string;
  tool_input?: unknown;
  tool_use_id: string;
}

function toolFields(tool: ToolPayload): {
  toolName: string;
  toolInput: unknown;
  toolUseId: string;
} {
  return { toolName: tool.tool_name, toolInput: tool.tool_input, toolUseId: tool.tool_use_id };
}

function keyStart({ client, session }: EventBase): string {
  return `${client}:${session}`;
}

function toolKey(name: TypedEventName, tool: ToolPayload, base: EventBase): string {
  return `${keyStart(base)}:${name}:${tool.tool_use_id}`;
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The same fields without those that are undefined. */
function present<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Present<Fields>;
}

/** 32-bit FNV-1a of a text, in hexadecimal; tells prompts apart inside one prompt id, nothing more. */
function textHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// A hook payload in the normal form (Claude Code's) becomes a ClientEvent, and a reply the answer in that form.
import * as v from "valibot";
import type { ToolOriginal } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import {
  type ClientEvent,
  type ClientEventName,
  contextLimit,
  type EventBase,
  type Reply,
} from "../../sdk/events.ts";
import { isRecord, omissionMark } from "../../text/text.ts";
import type { ClientAdapter, Delivery } from "../adapter.ts";

/** A field of the wrong type counts as absent: one odd optional field must not cost the event. */
const text = v.fallback(v.optional(v.string()), undefined);
const number = v.fallback(v.optional(v.number()), undefined);
/** False where it is missing. */
const flag = v.fallback(v.optional(v.boolean(), false), false);

const id = v.pipe(v.string(), v.nonEmpty(), v.maxLength(512));

/** Fields of every event. */
const CommonPayload = v.looseObject({
  session_id: id,
  hook_event_name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
  cwd: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192)),
  transcript_path: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
});
type CommonPayload = v.InferOutput<typeof CommonPayload>;

/** What every event of a tool use says of it. */
const toolPayload = { tool_name: id, tool_input: v.optional(v.unknown()), tool_use_id: id };

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

type TypedEventName = keyof typeof eventPayloads;

/** The events that can be registered with Claude Code, in the order a session meets them. */
export const claudeCodeEvents: readonly ClientEventName[] = Object.keys(
  eventPayloads,
) as TypedEventName[];

/** Those of a client that has Claude Code's events, but not these. */
export function eventsBut(...missing: readonly ClientEventName[]): readonly ClientEventName[] {
  return claudeCodeEvents.filter((event) => !missing.includes(event));
}

/** True for an event that memoir has a type for. */
function isTypedEvent(name: string): name is TypedEventName {
  return Object.hasOwn(eventPayloads, name);
}

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

/** Parses a payload of Claude Code's own, which is an event always; as `parsePayload`. */
export function parseClaudeCode(payload: unknown, delivery: Delivery): ClientEvent {
  return parsePayload("claude-code", payload, delivery);
}

// A hook payload in the normal form (Claude Code's) becomes a ClientEvent: known fields typed, unknown ones kept, over-long ones shortened.

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
    return build(name, bounded, of(Object.keys(eventPayloads[name].entries)));
  } catch (error) {
    if (error instanceof Wrong)
      throw new MemoirError("payload_invalid", `${client}: ${error.message}`);
    throw error;
  }
}

/** What is wrong with a payload. */
class Wrong extends Error {}

/** The event: its own fields are the payload's, by the same names in camel case. */
function build(name: TypedEventName, payload: unknown, base: EventBase): ClientEvent {
  const given = check<Fields>(eventPayloads[name], payload, name);
  const own = Object.keys(eventPayloads[name].entries);
  const fields: Fields = Object.fromEntries(own.map((field) => [field, given[field]]));
  const calls = Array.isArray(fields.tool_calls) ? (fields.tool_calls as Fields[]) : undefined;
  if (calls) fields.tool_calls = calls.map((call) => camelCased(call, batchFields));
  const isOfTool = (field: string) => Object.hasOwn(toolPayload, field);
  const event = {
    ...base,
    ...camelCased(fields, own.filter(isOfTool)),
    key: keyOf(name, calls?.[0] ?? fields, base),
    name,
    ...camelCased(
      fields,
      own.filter((field) => !isOfTool(field)),
    ),
  };
  // By the schemas, whose fields are those of the events.
  return event as unknown as ClientEvent;
}

type Fields = Record<string, unknown>;

const batchFields = [...Object.keys(toolPayload), "tool_response"];

/** What a tool was given and gave may be anything, also nothing; other fields that are missing are left out. */
const mayBeNothing: ReadonlySet<string> = new Set(["tool_input", "tool_response"]);

function camelCased(fields: Fields, names: readonly string[]): Fields {
  const kept = names.filter((name) => fields[name] !== undefined || mayBeNothing.has(name));
  const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(kept.map((name) => [inCamelCase(name), fields[name]]));
}

/** By what the same event is known when it comes twice. */
function keyOf(name: TypedEventName, fields: Fields, base: EventBase): string {
  const start = `${base.client}:${base.session}:${name}`;
  if (fields.tool_use_id !== undefined) return `${start}:${fields.tool_use_id}`;
  if (name !== "UserPromptSubmit" || !base.promptId) return base.key;
  // The text is part of the key, so that two prompts never become one should the client repeat an id.
  return `${start}:${base.promptId}:${textHash(String(fields.prompt))}`;
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

// What an adapter makes of its client's payloads, by way of Claude Code's form.

/**
 * Of the client that is named. `normal`: a payload as Claude Code would have written it, undefined for what is no event;
 * `id` stands in where a tool use has none.
 */
export function byNormalForm(
  name: string,
  normal: (payload: unknown, id: string) => unknown,
): Pick<ClientAdapter, "name" | "parse" | "original"> {
  return {
    name,
    parse(payload, delivery) {
      const written = normal(payload, delivery.id);
      return written === undefined ? undefined : parsePayload(name, written, delivery);
    },
    original: (payload) => originalOf(normal(payload, "")),
  };
}

/** The tool use of a PostToolUse payload in normal form, whole; undefined for other payloads, and nothing is copied. */
export function originalOf(payload: unknown): ToolOriginal | undefined {
  if (!isRecord(payload) || payload.hook_event_name !== "PostToolUse") return undefined;
  return { input: payload.tool_input, response: payload.tool_response };
}

// A reply in the form that Claude Code reads from a hook's stdout, and those who took it over.

/** Events whose output may carry `additionalContext`; PreCompact, PostCompact and SessionEnd have no output at all. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "SubagentStart",
  "SubagentStop",
]);

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. `specific`: further fields
 * of the event's own output.
 */
export function renderNested(
  event: ClientEvent,
  { context, systemMessage }: Reply,
  specific: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> | undefined {
  if (!contextEvents.has(event.name)) return undefined;
  const additionalContext = fitContext(context);
  return nestedAnswer(fitContext(systemMessage), event.name, { additionalContext, ...specific });
}

/** What Claude Code reads from a hook's stdout: one JSON object in the event's own output fields, or nothing. */
export function renderNormal(
  event: ClientEvent,
  reply: Reply,
): Record<string, unknown> | undefined {
  if (event.name !== "PostToolUse" || reply.updatedToolOutput === undefined)
    return renderNested(event, reply);
  const field = event.toolName.startsWith("mcp__") ? "updatedMCPToolOutput" : "updatedToolOutput";
  return renderNested(event, reply, { [field]: reply.updatedToolOutput });
}

/** The same of what was fitted already. `hookEventName`: as the client names the event. */
export function nestedAnswer(
  systemMessage: string | undefined,
  hookEventName: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const own = answerOf(fields);
  return answerOf({ systemMessage, hookSpecificOutput: own && { hookEventName, ...own } });
}

/** The object without the fields that are undefined; undefined where none is left. */
export function answerOf(
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/**
 * At most `limit` characters, cut at a line end where there is one, without half a surrogate pair; undefined for a text
 * that says nothing.
 */
export function fitContext(text = "", limit: number = contextLimit): string | undefined {
  const whole = text.toWellFormed();
  if (whole.trim() === "") return undefined;
  if (whole.length <= limit) return whole;
  const line = whole.lastIndexOf("\n", limit);
  if (line > 0) return whole.slice(0, line);
  const code = whole.charCodeAt(limit - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return whole.slice(0, splitsPair ? limit - 1 : limit);
}

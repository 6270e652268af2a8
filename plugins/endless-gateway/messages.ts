// The messages of a request, as far as they are understood, and what each is recognised by. Whatever has another form makes the whole request one to leave alone.
import { createHash } from "node:crypto";
import { isRecord } from "../../src/text/index.ts";

export interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
  readonly [key: string]: unknown;
}

export interface ToolUseBlock extends Block {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResultBlock extends Block {
  readonly tool_use_id: string;
}

/** The body's messages; undefined where one of them is of a form that is not known. */
export function messagesOf(body: Readonly<Record<string, unknown>>): Message[] | undefined {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  return messages.every(isMessage) ? messages : undefined;
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value) || typeof value.role !== "string") return false;
  const { content } = value;
  return typeof content === "string" || (Array.isArray(content) && content.every(isBlock));
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value.type === "string";
}

/** A lone text is one block. */
export function blocksOf(message: Message | undefined): readonly Block[] {
  if (message === undefined) return [];
  const { content } = message;
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Ids that may stand in a text that is put in. */
const idForm = /^[\w-]{1,128}$/;

export function isToolUse(block: Block): block is ToolUseBlock {
  const { type, id, name, input } = block;
  return (
    type === "tool_use" &&
    typeof id === "string" &&
    idForm.test(id) &&
    typeof name === "string" &&
    isRecord(input)
  );
}

export function isToolResult(block: Block): block is ToolResultBlock {
  return block.type === "tool_result" && typeof block.tool_use_id === "string";
}

/** A result's text; undefined when it holds anything but text (an image, say), or is an error. */
export function plainResult(block: ToolResultBlock): string | undefined {
  if (block.is_error === true) return undefined;
  const { content } = block;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts: string[] = [];
  for (const part of content as unknown[]) {
    if (!isRecord(part) || part.type !== "text" || typeof part.text !== "string") return undefined;
    // A breakpoint inside the result would go with it.
    if ("cache_control" in part) return undefined;
    texts.push(part.text);
  }
  return texts.join("\n");
}

/** The index of the last message of the assistant; -1 without one. What follows it is what the model is asked to answer. */
export function lastAssistant(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === "assistant");
}

// What a message is recognised by: a hash over it and everything before it, so that an edited history is another history.

/**
 * One hash for each message, each over all messages up to it. The client moves its cache breakpoint and writes a lone
 * text with or without a list: neither makes another message.
 */
export function lineageOf(messages: readonly Message[]): string[] {
  let before = "";
  return messages.map((message) => {
    before = createHash("sha256").update(before).update(canonical(message)).digest("base64url");
    return before;
  });
}

function canonical(message: Message): string {
  return JSON.stringify([message.role, blocksOf(message).map(withoutBreakpoint)]);
}

function withoutBreakpoint(block: Block): unknown {
  if (!("cache_control" in block)) return block;
  const { cache_control: _, ...rest } = block;
  return rest;
}

/** What an input or a result is recognised by, wherever it stands. */
export function contentHash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64url");
}

/** How long the API keeps this request's cached beginning, in ms. */
export function cacheLifeOf(body: Readonly<Record<string, unknown>>): number {
  const minutes = 60_000;
  return hasLongBreakpoint(body.system) || hasLongBreakpoint(body.messages)
    ? 60 * minutes
    : 5 * minutes;
}

function hasLongBreakpoint(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return (value as unknown[]).some(
    (item) =>
      isRecord(item) &&
      ((isRecord(item.cache_control) && item.cache_control.ttl === "1h") ||
        hasLongBreakpoint(item.content)),
  );
}

/**
 * Length of what every session of a client begins with: its tools, and the system prompt up to what is this session's own,
 * which is the last block.
 */
export function prefixCharacters(body: Readonly<Record<string, unknown>>): number {
  const system: unknown[] = Array.isArray(body.system) ? body.system : [];
  return JSON.stringify([body.tools ?? [], system.slice(0, -1)]).length;
}

// Decisions put into messages. Pure: the same decisions on the same messages give the same bytes.

/** A decision about one half of a tool use: what stands there instead. */
export interface Edit {
  toolUseId: string;
  part: "input" | "output";
  /** Of what was there when it was decided; something else stays as it is. */
  hash: string;
  /** JSON of the new input, or the new result's text. */
  instead: string;
}

/** A decision about a place: messages in front of the message with this hash, or blocks at the end of it. */
export interface Injection {
  hash: string;
  place: "before" | "inside";
  /** JSON: a list of messages, or of blocks. */
  json: string;
  /** Ids of the observations that it tells of. */
  observations: string[];
}

/** Gives an edit, and so on; undefined where nothing was decided. */
export interface Decisions {
  edit(toolUseId: string, part: "input" | "output"): Edit | undefined;
  injection(hash: string): Injection | undefined;
}

/** The messages as they go out; the very same list when nothing changes. */
export function applyDecisions(
  messages: readonly Message[],
  lineage: readonly string[],
  decisions: Decisions,
): readonly Message[] {
  let changed = false;
  const applied = messages.flatMap((message, at) => {
    const edited = editMessage(message, decisions);
    const injection = decisions.injection(lineage[at] ?? "");
    if (edited !== message || injection) changed = true;
    if (!injection) return [edited];
    const added: unknown = JSON.parse(injection.json);
    if (injection.place === "before") return [...(added as Message[]), edited];
    return [{ ...edited, content: [...blocksOf(edited), ...(added as Block[])] }];
  });
  return changed ? applied : messages;
}

function editMessage(message: Message, decisions: Decisions): Message {
  if (typeof message.content === "string") return message;
  let changed = false;
  const content = message.content.map((block) => {
    const edited = editBlock(block, decisions);
    if (edited !== block) changed = true;
    return edited;
  });
  return changed ? { ...message, content } : message;
}

/** Every other key of the block stays where it is, a cache breakpoint too. */
function editBlock(block: Block, decisions: Decisions): Block {
  if (isToolUse(block)) {
    const edit = decisions.edit(block.id, "input");
    if (!edit || edit.hash !== contentHash(block.input)) return block;
    return { ...block, input: JSON.parse(edit.instead) as unknown };
  }
  if (isToolResult(block)) {
    const edit = decisions.edit(block.tool_use_id, "output");
    if (!edit || edit.hash !== contentHash(block.content)) return block;
    const text = edit.instead;
    const content = typeof block.content === "string" ? text : [{ type: "text", text }];
    return { ...block, content };
  }
  return block;
}

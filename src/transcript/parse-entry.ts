// One line → one typed entry.
import { Buffer } from "node:buffer";
import { handedPlan, isClientNote } from "../text/prose/plain.ts";
import { isRecord, recordOf } from "../text/text.ts";
import type {
  AssistantEntry,
  BrokenLine,
  ContentBlock,
  EntryBase,
  EntryUsage,
  TranscriptEntry,
  UserEntry,
} from "./entry.ts";

/** One line without its line feed: `content` are bytes `offset` to `offset + content.length` of the file. */
export interface Line {
  /** Shares memory with the chunk it came in. */
  content: Uint8Array;
  /** 1 for the file's first line. */
  number: number;
  offset: number;
  /** False for a last line without line feed: it may still be growing. */
  complete: boolean;
  /** Length in bytes when the line was over the limit, and `content` is empty; else 0. */
  tooLong: number;
}

/** Parses one line. Undefined for an empty one. Never throws. */
export function parseEntry(line: Line): TranscriptEntry | BrokenLine | undefined {
  return parseTranslated(line, (value) => value);
}

/**
 * Parses one line of another client's: `translate` makes of its members those that Claude Code would have written, or
 * undefined where the line says nothing. Never throws, whatever `translate` does.
 */
export function parseTranslated(
  line: Line,
  translate: (value: Json) => Json | undefined,
): TranscriptEntry | BrokenLine | undefined {
  if (line.tooLong) return broken(line, "too long");
  const text = decodeLine(line.content);
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) return broken(line, line.complete ? "malformed" : "torn");
  if (!isRecord(value)) return broken(line, "not an object");
  try {
    const translated = translate(value);
    return translated && toEntry(line, translated);
  } catch {
    return broken(line, "malformed");
  }
}

/** One line of a transcript as an entry; undefined for one that holds none. Never throws. */
export type LineParser = (line: Line) => TranscriptEntry | BrokenLine | undefined;

/**
 * A parser without lines of the client's progress: they say nothing of what was said or done. Without one it is that of Claude Code's
 * lines, whose progress, a quarter of many files, is known by its beginning and not parsed.
 */
export function withoutProgress(parse?: LineParser): LineParser {
  return (line) => {
    if (!parse && beginsAsProgress(line.content)) return undefined;
    const entry = (parse ?? parseEntry)(line);
    return entry?.kind === "other" && entry.type === "progress" ? undefined : entry;
  };
}

const headBytes = 1024;

/** The type before any second brace is the line's own; in a text its quotes would be escaped. */
function beginsAsProgress({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const head = Buffer.from(buffer, byteOffset, Math.min(byteLength, headBytes)).toString("latin1");
  const at = head.indexOf('"type":"progress"');
  return at > 0 && head.lastIndexOf("{", at) === 0;
}

function toEntry(line: Line, value: Json): TranscriptEntry {
  const type = stringOf(value.type) ?? "";
  switch (type) {
    case "user":
      return userEntry(line, value);
    case "assistant":
      return assistantEntry(line, value);
    case "system":
      return {
        ...baseOf(line, type, value),
        kind: "system",
        subtype: stringOf(value.subtype) ?? "",
      };
    default:
      return { ...baseOf(line, type, value), kind: "other" };
  }
}

function userEntry(line: Line, value: Json): UserEntry {
  // Filled up, not spread: these two are nearly all of a transcript.
  const entry = baseOf(line, "user", value) as UserEntry;
  entry.kind = "user";
  entry.blocks = parseContent(recordOf(value.message).content);
  entry.isCompactSummary = value.isCompactSummary === true;
  return entry;
}

function assistantEntry(line: Line, value: Json): AssistantEntry {
  const entry = baseOf(line, "assistant", value) as AssistantEntry;
  const message = recordOf(value.message);
  entry.kind = "assistant";
  entry.blocks = parseContent(message.content);
  entry.isApiError = value.isApiErrorMessage === true;
  entry.requestId = stringOf(value.requestId);
  entry.messageId = stringOf(message.id);
  entry.model = stringOf(message.model);
  entry.usage = parseUsage(message.usage);
  return entry;
}

function baseOf(line: Line, type: string, value: Json): EntryBase {
  const { content } = line;
  // One shape for all, absent members as undefined: transcripts have tens of thousands of lines.
  return {
    type,
    line: line.number,
    offset: line.offset,
    bytes: content.length,
    uuid: stringOf(value.uuid),
    parentUuid: stringOf(value.parentUuid),
    sessionId: stringOf(value.sessionId),
    time: timeOf(value.timestamp),
    cwd: stringOf(value.cwd),
    gitBranch: stringOf(value.gitBranch),
    version: stringOf(value.version),
    isSidechain: value.isSidechain === true,
    agentId: stringOf(value.agentId),
    isMeta: value.isMeta === true,
    content,
    raw: value,
  };
}

function broken(line: Line, reason: BrokenLine["reason"]): BrokenLine {
  const { number, offset, content, tooLong } = line;
  return {
    kind: "broken",
    reason,
    line: number,
    offset,
    bytes: tooLong || content.length,
    content,
  };
}

// Message content and usage, from whatever a transcript holds to typed blocks.

/** A message's content as blocks; a plain string is one text block. Malformed blocks are `other`. */
function parseContent(content: unknown): ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(parseBlock) : [];
}

function parseBlock(value: unknown): ContentBlock {
  const block = recordOf(value);
  const { type } = block;
  if (type === "text" && typeof block.text === "string") return { type, text: block.text };
  if (type === "thinking" && typeof block.thinking === "string") {
    return { type, thinking: block.thinking };
  }
  if (type === "tool_use" && typeof block.id === "string" && typeof block.name === "string") {
    return { type, id: block.id, name: block.name, input: block.input };
  }
  if (type === "tool_result" && typeof block.tool_use_id === "string") {
    const { tool_use_id: toolUseId, content, is_error: isError } = block;
    return { type, toolUseId, content, isError: isError === true };
  }
  return { type: "other", blockType: typeof type === "string" ? type : "" };
}

/** Deeper content is nothing that a client writes, and would exhaust the stack. */
const maxDepth = 50;

/** The text of content in any form (a string, blocks, nested tool results), joined by line feeds. */
export function textOfContent(content: unknown): string {
  return textWithin(content, 0);
}

function textWithin(content: unknown, depth: number): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || depth > maxDepth) return "";
  return content
    .map((block: unknown) => {
      const { text, content: inner } = recordOf(block);
      return typeof text === "string" ? text : textWithin(inner, depth + 1);
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** A message's usage; undefined when no count is a number. */
function parseUsage(value: unknown): EntryUsage | undefined {
  const {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: written,
  } = recordOf(value);
  if (!isNumber(input) && !isNumber(output) && !isNumber(cacheRead) && !isNumber(cacheWrite))
    return undefined;
  const cacheWriteLong = count(recordOf(written).ephemeral_1h_input_tokens);
  return {
    input: count(input),
    output: count(output),
    cacheRead: count(cacheRead),
    cacheWrite: count(cacheWrite),
    ...(cacheWriteLong > 0 && { cacheWriteLong }),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function count(tokens: unknown): number {
  return isNumber(tokens) && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

// What a person wrote, kept apart from everything else that a client puts into user lines.

/** What stands in a user's place in a transcript. */
type PersonText =
  /** Typed, or in a subagent the task it was given. */
  | { kind: "said"; text: string }
  /** A slash command, as `/name arguments`. Only some of them ask something of the model. */
  | { kind: "command"; text: string }
  /** What the client made of a slash command; it stands right after it. */
  | { kind: "expansion" };

/** Blocks that clients add to what a person wrote. */
const added =
  /<(system-reminder|ide_[a-z_]+|user-prompt-submit-hook|memory-context)\b[^>]*>[\s\S]*?<\/\1>/g;
/** What the person gave the client, and it kept to itself. */
const toClient = /^(?:<(?:bash-input|user-memory-input|system-reminder)|\[Image: )/;
const commandEcho = /^<command-(?:name|message|args)>/;
/** The client's own, marked as such or not; a hook's reason not to stop is nobody's prompt. */
const caveat = /^(?:<local-command-caveat>|Caveat:|(?:Subagent)?Stop hook feedback:)/;

/**
 * What a person said with this entry; undefined when it is a tool result, a note of the client, a compact summary,
 * an interruption, or no user's entry. `clean` takes out what others put in (hooks' context), before it is judged.
 */
export function personText(
  entry: TranscriptEntry,
  clean: (text: string) => string = (text) => text,
): PersonText | undefined {
  if (entry.type === "attachment") return queuedPrompt(entry, clean);
  if (entry.kind !== "user" || entry.isCompactSummary) return undefined;
  const texts: string[] = [];
  for (const block of entry.blocks) {
    if (block.type === "tool_result") return undefined;
    if (block.type === "text") texts.push(block.text);
  }
  const raw = texts.join("\n").trim();
  if (isOfNobody(entry) && handedPlan(raw) === undefined) return undefined;
  if (entry.isMeta) return raw === "" || caveat.test(raw) ? undefined : { kind: "expansion" };
  if (commandEcho.test(raw)) return command(raw);
  return said(raw, clean);
}

/** Who a line in a user's place is of, where its client says so, and no person is. */
const nobody: ReadonlySet<unknown> = new Set([
  ...["task-notification", "auto-continuation", "peer", "coordinator", "observer-activity"],
]);

function isOfNobody({ raw }: TranscriptEntry): boolean {
  return nobody.has(recordOf(raw.origin).kind);
}

function said(raw: string, clean: (text: string) => string): PersonText | undefined {
  const text = clean(raw.includes("<") ? raw.replace(added, "") : raw).trim();
  return text === "" || toClient.test(text) || isClientNote(text)
    ? undefined
    : { kind: "said", text };
}

function command(raw: string): PersonText | undefined {
  const part = (name: string) =>
    new RegExp(`<command-${name}>([\\s\\S]*?)</command-${name}>`).exec(raw)?.[1]?.trim() ?? "";
  const name = part("name") || part("message");
  if (name === "") return undefined;
  return { kind: "command", text: `/${name.replace(/^\//, "")} ${part("args")}`.trim() };
}

/** A prompt that was typed while the agent worked reaches it as an attachment. */
function queuedPrompt(
  entry: TranscriptEntry,
  clean: (text: string) => string,
): PersonText | undefined {
  const attachment = entry.raw.attachment;
  if (typeof attachment !== "object" || attachment === null) return undefined;
  const { type, prompt, commandMode } = attachment as Record<string, unknown>;
  if (type !== "queued_command" || typeof prompt !== "string") return undefined;
  if (commandMode !== undefined && commandMode !== "prompt") return undefined;
  return said(prompt.trim(), clean);
}

// JSON that may be anything: parsed without exceptions.

export type Json = Record<string, unknown>;

/** The text's value; undefined when it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text's object; undefined when it is not valid JSON or no object. */
export function parseObject(text: string): Json | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** A line's text. Bytes that are no UTF-8 become U+FFFD. */
export function decodeLine({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

// Typed transcript entries: what memoir reads from a client's session file. Unknown types and fields stay reachable through `raw`.
import type { TokenUsage } from "../sdk/work.ts";

/** Tokens of one request as the API reported them. */
export interface EntryUsage extends TokenUsage {
  /** Those of `cacheWrite` that are kept for an hour, at a higher price; absent without any. */
  cacheWriteLong?: number;
}

/** Text that was said. */
interface TextBlock {
  type: "text";
  text: string;
}
/** What the model thought, where the client wrote it down. */
interface ThinkingBlock {
  type: "thinking";
  thinking: string;
}
/** A tool use as the model asked for it. */
interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: unknown;
}
/** A tool's result as the model saw it. */
export interface ToolResultBlock {
  type: "tool_result";
  toolUseId: string;
  /** As the model saw it: a string or a list of blocks. */
  content: unknown;
  isError: boolean;
}
/** Images, documents, server tools and whatever comes. */
interface OtherBlock {
  type: "other";
  blockType: string;
}
/** One block of a message. */
export type ContentBlock = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | OtherBlock;

/** Where a line stands in its file. */
interface Place {
  /** 1-based. */
  line: number;
  /** Byte offset. */
  offset: number;
  /** Length in bytes without the line feed. */
  bytes: number;
}

/** What every entry of a transcript may carry. */
export interface EntryBase extends Place {
  /** The entry's own `type`. */
  type: string;
  uuid?: string | undefined;
  parentUuid?: string | undefined;
  sessionId?: string | undefined;
  /** Epoch ms. */
  time?: number | undefined;
  cwd?: string | undefined;
  gitBranch?: string | undefined;
  version?: string | undefined;
  isSidechain: boolean;
  agentId?: string | undefined;
  isMeta: boolean;
  /** The line's bytes as they stand in the file, without the line feed. */
  content: Uint8Array;
  /** All members. */
  raw: Record<string, unknown>;
}

/** What the person said, or results of tools. */
export interface UserEntry extends EntryBase {
  kind: "user";
  blocks: ContentBlock[];
  /** A summary that the client wrote at a compaction. */
  isCompactSummary: boolean;
}
/** What the model answered; one message may stand in several entries. */
export interface AssistantEntry extends EntryBase {
  kind: "assistant";
  /** One message may be split over several entries with the same id. */
  messageId?: string | undefined;
  requestId?: string | undefined;
  model?: string | undefined;
  blocks: ContentBlock[];
  usage?: EntryUsage | undefined;
  isApiError: boolean;
}
/** What the client wrote about the session itself. */
interface SystemEntry extends EntryBase {
  kind: "system";
  subtype: string;
}
/** `progress`, `file-history-snapshot`, `queue-operation`, titles, modes, and every type of the future. */
export interface OtherEntry extends EntryBase {
  kind: "other";
}
/** Any entry of a transcript; `type` tells which. */
export type TranscriptEntry = UserEntry | AssistantEntry | SystemEntry | OtherEntry;

/** A line that is no entry; never an exception. */
export interface BrokenLine extends Place {
  kind: "broken";
  /** `empty` lines are not reported; `torn`: the last line, perhaps still being written. */
  reason: "torn" | "malformed" | "not an object" | "too long";
  /** Empty for `too long`. */
  content: Uint8Array;
}

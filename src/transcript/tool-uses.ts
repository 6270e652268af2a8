// Brings tool uses and their results together by id, whatever lies between them; streaming, in bounded memory.
import { dropOldest } from "../text/text.ts";
import type { AssistantEntry, ToolResultBlock, TranscriptEntry, UserEntry } from "./entry.ts";

/** How a tool use ended, as the transcript tells it. */
interface MatchedResult {
  /** As the model saw it: a string or a list of blocks. */
  content: unknown;
  isError: boolean;
  /** Epoch ms. */
  time?: number;
  /** The tool's own structured result; undefined when there is none. */
  structured: unknown;
}

/** One tool use, and its result once that is known. */
export interface TranscriptToolUse {
  id: string;
  name: string;
  input: unknown;
  /** Epoch ms. */
  time?: number;
  messageId?: string;
  cwd?: string;
  isSidechain: boolean;
  agentId?: string;
  result?: MatchedResult;
}

/** Counts of what was seen so far. */
interface ToolUseCounts {
  /** Different tool uses. */
  uses: number;
  /** Different results. */
  results: number;
  /** Tool uses with a result. */
  matched: number;
  /** Further lines with an id that was seen before: a client that resumes copies lines. */
  repeated: number;
}

/** Pairs tool uses with their results as entries come. */
export interface ToolUseMatcher {
  /** Takes the next entry; gives the tool uses that are complete with it. */
  add(entry: TranscriptEntry): TranscriptToolUse[];
  /** Tool uses that have no result so far, oldest first: interrupted ones, and those still running. */
  open(): TranscriptToolUse[];
  counts(): ToolUseCounts;
}

/** Tool uses and results without their other half that are held at a time; the oldest give way. */
const maxOpen = 2_000;

/** Makes a matcher. A result that stands before its tool use (lines out of order) is matched too. */
export function createToolUseMatcher(): ToolUseMatcher {
  const open = new Map<string, TranscriptToolUse>();
  const early = new Map<string, MatchedResult>();
  const used = new Set<string>();
  const answered = new Set<string>();
  let matched = 0;
  let repeated = 0;

  function use(entry: AssistantEntry, block: { id: string; name: string; input: unknown }) {
    if (used.has(block.id)) {
      repeated++;
      return undefined;
    }
    used.add(block.id);
    const made = toolUse(entry, block);
    const result = early.get(block.id);
    if (!result) {
      hold(open, block.id, made);
      return undefined;
    }
    early.delete(block.id);
    matched++;
    return { ...made, result };
  }

  function answer(entry: UserEntry | AssistantEntry, block: ToolResultBlock) {
    if (answered.has(block.toolUseId)) {
      repeated++;
      return undefined;
    }
    answered.add(block.toolUseId);
    const made = open.get(block.toolUseId);
    const result = matchedResult(entry, block);
    if (!made) {
      hold(early, block.toolUseId, result);
      return undefined;
    }
    open.delete(block.toolUseId);
    matched++;
    return { ...made, result };
  }

  return {
    add(entry) {
      if (entry.kind !== "assistant" && entry.kind !== "user") return [];
      const complete: TranscriptToolUse[] = [];
      for (const block of entry.blocks) {
        let done: TranscriptToolUse | undefined;
        if (entry.kind === "assistant" && block.type === "tool_use") done = use(entry, block);
        // Some clients write a use down when it ended, with its result.
        else if (block.type === "tool_result") done = answer(entry, block);
        if (done) complete.push(done);
      }
      return complete;
    },
    open: () => [...open.values()],
    counts: () => ({ uses: used.size, results: answered.size, matched, repeated }),
  };
}

function hold<Value>(held: Map<string, Value>, id: string, value: Value): void {
  held.set(id, value);
  dropOldest(held, maxOpen);
}

function toolUse(
  entry: AssistantEntry,
  { id, name, input }: { id: string; name: string; input: unknown },
): TranscriptToolUse {
  const { isSidechain, time, messageId, cwd, agentId } = entry;
  return {
    id,
    name,
    input,
    isSidechain,
    ...(time !== undefined && { time }),
    ...(messageId !== undefined && { messageId }),
    ...(cwd !== undefined && { cwd }),
    ...(agentId !== undefined && { agentId }),
  };
}

function matchedResult(
  entry: UserEntry | AssistantEntry,
  { content, isError }: ToolResultBlock,
): MatchedResult {
  const { time } = entry;
  return {
    content,
    isError,
    ...(time !== undefined && { time }),
    structured: entry.raw.toolUseResult,
  };
}

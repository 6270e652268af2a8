// Which tool results of a request are old enough to be weighed for leaving, and where in it they stand. Pure.
import {
  blocksOf,
  isToolResult,
  isToolUse,
  lastAssistant,
  type Message,
  plainResult,
  type ToolResultBlock,
} from "./messages.ts";
import type { OldResult } from "./retire.ts";

/** A result that may leave, with what is needed to keep it. */
export interface Candidate extends OldResult {
  block: ToolResultBlock;
  tool: string;
  text: string;
}

export interface OldResults {
  candidates: Candidate[];
  /** Estimated tokens of all messages and what stands in front of them. */
  contextTokens: number;
}

/** A rough figure is enough for a sum that only compares. */
const charactersPerToken = 4;
/** A result this small is hardly longer than the line that would stand in its place. */
const leastCharacters = 400;
/** About the length of that line. */
const lineCharacters = 100;

/**
 * Results in front of the last message of the assistant, of tools that may lose them. The messages are those that go
 * out, with what was decided so far.
 */
export function oldResultsIn(
  body: Readonly<Record<string, unknown>>,
  messages: readonly Message[],
  wants: (tool: string) => boolean,
): OldResults {
  const uses = new Map<string, string>();
  const twice = new Set<string>();
  const candidates: Candidate[] = [];
  const last = lastAssistant(messages);
  const answers = messages.filter(({ role }) => role === "assistant").length;
  let answered = 0;
  let at = (sizeOf(body.system) + sizeOf(body.tools)) / charactersPerToken;
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") answered += 1;
    for (const block of blocksOf(message)) {
      if (isToolUse(block)) {
        if (uses.has(block.id)) twice.add(block.id);
        uses.set(block.id, block.name);
      } else if (isToolResult(block) && index < last) {
        const text = plainResult(block);
        const tool = uses.get(block.tool_use_id);
        if (text !== undefined && tool !== undefined && wants(tool)) {
          const saves = (text.length - lineCharacters) / charactersPerToken;
          if (text.length >= leastCharacters)
            candidates.push({
              ...{ id: block.tool_use_id, at, saves, age: answers - answered },
              ...{ block, tool, text },
            });
        }
      }
      at += sizeOf(block) / charactersPerToken;
    }
  }
  return {
    candidates: candidates.filter(({ id }) => !twice.has(id)),
    contextTokens: at,
  };
}

/** The line that stands in a result's place. */
export function placeholder(toolUseId: string, text: string, command: string): string {
  const tokens = Math.ceil(text.length / charactersPerToken);
  return `[Old result removed to save ~${tokens} tokens; ${command} recall ${toolUseId}]`;
}

/** About the length of the value's JSON; writing it out would take longer than all the rest. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let size = 2;
  for (const [key, inner] of Object.entries(value)) size += key.length + 4 + sizeOf(inner);
  return size;
}

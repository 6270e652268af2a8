// Which tool uses may lose their input before they are first sent: finished ones, in an assistant's message that nothing signs.
import { isClearedInput } from "../../src/transcript/index.ts";
import {
  type Block,
  blocksOf,
  isToolResult,
  isToolUse,
  lastAssistant,
  type Message,
  type ToolUseBlock,
} from "./messages.ts";

export interface ClearPolicy {
  /** Smaller inputs stay. Characters of JSON. */
  minBytes: number;
  wants(tool: string): boolean;
}

/** Tool uses of the last assistant's message whose inputs may go. Whatever is not certain is left out. */
export function clearableIn(messages: readonly Message[], policy: ClearPolicy): ToolUseBlock[] {
  const at = lastAssistant(messages);
  const blocks = blocksOf(messages[at]);
  // Thinking is signed together with what it led to; what is not known may be, too.
  if (at < 0 || !blocks.every(isPlain)) return [];
  const answers = messages
    .slice(at + 1)
    .flatMap(blocksOf)
    .filter(isToolResult);
  const ids = messages
    .flatMap(blocksOf)
    .filter(isToolUse)
    .map(({ id }) => id);
  return blocks.filter(isToolUse).filter((use) => {
    const own = answers.filter(({ tool_use_id }) => tool_use_id === use.id);
    return (
      policy.wants(use.name) &&
      own.length === 1 &&
      // What failed is tried again, by what was wrong with it.
      own[0]?.is_error !== true &&
      ids.filter((id) => id === use.id).length === 1 &&
      !isClearedInput(use.input) &&
      JSON.stringify(use.input).length >= policy.minBytes
    );
  });
}

/** Neither thinking nor signed, nor anything that is not known. */
export function isPlain(block: Block): boolean {
  return (block.type === "text" || block.type === "tool_use") && !("signature" in block);
}

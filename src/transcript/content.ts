// Message content and usage, from whatever a transcript holds to typed blocks.
import { recordOf } from "../text/values.ts";
import type { ContentBlock, EntryUsage } from "./entry.ts";

/** A message's content as blocks; a plain string is one text block. Malformed blocks are `other`. */
export function parseContent(content: unknown): ContentBlock[] {
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
export function parseUsage(value: unknown): EntryUsage | undefined {
  const {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  } = recordOf(value);
  if (!isNumber(input) && !isNumber(output) && !isNumber(cacheRead) && !isNumber(cacheWrite))
    return undefined;
  return {
    input: count(input),
    output: count(output),
    cacheRead: count(cacheRead),
    cacheWrite: count(cacheWrite),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function count(tokens: unknown): number {
  return isNumber(tokens) && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

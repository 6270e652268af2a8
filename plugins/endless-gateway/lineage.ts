// What a message is recognised by: a hash over it and everything before it, so that an edited history is another history.
import { createHash } from "node:crypto";
import { isRecord } from "../../src/text/index.ts";
import type { Block, Message } from "./messages.ts";

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

function canonical({ role, content }: Message): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return JSON.stringify([role, blocks.map(withoutBreakpoint)]);
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
 * Tokens that every session of a client begins with: its tools, and the system prompt up to what is this session's own,
 * which is the last block. An estimate.
 */
export function prefixTokens(body: Readonly<Record<string, unknown>>): number {
  const system: unknown[] = Array.isArray(body.system) ? body.system : [];
  const common = JSON.stringify([body.tools ?? [], system.slice(0, -1)]);
  return Math.ceil(common.length / 4);
}

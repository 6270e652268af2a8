// A Claude Code hook payload becomes a ClientEvent: its own form is memoir's normal one.
import type { ClientEvent } from "../../sdk/events.ts";
import type { Delivery } from "../adapter.ts";
import { parsePayload } from "../normal/parse.ts";

/** Parses one payload. Throws MemoirError `payload_invalid` naming the field; an event without a type becomes `Other`. */
export function parseClaudeCode(payload: unknown, delivery: Delivery): ClientEvent {
  return parsePayload("claude-code", payload, delivery);
}

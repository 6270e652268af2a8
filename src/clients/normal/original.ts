// What an adapter makes of its client's payloads, by way of Claude Code's form.
import type { ToolOriginal } from "../../sdk/endless.ts";
import { isRecord } from "../../text/values.ts";
import type { ClientAdapter } from "../adapter.ts";
import { parsePayload } from "./parse.ts";

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

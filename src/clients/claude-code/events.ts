// The events that can be registered with Claude Code.
import type { ClientEventName } from "../../sdk/events.ts";
import { eventPayloads, type TypedEventName } from "../normal/payload.ts";

/** In the order a session meets them. */
export const claudeCodeEvents: readonly ClientEventName[] = Object.keys(
  eventPayloads,
) as TypedEventName[];

// For redactors: what was said in an event, apart from what the event is.

import type { ClientEvent } from "../sdk/events.ts";
import { mapLeaves } from "../text/deep.ts";

/** Fields that say what an event is. Every other field, known or not, may hold what somebody said. */
const structural: ReadonlySet<string> = new Set(
  "name id key client session time cwd project transcriptPath agentTranscriptPath promptId agent withheld toolName toolUseId source reason trigger clientEvent".split(
    " ",
  ),
);

/**
 * The event with `change` applied to the value of each field in which something was said (`prompt`, `toolInput`,
 * `toolResponse`, unknown ones too); what tells which happening it is stays. The same event when nothing changed.
 */
export function mapEvent(event: ClientEvent, change: (value: unknown) => unknown): ClientEvent {
  const entries = Object.entries(event);
  let changed = false;
  for (const entry of entries) {
    if (structural.has(entry[0])) continue;
    const next = change(entry[1]);
    if (next !== entry[1]) changed = true;
    entry[1] = next;
  }
  // Only what was said was replaced: the shape is the event's own.
  return changed ? (Object.fromEntries(entries) as unknown as ClientEvent) : event;
}

/** A JSON value with `change` applied to every text in it, keys included. What does not change keeps its identity. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapLeaves(value, { text: change });
}

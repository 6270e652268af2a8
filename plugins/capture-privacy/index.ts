// Last of the capture stack: takes memoir's own context, private content and secrets out of every text of an event.
import {
  type ClientEvent,
  definePlugin,
  privateText,
  scrubDeep,
  stripPrivate,
} from "../../src/sdk/index.ts";

/** Fields that say what an event is, not what was said in it. Every other field, known or not, is scrubbed. */
const structural = new Set([
  "name",
  "id",
  "key",
  "client",
  "session",
  "time",
  "cwd",
  "project",
  "transcriptPath",
  "agentTranscriptPath",
  "promptId",
  "agent",
  "withheld",
  "toolName",
  "toolUseId",
  "source",
  "reason",
  "trigger",
  "clientEvent",
]);

/**
 * The event with its texts scrubbed. A prompt that was private as a whole becomes `[private]`: the event stays,
 * so that prompts keep their numbers. Throws when scrubbing fails; the runtime then withholds the texts.
 */
export function scrubEvent(event: ClientEvent): ClientEvent {
  const scrubbed: Record<string, unknown> = {};
  let changed = false;
  for (const [field, value] of Object.entries(event)) {
    const next = structural.has(field) ? value : scrubDeep(value).value;
    if (next !== value) changed = true;
    scrubbed[field] = next;
  }
  if (!changed) return event;
  if (event.name === "UserPromptSubmit" && String(scrubbed.prompt).trim() === "") {
    const wasPrivate = stripPrivate(event.prompt).trim() === "" && event.prompt.trim() !== "";
    if (wasPrivate) scrubbed.prompt = privateText;
  }
  // Only texts were replaced by texts: the shape is the event's own.
  return scrubbed as unknown as ClientEvent;
}

export default definePlugin({
  name: "capture-privacy",
  description:
    "Removes <private> content, secrets and memoir's own context before anything is written.",
  sdk: 1,
  slot: "capture",
  hooks: {
    capture: { order: "post", handler: (event) => scrubEvent(event) },
  },
});

// Last of the capture stack: takes memoir's own context, private content and secrets out of every text of an event.

import { mapEvent, privateText, scrubDeep, stripPrivate } from "../../src/privacy/index.ts";
import { type ClientEvent, definePlugin } from "../../src/sdk/index.ts";

/**
 * The event with its texts scrubbed. A prompt that was private as a whole becomes `[private]`: the event stays,
 * so that prompts keep their numbers. Throws when scrubbing fails; the runtime then withholds the texts.
 */
export function scrubEvent(event: ClientEvent): ClientEvent {
  const scrubbed = mapEvent(event, (value, name) => scrubDeep(value, name).value);
  if (scrubbed !== event && event.name === "UserPromptSubmit") {
    const isEmpty = (scrubbed as typeof event).prompt.trim() === "";
    const wasPrivate = stripPrivate(event.prompt).trim() === "" && event.prompt.trim() !== "";
    if (isEmpty && wasPrivate) return { ...(scrubbed as typeof event), prompt: privateText };
  }
  return scrubbed;
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

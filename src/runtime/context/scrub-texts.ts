// Sends a transcript's texts through the capture plugins, as an event that is never kept.
import type { ClientEvent } from "../../sdk/events.ts";
import type { Captured } from "../ports.ts";
import type { ScrubTexts } from "./clean-contexts.ts";

/** `clientEvent` of the `Other` event that carries the texts, in `extra.texts`: text by number. */
const transcriptTexts = "TranscriptTexts";

/** One event carries about so many characters: capture plugins have a deadline. */
const eventChars = 128 * 1024;

/** Fails closed: a plugin that fails, drops the event or changes its form costs all texts. */
export function scrubThrough(capture: (event: ClientEvent) => Promise<Captured>): ScrubTexts {
  return async (texts, { key, session, time, cwd }) => {
    const scrubbed: string[] = [];
    for (const part of parts(texts)) {
      const id = `${key}:${scrubbed.length}`;
      const event: ClientEvent = {
        name: "Other",
        clientEvent: transcriptTexts,
        id,
        key: id,
        client: session.client,
        session: session.id,
        time,
        cwd,
        project: session.project,
        extra: { texts: Object.fromEntries(part.entries()) },
      };
      const captured = await capture(event);
      if ("drop" in captured || captured.event.withheld) return undefined;
      const answer = captured.event.extra?.texts;
      if (typeof answer !== "object" || answer === null) return undefined;
      const values = Object.values(answer);
      if (values.length !== part.length) return undefined;
      // Integer keys keep their order.
      for (const value of values) scrubbed.push(typeof value === "string" ? value : "");
    }
    return scrubbed;
  };
}

function* parts(texts: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let chars = 0;
  for (const text of texts) {
    part.push(text);
    chars += text.length;
    if (chars < eventChars) continue;
    yield part;
    part = [];
    chars = 0;
  }
  if (part.length > 0) yield part;
}

// The GitHub Copilot CLI adapter: events in two spellings, without ids, and answers of its own form.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalCopilot } from "./normal.ts";
import { copilotRegistration } from "./registration.ts";
import { createCopilotRender } from "./render.ts";
import { copilotTranscripts } from "./transcripts.ts";

export const copilotAdapter: ClientAdapter = {
  name: "copilot",
  parse(payload, delivery) {
    const normal = normalCopilot(payload, delivery.id);
    if (normal === undefined) return undefined;
    const event = parsePayload("copilot", normal, delivery);
    const told = event.extra?.timestamp;
    // A tool use has that in its id.
    if (typeof told !== "number" || "toolUseId" in event) return event;
    // By another road it comes with the same time: that makes one event of both.
    const key = `${event.key.slice(0, -delivery.id.length)}${told}`;
    return { ...event, key: event.agent ? `${key}-${event.agent.id}` : key };
  },
  original: (payload) => originalOf(normalCopilot(payload, "")),
  render: createCopilotRender(),
  registration: copilotRegistration,
  transcripts: copilotTranscripts,
};

// The Gemini CLI adapter: events by names of its own, tools without ids, and context that comes back inside the next prompt.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalGemini } from "./normal.ts";
import { geminiRegistration } from "./registration.ts";
import { createGeminiRender } from "./render.ts";
import { geminiTranscripts } from "./transcripts.ts";

export const geminiAdapter: ClientAdapter = {
  name: "gemini",
  parse(payload, delivery) {
    const normal = normalGemini(payload, delivery.id);
    return normal === undefined ? undefined : parsePayload("gemini", normal, delivery);
  },
  original: (payload) => originalOf(normalGemini(payload, "")),
  render: createGeminiRender(),
  registration: geminiRegistration,
  transcripts: geminiTranscripts,
};

// The Qwen Code adapter: Claude Code's events with Gemini CLI's tools.
import type { ClientAdapter } from "../adapter.ts";
import { renderNested } from "../normal/answer.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalQwen } from "./normal.ts";
import { qwenRegistration } from "./registration.ts";
import { qwenTranscripts } from "./transcripts.ts";

export const qwenAdapter: ClientAdapter = {
  name: "qwen",
  parse(payload, delivery) {
    const normal = normalQwen(payload);
    return normal === undefined ? undefined : parsePayload("qwen", normal, delivery);
  },
  original: (payload) => originalOf(normalQwen(payload)),
  // It takes no other result for a tool's: what `live` would say is left out.
  render: (event, { context, systemMessage }) =>
    renderNested(event, {
      ...(context !== undefined && { context }),
      ...(systemMessage !== undefined && { systemMessage }),
    }),
  registration: qwenRegistration,
  transcripts: qwenTranscripts,
};

// The Codex CLI adapter: Claude Code's events with a shell and patches for tools, and the outcomes in the transcript.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalCodex } from "./normal.ts";
import { codexRegistration } from "./registration.ts";
import { renderCodex } from "./render.ts";
import { codexTranscripts } from "./transcripts.ts";

export const codexAdapter: ClientAdapter = {
  name: "codex",
  parse(payload, delivery) {
    const normal = normalCodex(payload);
    return normal === undefined ? undefined : parsePayload("codex", normal, delivery);
  },
  original: (payload) => originalOf(normalCodex(payload)),
  render: renderCodex,
  registration: codexRegistration,
  transcripts: codexTranscripts,
};

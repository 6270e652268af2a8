// The OpenCode adapter: what memoir's plugin there hands on.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalOpenCode } from "./normal.ts";
import { openCodeRegistration } from "./registration.ts";
import { renderOpenCode } from "./render.ts";
import { openCodeTranscripts } from "./transcripts.ts";

export const opencodeAdapter: ClientAdapter = {
  name: "opencode",
  parse(payload, delivery) {
    const normal = normalOpenCode(payload);
    return normal === undefined ? undefined : parsePayload("opencode", normal, delivery);
  },
  original: (payload) => originalOf(normalOpenCode(payload)),
  render: renderOpenCode,
  registration: openCodeRegistration,
  transcripts: openCodeTranscripts,
};

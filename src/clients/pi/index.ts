// The pi adapter: what memoir's own extension tells of pi's events, and what it is told.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalPi } from "./normal.ts";
import { piRegistration } from "./registration.ts";
import { renderPi } from "./render.ts";
import { piTranscripts } from "./transcripts.ts";

export const piAdapter: ClientAdapter = {
  name: "pi",
  parse(payload, delivery) {
    const normal = normalPi(payload);
    return normal === undefined ? undefined : parsePayload("pi", normal, delivery);
  },
  original: (payload) => originalOf(normalPi(payload)),
  render: renderPi,
  registration: piRegistration,
  transcripts: piTranscripts,
};

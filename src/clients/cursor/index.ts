// The Cursor adapter, by its documented payloads: events and tools by names of its own, results as JSON in a text.
import type { ClientAdapter } from "../adapter.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalCursor } from "./normal.ts";
import { cursorRegistration } from "./registration.ts";
import { renderCursor } from "./render.ts";
import { cursorTranscripts } from "./transcripts.ts";

export const cursorAdapter: ClientAdapter = {
  name: "cursor",
  parse(payload, delivery) {
    const normal = normalCursor(payload, delivery.id);
    return normal === undefined ? undefined : parsePayload("cursor", normal, delivery);
  },
  original: (payload) => originalOf(normalCursor(payload, "")),
  render: renderCursor,
  registration: cursorRegistration,
  transcripts: cursorTranscripts,
};

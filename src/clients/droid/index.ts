// The Factory droid adapter: Claude Code's events with tools of its own, without ids, and without a word of what failed.
import type { ClientAdapter } from "../adapter.ts";
import { renderNested } from "../normal/answer.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { normalDroid } from "./normal.ts";
import { droidRegistration } from "./registration.ts";
import { droidTranscripts } from "./transcripts.ts";

export const droidAdapter: ClientAdapter = {
  name: "droid",
  parse: (payload, delivery) => parsePayload("droid", normalDroid(payload, delivery.id), delivery),
  original: (payload) => originalOf(normalDroid(payload, "")),
  // Whether it takes another result for a tool's was never tried: what `live` would say is left out.
  render: (event, { context, systemMessage }) =>
    renderNested(event, {
      ...(context !== undefined && { context }),
      ...(systemMessage !== undefined && { systemMessage }),
    }),
  registration: droidRegistration,
  transcripts: droidTranscripts,
};

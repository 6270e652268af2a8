// The pi adapter: what memoir's own extension tells of pi's events, and what it is told.

import { join } from "node:path";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import type { ClientAdapter } from "../adapter.ts";
import { fitContext } from "../normal/answer.ts";
import { originalOf } from "../normal/original.ts";
import { parsePayload } from "../normal/parse.ts";
import { shownText } from "../normal/tools.ts";
import type { ClientRegistration } from "../registration.ts";
import { extensionText } from "./extension.ts";
import { normalPi } from "./normal.ts";
import { piFolder, piTranscripts } from "./transcripts.ts";

// A reply as memoir's extension for pi reads it: text for the model, a line for the person, another result for the tool.

/** Events that the extension can give something with. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse"] as const),
  ...(["PostToolUse", "PostToolUseFailure"] as const),
]);

/** The object to print, or undefined when there is nothing to say. */
function renderPi(
  event: ClientEvent,
  { context = "", systemMessage = "", updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  // A copied session has the context of its beginning still.
  const isGiven =
    contextEvents.has(event.name) && !(event.name === "SessionStart" && event.source === "fork");
  const given = isGiven ? fitContext(context) : "";
  const message = fitContext(systemMessage);
  const content =
    event.name === "PostToolUse" && updatedToolOutput !== undefined
      ? shownText(updatedToolOutput)
      : undefined;
  const output = {
    ...(given !== "" && { context: given }),
    ...(message !== "" && { message }),
    ...(content !== undefined && { content }),
  };
  return Object.keys(output).length > 0 ? output : undefined;
}

// pi's settings: an extension of memoir's own, which pi loads by itself.

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
  ...(["PostToolUseFailure", "Stop", "SessionEnd", "PreCompact", "PostCompact"] as const),
];

export const piRegistration: ClientRegistration = {
  program: "pi",
  folder: piFolder,
  events,
  files: (place) => [
    {
      path: join(piFolder(place.env), "extensions", "memoir.js"),
      parts: [{ kind: "whole", text: extensionText(place) }],
    },
  ],
};

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

// The pi adapter: what memoir's own extension tells of pi's events, and what it is told.

import { join } from "node:path";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import type { ClientAdapter } from "../adapter.ts";
import { answerOf, fitContext } from "../normal/answer.ts";
import { byNormalForm } from "../normal/parse.ts";
import { shownText } from "../normal/tools.ts";
import type { ClientRegistration } from "../registration.ts";
import { extensionText } from "./extension.ts";
import { normalPi } from "./normal.ts";
import { piFolder, piTranscripts } from "./transcripts.ts";

// A reply as memoir's extension for pi reads it: text for the model, a line for the person, another result for the tool.

/** Events that the extension can give something with. */
const contextEvents: ReadonlySet<ClientEventName> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** The object to print, or undefined when there is nothing to say. */
function render(
  event: ClientEvent,
  { context, systemMessage, updatedToolOutput }: Reply,
): Record<string, unknown> | undefined {
  // A copied session has the context of its beginning still.
  const isGiven =
    contextEvents.has(event.name) && !(event.name === "SessionStart" && event.source === "fork");
  return answerOf({
    context: isGiven ? fitContext(context) : undefined,
    message: fitContext(systemMessage),
    content: event.name === "PostToolUse" ? shownText(updatedToolOutput) : undefined,
  });
}

// pi's settings: an extension of memoir's own, which pi loads by itself.

const events: readonly ClientEventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
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

export const adapter: ClientAdapter = {
  ...byNormalForm("pi", normalPi),
  render,
  registration: piRegistration,
  transcripts: piTranscripts,
};

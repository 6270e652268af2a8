// pi's settings: an extension of memoir's own, which pi loads by itself.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import type { ClientRegistration } from "../registration.ts";
import { extensionText } from "./extension.ts";
import { piFolder } from "./transcripts.ts";

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

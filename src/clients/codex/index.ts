// The Codex CLI adapter: Claude Code's events with a shell and patches for tools, and the outcomes in the transcript.

import { join } from "node:path";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import type { ClientAdapter } from "../adapter.ts";
import { fitContext, nestedAnswer } from "../normal/answer.ts";
import { byNormalForm } from "../normal/parse.ts";
import { hooksPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPlace } from "../registration.ts";
import { normalCodex } from "./normal.ts";
import { serverTable } from "./toml.ts";
import { codexFolder, codexTranscripts } from "./transcripts.ts";
import { lookAtTrust } from "./trust.ts";

// A reply as Codex reads it: one field that it does not know for an event, and it drops the whole answer.

/** Events that take context, by Codex's own names: it knows no failed tool. */
const contextEvents: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "SessionStart"],
  ["UserPromptSubmit", "UserPromptSubmit"],
  ["PreToolUse", "PreToolUse"],
  ["PostToolUse", "PostToolUse"],
  ["PostToolUseFailure", "PostToolUse"],
  ["SubagentStart", "SubagentStart"],
]);

/** Events that take a message for the person and nothing else of memoir's. */
const messageEvents: ReadonlySet<ClientEventName> = new Set(["Stop", "SubagentStop"]);

/** What is longer becomes a file with a short preview: 2,500 tokens, which it counts as four bytes each. */
const mostBytes = 10_000;

/** A session that goes on, or is copied, has the context of its beginning still. */
const goesOn: ReadonlySet<string> = new Set(["resume", "fork"]);

/** The object to print, or undefined when the event takes no output or there is nothing to say. */
function render(
  event: ClientEvent,
  { context, systemMessage }: Reply,
): Record<string, unknown> | undefined {
  const name = contextEvents.get(event.name);
  if (name === undefined && !messageEvents.has(event.name)) return undefined;
  const hasIt = event.name === "SessionStart" && goesOn.has(event.source);
  const additionalContext = name === undefined || hasIt ? undefined : fit(context);
  return nestedAnswer(fit(systemMessage), name, { additionalContext });
}

function fit(text = ""): string | undefined {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return fitContext(text, read);
}

// Codex's settings: hooks in Claude Code's form in a file of their own, the MCP server in its TOML.

const events: readonly ClientEventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
];

/** Its review lists hooks by this; without it each is an "Unnamed hook". It is part of what the person trusts. */
const named = { statusMessage: "memoir" };

/** For a longer one Codex warns at every start. */
const mostEndSeconds = 3;

const codexRegistration: ClientRegistration = {
  program: "codex",
  folder: codexFolder,
  events,
  files: (place) => [
    { path: hooksPath(place), parts: [hooksPart(bounded(place), { named })] },
    { path: join(codexFolder(place.env), "config.toml"), parts: [serverTable(place)] },
  ],
  notes: () => [
    "Codex skips new hooks until you trust them: start `codex`, and choose to review them or to trust all. Once is enough.",
  ],
  look: (place) => lookAtTrust(place, hooksPath(place)),
};

function hooksPath({ env }: RegistrationPlace): string {
  return join(codexFolder(env), "hooks.json");
}

function bounded(place: RegistrationPlace): RegistrationPlace {
  const seconds = place.events.get("SessionEnd");
  if (seconds === undefined) return place;
  const bound = Math.min(seconds, mostEndSeconds);
  return { ...place, events: new Map([...place.events, ["SessionEnd", bound]]) };
}

export const adapter: ClientAdapter = {
  ...byNormalForm("codex", normalCodex),
  render,
  registration: codexRegistration,
  transcripts: codexTranscripts,
};

// Codex's settings: hooks in Claude Code's form in a file of their own, the MCP server in its TOML.
import { join } from "node:path";
import type { ClientEventName } from "../../sdk/events.ts";
import { hooksPart } from "../normal/registration.ts";
import type { ClientRegistration, RegistrationPlace } from "../registration.ts";
import { serverTable } from "./toml.ts";
import { codexFolder } from "./transcripts.ts";
import { lookAtTrust } from "./trust.ts";

const events: readonly ClientEventName[] = [
  ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] as const),
  ...(["SubagentStart", "SubagentStop", "SessionEnd", "PreCompact", "PostCompact"] as const),
];

/** Its review lists hooks by this; without it each is an "Unnamed hook". It is part of what the person trusts. */
const named = { statusMessage: "memoir" };

/** For a longer one Codex warns at every start. */
const mostEndSeconds = 3;

export const codexRegistration: ClientRegistration = {
  program: "codex",
  folder: codexFolder,
  events,
  files: (place) => [
    { path: hooksPath(place), parts: [{ ...hooksPart(bounded(place)), named }] },
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

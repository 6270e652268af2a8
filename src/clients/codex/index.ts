// The Codex CLI adapter: Claude Code's events with a shell and patches for tools, and the outcomes in the transcript.

import { join } from "node:path";
import { startProgram } from "../../host/programs.ts";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type {
  ClientAdapter,
  ClientFinding,
  ClientRegistration,
  RegistrationPlace,
} from "../adapter.ts";
import { byNormalForm, eventsBut, fitContext, nestedAnswer } from "../normal/payload.ts";
import { hooksPart, serverTable } from "../normal/registration.ts";
import { codexFolder, codexTranscripts, normalCodex } from "./normal.ts";

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

const events = eventsBut("PostToolUseFailure", "PostToolBatch");

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

// Whether Codex runs memoir's hooks: asked of Codex itself, which alone knows what its user trusted.

const waitMs = 10_000;

const review =
  "Start `codex` and review memoir's hooks when it asks, or with `/hooks`; memoir never trusts itself.";

/** What Codex says of the hooks that run `command`; one finding. Never rejects. */
export async function lookAtTrust(
  { env, command }: RegistrationPlace,
  path: string,
  program = "codex",
): Promise<readonly ClientFinding[]> {
  const answer = await askCodex(program, env).catch(() => undefined);
  if (answer === undefined)
    return [
      {
        state: "warn",
        message: "could not be asked whether it trusts memoir's hooks",
        fix: review,
      },
    ];
  return findings(answer, command, path);
}

/** Of the answer to `hooks/list`. */
export function findings(answer: unknown, command: string, path: string): readonly ClientFinding[] {
  const hooks = listField(answer, "data")
    .flatMap((place) => listField(place, "hooks"))
    .filter((hook) => textField(hook, "command") === command);
  if (hooks.length === 0)
    return [
      {
        state: "warn",
        message: `it does not read the hooks in ${path}`,
        fix: "Look for `hooks = false` below `[features]` in its config.toml.",
      },
    ];
  const off = hooks.filter((hook) => recordOf(hook).enabled === false);
  const states = hooks.map((hook) => textField(hook, "trustStatus"));
  const untrusted = states.filter((state) => state !== "trusted" && state !== "managed");
  if (off.length > 0)
    return [
      {
        state: "warn",
        message: `${off.length} of memoir's ${hooks.length} hooks are turned off in Codex`,
        fix: "Turn them on again with `/hooks` in `codex`.",
      },
    ];
  if (untrusted.length === 0) return [{ state: "ok", message: "it trusts memoir's hooks" }];
  const changed = untrusted.includes("modified") ? ", as they changed since" : "";
  return [
    {
      state: "fail",
      message: `${untrusted.length} of memoir's ${hooks.length} hooks are not trusted${changed}: Codex skips them`,
      fix: review,
    },
  ];
}

/** Asks over the protocol of its own windows, then ends it. Rejects when it gives no answer in time. */
function askCodex(program: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = startProgram(program, ["app-server"], {
      env,
      windowsHide: true,
      timeout: waitMs,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = answerIn(line);
        if (answer === undefined) continue;
        child.stdin.end();
        resolve(answer);
      }
    });
    child.stdin.on("error", reject);
    child.on("error", reject);
    child.on("close", () => reject(new Error("Codex ended without an answer.")));
    const said = [
      { id: 1, method: "initialize", params: { clientInfo: { name: "memoir", version: "1" } } },
      { method: "initialized" },
      { id: 2, method: "hooks/list", params: { cwds: [process.cwd()] } },
    ];
    for (const message of said) child.stdin.write(`${JSON.stringify(message)}\n`);
  });
}

/** The answer to the question; undefined for any other line. */
function answerIn(line: string): unknown {
  const { id, result } = recordOf(parseJson(line));
  return id === 2 ? recordOf(result) : undefined;
}

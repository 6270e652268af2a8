// The Antigravity CLI adapter: two events without names, and everything else in its transcript.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type {
  AboutFile,
  ClientAdapter,
  ClientRegistration,
  ClientTranscripts,
  EndedUse,
  RegistrationPlace,
} from "../adapter.ts";
import { firstMarked } from "../normal/google.ts";
import { byNormalForm, fitContext } from "../normal/payload.ts";
import { serverPart } from "../normal/registration.ts";
import { endedUse, exitIn, type NormalTool } from "../normal/tools.ts";

// Antigravity's transcripts: `~/.gemini/antigravity-cli/brain/<session>/.system_generated/logs/transcript_full.jsonl`, one step in each line.

/** Where Google's agents keep what they have. */
function geminiHome(env: Environment): string {
  return join(userHome(env), ".gemini");
}

const antigravityTranscripts: ClientTranscripts = {
  folder: (env) => join(geminiHome(env), "antigravity-cli", "brain"),
  about,
  normalLine,
  outcome: ({ name, input, result }) =>
    result && ended({ name, input: recordOf(input) }, String(result.content ?? ""), result.isError),
  fillsIn: true,
  countsUses: true,
};

const whole = "transcript_full.jsonl";
const shortened = "transcript.jsonl";

/** The session is the folder's name; where it worked stands in one list of all that was ever asked. */
async function about(path: string): Promise<AboutFile | undefined> {
  const parts = dirname(path).split(/[\\/]/);
  const name = basename(path);
  const session = parts.at(-3);
  if (parts.slice(-2).join("/") !== ".system_generated/logs" || !session) return undefined;
  if (name !== whole && (name !== shortened || existsSync(join(dirname(path), whole))))
    return undefined;
  const cwd = await folderOf(session, join(dirname(path), "../../../.."));
  return { session, ...(cwd !== undefined && { cwd }) };
}

async function folderOf(session: string, root: string): Promise<string | undefined> {
  const text = await readFile(join(root, "history.jsonl"), "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    if (!line.includes(session)) continue;
    const { conversationId, workspace } = recordOf(parseJson(line));
    if (conversationId === session && typeof workspace === "string" && isAbsolute(workspace))
      return workspace;
  }
  return undefined;
}

type Json = Record<string, unknown>;

/** Steps that are neither said nor done. */
const asides: ReadonlySet<unknown> = new Set([
  ...["CHECKPOINT", "CONVERSATION_HISTORY", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE"],
  "KNOWLEDGE_ARTIFACTS",
]);
const request = ["<USER_REQUEST>", "</USER_REQUEST>"] as const;

function normalLine(step: Json): Json | undefined {
  const { type, source, content, status, created_at: timestamp, step_index: index } = step;
  if (typeof type !== "string" || typeof index !== "number" || asides.has(type)) return undefined;
  const said = typeof content === "string" ? content : "";
  const shared = { uuid: `step-${index}`, timestamp };
  if (type === "USER_INPUT") {
    const text = (firstMarked(said, ...request)?.inside ?? said).trim();
    if (text === "") return undefined;
    return {
      ...shared,
      type: "user",
      message: { role: "user", content: [{ type: "text", text }] },
    };
  }
  if (type === "PLANNER_RESPONSE") {
    const text = said.trim() === "" ? [] : [{ type: "text", text: said }];
    const blocks = [
      ...text,
      ...listField(step, "tool_calls").flatMap((call, at) => used(call, index + 1 + at)),
    ];
    if (blocks.length === 0) return undefined;
    return { ...shared, type: "assistant", message: { role: "assistant", content: blocks } };
  }
  // What came of a tool is a step of its own, in the order in which they were asked for.
  if (source !== "MODEL" || status === "RUNNING") return undefined;
  const is_error = status !== undefined && status !== "DONE";
  const block = { type: "tool_result", tool_use_id: `step-${index}`, content: said, is_error };
  return { ...shared, type: "user", message: { role: "user", content: [block] } };
}

function used(call: unknown, index: number): Json[] {
  const name = textField(call, "name");
  if (name === "") return [];
  return [{ type: "tool_use", id: `step-${index}`, ...normalTool(name, recordOf(call).args) }];
}

/** Each argument is JSON in a text; so may be all of them together. */
function argumentsOf(args: unknown): Json {
  const given = typeof args === "string" ? parseJson(args) : args;
  const members = Object.entries(recordOf(given));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === "string" ? (parseJson(value) ?? value) : value,
    ]),
  );
}

function normalTool(name: string, args: unknown): NormalTool {
  const input = argumentsOf(args);
  const file_path = textField(input, "TargetFile", "AbsolutePath");
  switch (name) {
    case "run_command":
      return { name: "Bash", input: { command: textField(input, "CommandLine") } };
    case "view_file":
      return { name: "Read", input: { file_path } };
    case "write_to_file":
      return { name: "Write", input: { file_path, content: textField(input, "CodeContent") } };
    case "replace_file_content":
    case "multi_replace_file_content": {
      const chunks = [input, ...listField(input, "ReplacementChunks")].filter(isRecord);
      const all = (field: string) => chunks.map((one) => textField(one, field)).filter(Boolean);
      const old_string = all("TargetContent").join("\n");
      return {
        name: "Edit",
        input: { file_path, old_string, new_string: all("ReplacementContent").join("\n") },
      };
    }
    default:
      return { name: name.replace(/^mcp_([^_]+)_/, "mcp__$1__"), input };
  }
}

const exited =
  /\bcommand (?:failed|exited|completed|finished) with (?:an )?exit code:? (-?\d{1,9})\b/i;

function ended(tool: NormalTool, text: string, isError: boolean): EndedUse {
  const exit = tool.name === "Bash" ? exitIn(text.slice(0, 500), exited) : undefined;
  return isError && exit === undefined ? { error: text } : endedUse(tool, { text, exit });
}

// Antigravity's settings: hooks by a name of memoir's own, and MCP servers in a file beside it.

/** Not before a tool: an answer that is missing stops it there. */
const events: ReadonlyMap<ClientEventName, string> = new Map([
  ["SessionStart", "PreInvocation"],
  ["Stop", "Stop"],
]);

const antigravityRegistration: ClientRegistration = {
  program: "agy",
  folder: (env) => join(geminiHome(env), "antigravity-cli"),
  events: [...events.keys()],
  files: (place) => [
    {
      path: join(geminiHome(place.env), "config", "hooks.json"),
      parts: [{ kind: "server", at: ["memoir"], what: "hooks", entry: hooks(place) }],
    },
    {
      path: join(geminiHome(place.env), "config", "mcp_config.json"),
      parts: [serverPart(place)],
    },
  ],
};

function hooks({ events: wanted, command }: RegistrationPlace): Record<string, unknown> {
  const own = [...wanted].flatMap(([event, timeout]) => {
    const name = events.get(event);
    return name === undefined ? [] : [[name, [{ type: "command", command, timeout }]] as const];
  });
  return Object.fromEntries(own);
}

export const adapter: ClientAdapter = {
  ...byNormalForm("antigravity", normalPayload),
  // It wants an object always, and drops one with a field that it does not know.
  render(event, { context }) {
    const given = event.name === "SessionStart" ? fitContext(context) : undefined;
    return given === undefined ? {} : { injectSteps: [{ ephemeralMessage: given }] };
  },
  registration: antigravityRegistration,
  transcripts: antigravityTranscripts,
};

/** As Claude Code would have written it; undefined for calls of the model within a turn, and where work goes on behind. */
function normalPayload(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { conversationId, transcriptPath, workspacePaths, invocationNum, ...rest } = payload;
  const [cwd] = Array.isArray(workspacePaths) ? (workspacePaths as unknown[]) : [];
  const shared = { session_id: conversationId, transcript_path: transcriptPath, cwd };
  if (invocationNum !== undefined) {
    if (invocationNum !== 0) return undefined;
    return { ...shared, hook_event_name: "SessionStart", source: "startup", model: rest.modelName };
  }
  // What a hook says of a tool names neither what came of it nor, at times, which it was.
  if ("stepIdx" in rest || rest.fullyIdle === false) return undefined;
  return { ...shared, hook_event_name: "Stop" };
}

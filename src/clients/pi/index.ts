// The pi adapter: what memoir's own extension reports of pi's events, and pi's sessions.
import { isAbsolute, join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { ClientEvent, ClientEventName, Reply } from "../../sdk/events.ts";
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import type {
  ClientAdapter,
  ClientRegistration,
  ClientTranscripts,
  RegistrationPlace,
} from "../adapter.ts";
import { answerOf, byNormalForm, eventsBut, fitContext } from "../normal/payload.ts";
import { deafened, runInside, spawnImport } from "../normal/run-inside.ts";
import {
  endedFields,
  endedUse,
  type NormalTool,
  normalName,
  patchOfDiff,
  patchOfStrings,
  ranCommand,
  resultText,
  shownText,
  type ToolResult,
} from "../normal/tools.ts";
import body from "./extension.js.txt" with { type: "text" };

type Json = Record<string, unknown>;

/** What memoir's extension sends, as Claude Code would have written it; undefined for what is no event of memoir's. */
function normalPi(payload: unknown): unknown {
  if (!isRecord(payload)) return payload;
  const { event, ctx } = payload;
  if (!isRecord(event) || !isRecord(ctx)) return payload;
  const own = fieldsOf(event, ctx);
  return own && { ...common(ctx), ...own };
}

function common({ cwd, sessionId, sessionFile, mode }: Json): Json {
  return {
    ...{ session_id: sessionId, cwd },
    ...(typeof sessionFile === "string" && { transcript_path: sessionFile }),
    ...(typeof mode === "string" && { mode }),
  };
}

function fieldsOf(event: Json, ctx: Json): Json | undefined {
  switch (event.type) {
    case "session_start":
      return { hook_event_name: "SessionStart", source: sourceOf(event.reason, ctx) };
    case "before_agent_start":
      return promptFields(event.prompt);
    case "input":
      // A prompt that begins a turn comes again, as it is sent to the model.
      return ctx.idle === false ? promptFields(event.text) : undefined;
    case "tool_call":
      return { hook_event_name: "PreToolUse", ...toolFields(event, ctx) };
    case "tool_result":
      return resultFields(event, ctx);
    case "agent_end":
      return { hook_event_name: "Stop", ...lastWords(event) };
    case "session_before_compact":
      return { hook_event_name: "PreCompact", trigger: triggerOf(event.reason) };
    case "session_compact": {
      const compact_summary = recordOf(event.compactionEntry).summary;
      const trigger = triggerOf(event.reason);
      return { hook_event_name: "PostCompact", trigger, compact_summary };
    }
    case "session_shutdown":
      return { hook_event_name: "SessionEnd", reason: event.reason };
    default:
      return undefined;
  }
}

/** pi calls a session that is taken up again on its command line a new start; `/new` is what others call `/clear`. */
function sourceOf(reason: unknown, { resumed }: Json): unknown {
  if (reason === "new") return "clear";
  if (reason === "startup" && resumed === true) return "resume";
  // Copied from its first prompt on it has no past.
  return reason === "fork" && resumed !== true ? "startup" : reason;
}

function triggerOf(reason: unknown): string {
  return reason === "manual" ? "manual" : "auto";
}

function promptFields(prompt: unknown): Json | undefined {
  const text = typeof prompt === "string" ? promptText(prompt) : prompt;
  return text === "" ? undefined : { hook_event_name: "UserPromptSubmit", prompt: text };
}

const skill = /^<skill name="[^"\n]*" location="[^"\n]*">\n[\s\S]*?\n<\/skill>\s*/;

/** What the person wrote: a skill's text stands before it where one was called. */
function promptText(content: unknown): string {
  const text = resultText(content);
  const rest = text.replace(skill, "").trim();
  return rest === "" ? (/^<skill name="([^"\n]*)"/.exec(text)?.[1] ?? "") : rest;
}

function lastWords(event: Json): Json {
  const isSaid = (message: unknown) => textField(message, "role") === "assistant";
  const text = resultText(listField(event, "messages").findLast(isSaid)).trim();
  return text === "" ? {} : { last_assistant_message: text };
}

function toolFields({ toolName, toolCallId, input }: Json, ctx: Json): Json {
  if (typeof toolName !== "string") return { tool_name: toolName, tool_use_id: toolCallId };
  const tool = normalTool(toolName, input, textField(ctx, "cwd"));
  return { tool_name: tool.name, tool_input: tool.input, tool_use_id: toolCallId };
}

function resultFields(event: Json, ctx: Json): Json {
  const used = toolFields(event, ctx);
  const tool = { name: textField(used, "tool_name"), input: recordOf(used.tool_input) };
  const { content, details } = event;
  const result = normalResult(tool, content, details, event.isError === true, ctx.created === true);
  return { ...used, ...endedFields(result) };
}

const names: Readonly<Record<string, string>> = {
  bash: "Bash",
  powershell: "PowerShell",
  read: "Read",
  edit: "Edit",
  write: "Write",
  grep: "Grep",
  find: "Glob",
  ls: "LS",
};

/** The tool by its normal name, with the normal one's input. `cwd`: against which paths are meant; empty: nobody knows. */
function normalTool(name: string, input: unknown, cwd: string): NormalTool {
  const fields = recordOf(input);
  const normal = normalName(names, name) ?? name;
  if (normal !== "Read" && normal !== "Edit" && normal !== "Write")
    return { name: normal, input: fields };
  const { path, edits, oldText, newText, ...rest } = fields;
  const file_path = typeof path === "string" ? placed(path, cwd) : path;
  if (normal !== "Edit") return { name: normal, input: { file_path, ...rest } };
  const changes = Array.isArray(edits) ? edits.map(changeOf) : [changeOf({ oldText, newText })];
  return changes.length === 1
    ? { name: "Edit", input: { file_path, ...changes[0], ...rest } }
    : { name: "MultiEdit", input: { file_path, edits: changes, ...rest } };
}

function changeOf(edit: unknown): { old_string: string; new_string: string } {
  return { old_string: textField(edit, "oldText"), new_string: textField(edit, "newText") };
}

/** The path as it is meant; one that needs the home folder stays. */
function placed(path: string, cwd: string): string {
  return cwd === "" || isAbsolute(path) || path.startsWith("~") ? path : join(cwd, path);
}

const exited = /(?:^|\n\n)Command exited with code (-?\d{1,9})$/;
const aborted = /(?:^|\n\n)(?:Command|Operation) aborted$/;

/** How it ended. `tool`: in normal form. */
function normalResult(
  tool: NormalTool,
  content: unknown,
  details: unknown,
  isError: boolean,
  created = false,
): ToolResult {
  const text = resultText(content);
  if (isError) {
    const exit = exited.exec(text);
    if (exit) return ranCommand(text.slice(0, exit.index), Number(exit[1]));
    return { error: text, isInterrupt: aborted.test(text) };
  }
  const { name, input } = tool;
  const diff = textField(details, "patch");
  if (name === "PowerShell") return ranCommand(text, 0);
  if (name === "MultiEdit") return editedPlaces(input, diff);
  const startLine = Number.isInteger(input.offset) ? Number(input.offset) : 1;
  return endedUse(tool, { text, startLine, created, diff: diff || undefined });
}

function editedPlaces(input: Json, diff: string): ToolResult {
  const edits = listField(input, "edits").map((edit) => ({
    oldString: textField(edit, "old_string"),
    newString: textField(edit, "new_string"),
  }));
  const structuredPatch = diff === "" ? edits.flatMap(patchOfStrings) : patchOfDiff(diff);
  return { response: { filePath: textField(input, "file_path"), edits, structuredPatch } };
}

/** A picture is no memory. */
function withoutPictures(parts: readonly unknown[]): unknown[] {
  return parts.filter((part) => textField(part, "type") !== "image");
}

// pi's sessions: `~/.pi/agent/sessions/--<folder>--/<time>_<session>.jsonl`, a tree of entries, each with its parent.

/** Where pi keeps its own files. */
function piFolder(env: Environment): string {
  return env.PI_CODING_AGENT_DIR
    ? resolve(env.PI_CODING_AGENT_DIR)
    : join(userHome(env), ".pi", "agent");
}

const piTranscripts: ClientTranscripts = {
  folder: (env) =>
    env.PI_CODING_AGENT_SESSION_DIR
      ? resolve(env.PI_CODING_AGENT_SESSION_DIR)
      : join(piFolder(env), "sessions"),
  sessionOf: (file) => /_([^_]+)\.jsonl$/.exec(file)?.[1],
  normalLine,
  outcome({ name, input, result, cwd = "" }) {
    if (!result) return undefined;
    const fields = recordOf(input);
    const { file_path: path } = fields;
    // No line but the first has the folder, against which a path is meant.
    const placedInput =
      typeof path === "string" ? { ...fields, file_path: placed(path, cwd) } : fields;
    const tool = { name, input: placedInput };
    const ended = normalResult(tool, result.content, result.structured, result.isError);
    return { ...ended, input: placedInput };
  },
  // It refuses calls of tools that it does not know, or with a wrong input, without a word to extensions.
  fillsIn: true,
};

function normalLine(value: Json): Json | undefined {
  const { type, id, parentId, timestamp, message } = value;
  if (type === "session")
    return { type: "system", subtype: "start", cwd: value.cwd, uuid: id, timestamp };
  if (type !== "message" || !isRecord(message)) return undefined;
  const shared = { uuid: id, parentUuid: parentId, timestamp };
  const { role } = message;
  const parts = typeof message.content === "string" ? [textPart(message.content)] : message.content;
  if (!Array.isArray(parts)) return undefined;
  if (role === "user") {
    const text = promptText(parts);
    const content = text === "" ? [] : [textPart(text)];
    return content.length === 0 ? undefined : { ...shared, type: role, message: { role, content } };
  }
  if (role === "assistant") {
    const content = parts.flatMap(spoken);
    const said = { role, id, model: message.model, content };
    return content.length === 0 ? undefined : { ...shared, type: role, message: said };
  }
  if (role !== "toolResult") return undefined;
  const block = {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    content: withoutPictures(parts),
    is_error: message.isError === true,
  };
  const result = { role: "user", content: [block] };
  return { ...shared, type: "user", toolUseResult: message.details, message: result };
}

function textPart(text: string): Json {
  return { type: "text", text };
}

function spoken(part: unknown): Json[] {
  const { type, id, name, arguments: input, thinking } = recordOf(part);
  const text = textField(part, "text");
  if (type === "toolCall" && typeof name === "string")
    return [{ type: "tool_use", id, ...normalTool(name, input, "") }];
  if (type === "thinking" && typeof thinking === "string") return [{ type, thinking }];
  return type === "text" && text !== "" ? [textPart(text)] : [];
}

// The pi adapter: what memoir's own extension reports of pi's events, and the answers to it.

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

const events = eventsBut("PostToolBatch", "SubagentStart", "SubagentStop");

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

// The extension that `memoir install pi` writes: it hands pi's events to `memoir hook pi`, and offers memoir's tools.
//
// A payload is `{ hook_event_name, event, ctx }`: memoir's name of the event, by which the hook chooses how long it waits;
// pi's own event without what is bulky; and who calls: `cwd`, `sessionId`, `sessionFile`, with `resumed` where a session
// has a past, `idle: false` where a prompt joins a running turn, `created` where a file is written that was not there.
// An answer is `{ context?, message?, content? }`: text for the model, a line for the person, another result for the tool.
//
// Nothing in it may throw into pi, and whatever it waits for has an end: pi blocks a tool whose handler fails.

/** The first line is that of every version: the file is known by it. */
export const firstLine =
  "// memoir's extension for pi: `memoir install pi` writes this file, `memoir uninstall pi` takes it away.";

/** The whole file. */
export function extensionText({ binary, home, client = "pi", events }: RegistrationPlace): string {
  const env = {
    ...Object.fromEntries(deafened.map((name) => [name, ""])),
    ...(home !== undefined && { MEMOIR_HOME: home }),
  };
  const milliseconds = [...events].map(([event, seconds]) => [event, seconds * 1_000]);
  const constants = [
    `const binary = ${JSON.stringify(binary)};`,
    `const client = ${JSON.stringify(client)};`,
    `const env = ${JSON.stringify(env)};`,
    `const waits = ${JSON.stringify(Object.fromEntries(milliseconds))};`,
  ];
  return `${firstLine}\n${imports}\n${constants.join("\n")}\n${runInside}\n${body}`;
}

const imports = `${spawnImport}
import { existsSync } from "node:fs";
import { resolve } from "node:path";
`;

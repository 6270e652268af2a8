// The Gemini CLI adapter: events by names of its own, tools without ids, and context that comes back inside the next prompt.

import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import {
  type ClientEvent,
  type ClientEventName,
  contextLimit,
  type Reply,
} from "../../sdk/events.ts";
import { dropOldest, isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import { firstLine } from "../../transcript/read.ts";
import type {
  AboutFile,
  ClientAdapter,
  ClientFinding,
  ClientRegistration,
  ClientTranscripts,
} from "../adapter.ts";
import { describedRegistration } from "../described/adapter.ts";
import { diskPath } from "../described/places.ts";
import { normalResult, normalTool, withoutMarked, withoutMarkedEnd } from "../normal/google.ts";
import { byNormalForm, fitContext, nestedAnswer } from "../normal/payload.ts";
import { endedFields, normalName, resultText } from "../normal/tools.ts";

// Gemini CLI's transcripts: `~/.gemini/tmp/<project>/chats/session-<time>-<beginning of the id>.jsonl`, messages that are written again as they grow.

/** Where Gemini CLI keeps its own files. */
const folder = ["$GEMINI_CLI_HOME/.gemini", "~/.gemini"];

const geminiTranscripts: ClientTranscripts = {
  folder: (env) => diskPath("tmp", env, diskPath(folder, env)),
  about,
  normalLine,
  outcome({ name, input, result }) {
    if (!result) return undefined;
    const [shown, more] = Array.isArray(result.content) ? (result.content as unknown[]) : [];
    const { display, status } = recordOf(more);
    const text = textField(shown, "text");
    if (status === "cancelled") return { error: text || "cancelled", isInterrupt: true };
    return normalResult({ name, input: recordOf(input) }, text, display, result.isError);
  },
  fillsIn: true,
  countsUses: true,
};

const headBytes = 4_096;

/**
 * The first line has the session's whole id, and says whether it is a subagent's, whose tools the hooks tell as the
 * session's. Where it worked stands in a file beside the folder of chats alone.
 */
async function about(path: string): Promise<AboutFile | undefined> {
  const head = parseJson(await firstLine(path, headBytes).catch(() => ""));
  const session = textField(head, "sessionId");
  if (session === "" || recordOf(head).kind === "subagent") return undefined;
  const root = join(dirname(dirname(path)), ".project_root");
  const cwd = (await readFile(root, "utf8").catch(() => "")).trim();
  return { session, ...(isAbsolute(cwd) && { cwd }) };
}

type Json = Record<string, unknown>;

function normalLine(value: Json): Json | undefined {
  const { id: uuid, timestamp, type } = value;
  if (type === "user") {
    const text = typedText(wordsOf(value.content));
    if (text === "") return undefined;
    return { uuid, timestamp, type, message: { role: "user", content: [{ type: "text", text }] } };
  }
  if (type !== "gemini") return undefined;
  // With its tools, when they ended, a message is written again: its words stood in a line before.
  const calls = listField(value, "toolCalls");
  const uses = calls.flatMap(used);
  const text = wordsOf(value.content);
  const said = uses.length > 0 || text.trim() === "" ? [] : [{ type: "text", text }];
  const content = [...said, ...uses];
  if (content.length === 0) return undefined;
  const message = { role: "assistant", model: value.model, content };
  const time = textField(calls.at(-1), "timestamp") || timestamp;
  return { uuid, timestamp: time, type: "assistant", message };
}

/** The text of a message: a string, or parts of which those with a thought or an answer of a tool's are no text. */
function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return textField(content, "text");
  return content
    .map((part) => (recordOf(part).thought === true ? "" : textField(part, "text")))
    .join("");
}

/** A tool use with its result: it is written when it ended. */
function used(call: unknown): Json[] {
  const { id, args, status, result, resultDisplay: display } = recordOf(call);
  if (typeof id !== "string") return [];
  const use = { type: "tool_use", id, ...normalTool(textField(call, "name"), args) };
  if (status !== "success" && status !== "error" && status !== "cancelled") return [use];
  const text = withoutMarkedEnd(answerOf(result), ...hookContext);
  // What the person was shown has more of a change than the model was shown.
  const content = [
    { type: "text", text },
    { type: "shown", display, status },
  ];
  const ended = { type: "tool_result", tool_use_id: id, content, is_error: status !== "success" };
  return [use, ended];
}

/** What the model was shown. */
function answerOf(result: unknown): string {
  const parts = Array.isArray(result) ? (result as unknown[]) : [];
  return parts
    .map((part) => {
      const { functionResponse } = recordOf(part);
      const { response } = recordOf(functionResponse);
      return textField(response, "error") || resultText(recordOf(response).output);
    })
    .filter(Boolean)
    .join("\n");
}

// A reply as Gemini CLI reads it: Claude Code's form under its own names of events.

/** Events that take context, by its own names: a tool that failed comes by that of one that ended. */
const contextEvents: ReadonlyMap<ClientEventName, string> = new Map([
  ["UserPromptSubmit", "BeforeAgent"],
  ["PostToolUse", "AfterTool"],
  ["PostToolUseFailure", "AfterTool"],
]);

/** Sessions that wait for their first prompt at a time. */
const mostHeld = 100;
/** A session's context and its first prompt's, each as long as elsewhere. */
const mostContext = 2 * contextLimit;

/**
 * The object to print, or undefined when the event takes no output or there is nothing to say. What a session is to know
 * comes with its first prompt: Gemini drops context of its start after `/clear`, and when it goes on with a session it
 * drops every message that begins with it, the person's own words included. A resumed session has its context, and
 * its context is what came since.
 */
function createGeminiRender(): ClientAdapter["render"] {
  const held = new Map<string, string>();

  /** What is given now. */
  function contextOf(event: ClientEvent, context: string): string {
    if (event.name === "UserPromptSubmit") {
      const before = held.get(event.session);
      held.delete(event.session);
      return [before, context].filter(Boolean).join("\n\n");
    }
    if (event.name !== "SessionStart") return context;
    const start = fitContext(context);
    if (start !== undefined) held.set(event.session, start);
    dropOldest(held, mostHeld);
    return "";
  }

  return (event, { context = "", systemMessage }: Reply) => {
    const given = fitContext(contextOf(event, context), mostContext);
    const name = contextEvents.get(event.name);
    const message = event.name === "SessionEnd" ? undefined : fitContext(systemMessage);
    return nestedAnswer(message, name, { additionalContext: name && given });
  };
}

// Gemini CLI's payloads in the normal form.

/** Its names of events, which no other client shares, and Claude Code's. The others are Claude Code's own. */
const names: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
};

/**
 * The payload as Claude Code would have written it; undefined for a prompt that nobody typed. Its tool uses have no id:
 * `id` stands in until the transcript tells.
 */
function normalGemini(payload: unknown, id: string): unknown {
  if (!isRecord(payload)) return payload;
  const { prompt, prompt_response: said, tool_response: response, ...fields } = payload;
  const own = textField(payload, "hook_event_name");
  const event = normalName(names, own) ?? payload.hook_event_name;
  const shared = { ...fields, hook_event_name: event };
  if (event === "UserPromptSubmit") {
    if (typeof prompt !== "string") return { ...shared, prompt };
    const typed = typedText(prompt);
    return typed === "" ? undefined : { ...shared, prompt: typed };
  }
  if (event === "Stop") return { ...shared, ...(spoke(said) && { last_assistant_message: said }) };
  if (typeof payload.tool_name !== "string") return shared;
  const { name, input } = normalTool(payload.tool_name, payload.tool_input);
  const used = { ...shared, tool_name: name, tool_input: input };
  const withId = { ...used, tool_use_id: textField(payload, "tool_use_id") || id };
  if (event !== "PostToolUse") return withId;
  const { llmContent, returnDisplay, error } = recordOf(response);
  const isError = isRecord(error);
  const shown = isError ? textField(error, "message") || resultText(llmContent) : llmContent;
  // What a command printed stands before what went wrong with it.
  const content = name === "Bash" ? llmContent : shown;
  return {
    ...withId,
    ...endedFields(normalResult({ name, input }, content, returnDisplay, isError)),
  };
}

function spoke(said: unknown): boolean {
  return typeof said === "string" && said.trim() !== "" && said !== "[no response text]";
}

/** What hooks gave at the start stands before the prompt, in a tag of the client's, which it escapes inside. */
const hookContext = ["<hook_context>", "</hook_context>"] as const;
/** What was read of files that the prompt names with an `@`. */
const referenced = /\n?--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;
/** What the client tells in a person's place: where it is, and what the person ran without the model. */
const ofClient = /^(?:<session_context>|I ran the following shell command:\n```sh\n)/;

/** What a person typed of a text that stands in the user's place; empty where that is nothing. */
export function typedText(text: string): string {
  const typed = withoutMarked(text, ...hookContext)
    .replace(referenced, "")
    .trim();
  return ofClient.test(typed) ? "" : typed;
}

// Gemini CLI's settings: hooks in Claude Code's form by names of its own and in milliseconds, and MCP servers, in one file.

/** It tells of a compression before every request that it makes: that is no event. */
const events = {
  SessionStart: "SessionStart",
  UserPromptSubmit: "BeforeAgent",
  PreToolUse: "BeforeTool",
  PostToolUse: "AfterTool",
  Stop: "AfterAgent",
  SessionEnd: "SessionEnd",
};

const geminiRegistration: ClientRegistration = {
  ...describedRegistration({
    program: "gemini",
    folder,
    install: [
      {
        path: "settings.json",
        // Without a name it shows the command itself at each step.
        hooks: { events, timeout: "milliseconds", named: { name: "memoir" } },
        server: {},
      },
    ],
  }),
  look: ({ env }) => lookAtSwitch(diskPath("settings.json", env, diskPath(folder, env))),
};

// Whether Gemini CLI runs hooks at all: its settings can switch all of them off.

/** What the settings at `path` say of hooks; nothing where they run. Never rejects. */
async function lookAtSwitch(path: string): Promise<readonly ClientFinding[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  // Loaded for doctor alone.
  const { parse } = await import("jsonc-parser");
  const { enabled } = recordOf(recordOf(parse(text)).hooksConfig);
  if (enabled !== false) return [];
  return [
    {
      state: "warn",
      message: `${path} switches all hooks off`,
      fix: "Take `hooksConfig.enabled: false` out of it, or set it to true.",
    },
  ];
}

export const adapter: ClientAdapter = {
  ...byNormalForm("gemini", normalGemini),
  render: createGeminiRender(),
  registration: geminiRegistration,
  transcripts: geminiTranscripts,
};

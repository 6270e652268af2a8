// The extension that `memoir install pi` writes: it hands pi's events to `memoir hook pi`, and offers memoir's tools.
//
// A payload is `{ hook_event_name, event, ctx }`: memoir's name of the event, by which the hook chooses how long it waits;
// pi's own event without what is bulky; and who calls: `cwd`, `sessionId`, `sessionFile`, with `resumed` where a session
// has a past, `idle: false` where a prompt joins a running turn, `created` where a file is written that was not there.
// An answer is `{ context?, message?, content? }`: text for the model, a line for the person, another result for the tool.

import type { RegistrationPlace } from "../adapter.ts";
import { deafened, runInside, spawnImport } from "../normal/run-inside.ts";

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

/** Nothing in it may throw into pi, and whatever it waits for has an end: pi blocks a tool whose handler fails. */
const body = `const toolsWait = 2000;
const callWait = 60000;
const retryAfter = 60000;

/** A folder that is gone must not keep memoir from being told. */
const folderOf = (cwd) => (existsSync(cwd) ? cwd : undefined);

/** The answer to one event: an object, empty where there is none. */
async function tell(name, event, ctx, more = {}) {
  const milliseconds = waits[name];
  if (milliseconds === undefined) return {};
  try {
    const { cwd, mode, sessionManager } = ctx;
    const file = sessionManager.getSessionFile();
    // It is named before it is written, which is with the first answer.
    const sessionFile = file && existsSync(file) ? file : undefined;
    const who = { cwd, mode, sessionId: sessionManager.getSessionId(), sessionFile };
    const payload = JSON.stringify({ hook_event_name: name, event, ctx: { ...who, ...more } });
    const how = { env, cwd: folderOf(cwd), milliseconds, signal: ctx.signal };
    const text = await runMemoir([binary, "hook", client], payload, how);
    const answer = text ? JSON.parse(text) : {};
    if (answer.message && ctx.hasUI) ctx.ui.notify(answer.message, "info");
    return answer;
  } catch {
    return {};
  }
}

/** One request to memoir's MCP server; rejects with what went wrong. */
async function ask(method, params, ctx, milliseconds, signal) {
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pi", version: "1" } };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method, params },
  ];
  const input = messages.map((message) => JSON.stringify(message) + "\\n").join("");
  // The session it asks for is this one, not that of an agent in whose shell pi was started.
  const own = { MEMOIR_SESSION: ctx.sessionManager.getSessionId(), CLAUDE_PROJECT_DIR: "", CLAUDE_CODE_ENTRYPOINT: "cli" };
  const how = { env: { ...env, ...own }, cwd: folderOf(ctx.cwd), milliseconds, signal, isWhole: () => false };
  const output = await runMemoir([binary, "mcp"], input, how);
  for (const line of (output ?? "").split("\\n")) {
    const answer = line.trim() === "" ? {} : JSON.parse(line);
    if (answer.id !== 2) continue;
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }
  throw new Error("memoir does not answer; \`memoir doctor\` says why.");
}

function toolOf({ name, description, inputSchema }) {
  return {
    name: "mcp__memoir__" + name,
    label: "memoir " + name,
    description,
    parameters: inputSchema,
    async execute(_id, input, signal, _update, ctx) {
      const result = await ask("tools/call", { name, arguments: input }, ctx, callWait, signal);
      const texts = (result.content ?? []).filter((part) => part.type === "text");
      if (result.isError) throw new Error(texts.map((part) => part.text).join("\\n"));
      return { content: texts, details: undefined };
    },
  };
}

const isText = (part) => part?.type === "text";
/** A picture is no memory. */
const withoutPictures = (content) =>
  Array.isArray(content) ? content.map((part) => (isText(part) ? part : { type: part?.type })) : content;

/** Long because each event has its own short handler over the state of one session. */
export default function (pi) {
  // What memoir itself starts is never remembered.
  if (process.env.MEMOIR_INTERNAL === "1") return;
  /** Context that waits for the next prompt, and for the results of tools. */
  let waiting = [];
  const ofTool = new Map();
  const made = new Set();
  let hasTools = false;
  let askedAt = 0;

  async function offerTools(ctx) {
    if (hasTools || Date.now() - askedAt < retryAfter) return;
    askedAt = Date.now();
    try {
      const { tools } = await ask("tools/list", {}, ctx, toolsWait);
      for (const tool of tools) pi.registerTool(toolOf(tool));
      hasTools = tools.length > 0;
    } catch {
      // Without its tools memory goes on; the next prompt asks again.
    }
  }

  async function begin(reason, ctx, more) {
    const { context } = await tell("SessionStart", { type: "session_start", reason }, ctx, more);
    if (context) waiting.push(context);
  }

  /** A failure of memoir's is none of pi's. */
  const on = (name, handle) =>
    pi.on(name, async (event, ctx) => {
      try {
        return await handle(event, ctx);
      } catch {
        return undefined;
      }
    });

  on("session_start", async ({ reason }, ctx) => {
    const said = (entry) => entry.type === "message" && entry.message?.role === "assistant";
    const resumed = ctx.sessionManager.getEntries().some(said);
    // What was reloaded goes on where it was.
    const starts = reason === "reload" && resumed ? undefined : begin(reason, ctx, { resumed });
    await Promise.all([starts, offerTools(ctx)]);
  });

  on("input", async ({ type, text, source }, ctx) => {
    if (ctx.isIdle()) return;
    const { context } = await tell("UserPromptSubmit", { type, text, source }, ctx, { idle: false });
    if (context) pi.sendMessage({ customType: "memoir", content: context, display: false }, { deliverAs: "steer" });
  });

  on("before_agent_start", async ({ type, prompt }, ctx) => {
    void offerTools(ctx);
    // A run that an extension began has no prompt.
    const isAsked = typeof prompt === "string";
    const { context } = isAsked ? await tell("UserPromptSubmit", { type, prompt }, ctx) : {};
    const content = [...waiting, context].filter(Boolean).join("\\n\\n");
    waiting = [];
    if (content) return { message: { customType: "memoir", content, display: false } };
  });

  on("tool_call", async ({ type, toolName, toolCallId, input }, ctx) => {
    if (toolName === "write" && !existsSync(resolve(ctx.cwd, input.path))) made.add(toolCallId);
    const { context } = await tell("PreToolUse", { type, toolName, toolCallId, input }, ctx);
    if (context) ofTool.set(toolCallId, context);
  });

  on("tool_result", async ({ type, toolName, toolCallId, input, content, details, isError }, ctx) => {
    const event = { type, toolName, toolCallId, input, content: withoutPictures(content), details, isError };
    const name = isError ? "PostToolUseFailure" : "PostToolUse";
    const answer = await tell(name, event, ctx, made.delete(toolCallId) ? { created: true } : {});
    const context = [ofTool.get(toolCallId), answer.context].filter(Boolean).join("\\n\\n");
    ofTool.delete(toolCallId);
    // Pictures stay; what memoir made smaller takes the place of the text.
    const isOther = typeof answer.content === "string" && content.some(isText);
    if (!isOther && !context) return;
    const shown = isOther ? [{ type: "text", text: answer.content }, ...content.filter((part) => !isText(part))] : content;
    return { content: context ? [...shown, { type: "text", text: context }] : shown };
  });

  on("agent_end", async ({ type, messages }, ctx) => {
    const last = messages.findLast((message) => message.role === "assistant");
    const { role, stopReason } = last ?? {};
    const said = last && { role, stopReason, content: last.content.filter(isText) };
    await tell("Stop", { type, messages: said ? [said] : [] }, ctx);
  });

  on("session_before_compact", async ({ type, reason }, ctx) => {
    await tell("PreCompact", { type, reason }, ctx);
  });

  on("session_compact", async ({ type, reason, compactionEntry }, ctx) => {
    await tell("PostCompact", { type, reason, compactionEntry: { summary: compactionEntry?.summary } }, ctx);
    await begin("compact", ctx, { resumed: true });
  });

  on("session_shutdown", async ({ type, reason }, ctx) => {
    if (reason !== "reload") await tell("SessionEnd", { type, reason }, ctx);
  });
}
`;

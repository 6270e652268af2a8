// A recorded transcript as the prompts, tool uses and closing words that the client's hooks would have told.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ClientEvent, EventBase } from "../../src/sdk/events.ts";
import type { Agent } from "../../src/sdk/model.ts";
import type { ToolUse } from "../../src/sdk/work.ts";

/** One prompt of a recorded session. */
export interface RecordedPrompt {
  number: number;
  text: string;
  /** Epoch ms. */
  time: number;
  /** Main agent's and subagents', in time order. */
  toolUses: ToolUse[];
  lastAssistantMessage: string;
  agentMessages: Array<{ agent: Agent; text: string }>;
}

/** A recorded session. */
export interface RecordedSession {
  id: string;
  /** The first working directory seen. */
  cwd: string;
  prompts: RecordedPrompt[];
  /** Lines that were not JSON objects. */
  malformed: number;
}

type Json = Record<string, unknown>;
const asObject = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string => (typeof value === "string" ? value : "");

interface PendingUse {
  use: ToolUse;
  done: boolean;
}

/** Reads transcript lines (main file first, then its subagents' files). Pure; malformed lines are counted and passed over. */
export function sessionFrom(files: ReadonlyArray<{ name: string; text: string }>): RecordedSession {
  const session: RecordedSession = {
    id: basename(files[0]?.name ?? "session", ".jsonl"),
    cwd: "",
    prompts: [],
    malformed: 0,
  };
  const pending = new Map<string, PendingUse>();
  for (const [index, file] of files.entries()) {
    const agentFile =
      index === 0 ? undefined : basename(file.name, ".jsonl").replace(/^agent-/, "");
    for (const line of file.text.split("\n")) {
      if (line.trim() === "") continue;
      const entry = parse(line);
      if (entry === undefined) session.malformed++;
      else readEntry(session, pending, entry, agentFile);
    }
  }
  for (const prompt of session.prompts) {
    prompt.toolUses = prompt.toolUses
      .filter((use) => pending.get(use.id)?.done === true)
      .sort((left, right) => left.time - right.time);
  }
  return session;
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined;
  } catch {
    return undefined;
  }
}

function readEntry(
  session: RecordedSession,
  pending: Map<string, PendingUse>,
  entry: Json,
  agentFile: string | undefined,
): void {
  const message = asObject(entry.message);
  const time = Date.parse(asText(entry.timestamp)) || 0;
  const sidechain = entry.isSidechain === true;
  if (session.cwd === "" && asText(entry.cwd) !== "") session.cwd = asText(entry.cwd);
  const agentId = agentFile ?? (sidechain ? asText(entry.agentId) || "sidechain" : "");
  const agent: Agent | undefined = agentId === "" ? undefined : { id: agentId };
  const blocks = asList(message.content).map(asObject);
  if (entry.type === "user") {
    const text =
      asText(message.content) ||
      blocks
        .filter((block) => block.type === "text")
        .map((block) => asText(block.text))
        .join("\n");
    for (const block of blocks)
      if (block.type === "tool_result") finish(pending, block, entry, time);
    if (
      text.trim() === "" ||
      agent !== undefined ||
      entry.isMeta === true ||
      entry.isCompactSummary === true ||
      isClientNote(text)
    )
      return;
    session.prompts.push({
      number: session.prompts.length + 1,
      text,
      time,
      toolUses: [],
      lastAssistantMessage: "",
      agentMessages: [],
    });
    return;
  }
  if (entry.type !== "assistant") return;
  const prompt =
    agent === undefined
      ? session.prompts.at(-1)
      : (session.prompts.findLast((one) => one.time <= time) ?? session.prompts.at(-1));
  if (prompt === undefined) return;
  for (const block of blocks) {
    if (block.type === "text" && asText(block.text).trim() !== "")
      say(prompt, agent, asText(block.text));
    if (block.type !== "tool_use" || asText(block.id) === "" || pending.has(asText(block.id)))
      continue;
    const use: ToolUse = {
      id: asText(block.id),
      name: asText(block.name),
      input: block.input,
      time,
      cwd: asText(entry.cwd) || session.cwd,
    };
    if (agent !== undefined) use.agent = agent;
    pending.set(use.id, { use, done: false });
    prompt.toolUses.push(use);
  }
}

function say(prompt: RecordedPrompt, agent: Agent | undefined, text: string): void {
  if (agent === undefined) prompt.lastAssistantMessage = text;
  else {
    const known = prompt.agentMessages.find((message) => message.agent.id === agent.id);
    if (known === undefined) prompt.agentMessages.push({ agent, text });
    else known.text = text;
  }
}

function finish(pending: Map<string, PendingUse>, block: Json, entry: Json, time: number): void {
  const found = pending.get(asText(block.tool_use_id));
  if (found === undefined || found.done) return;
  found.done = true;
  if (time > 0) found.use.time = time;
  const shown =
    asText(block.content) ||
    asList(block.content)
      .map((part) => asText(asObject(part).text))
      .join("\n");
  if (block.is_error === true) {
    const text = asText(entry.toolUseResult) || shown;
    found.use.error = text.replace(/^Error: /, "");
    if (/user doesn't want|interrupted by user|rejected/i.test(text)) found.use.interrupted = true;
  } else found.use.response = entry.toolUseResult ?? shown;
}

/** Notes that the client writes as user lines and that no UserPromptSubmit was ever told for. */
function isClientNote(text: string): boolean {
  return /^\s*(?:<local-command-|<command-name>\/(?:exit|clear|login|context|mcp|release-notes|compact|model)|\[Request interrupted|Caveat: The messages below|This session is being continued from a previous)/.test(
    text,
  );
}

/** The recorded session as client events in the order the hooks would have come. */
export function* eventsOf(session: RecordedSession): Generator<ClientEvent> {
  let count = 0;
  const base = (time: number, cwd = session.cwd): EventBase => {
    const id = `${session.id}-${++count}`;
    return { id, key: id, client: "claude-code", session: session.id, time, cwd };
  };
  for (const prompt of session.prompts) {
    yield { ...base(prompt.time), name: "UserPromptSubmit", prompt: prompt.text };
    let last = prompt.time;
    for (const use of prompt.toolUses) {
      last = use.time;
      const tool = {
        toolName: use.name,
        toolInput: use.input,
        toolUseId: use.id,
        ...(use.agent === undefined ? {} : { agent: use.agent }),
      };
      if (use.error !== undefined)
        yield {
          ...base(use.time, use.cwd),
          ...tool,
          name: "PostToolUseFailure",
          error: use.error,
          isInterrupt: use.interrupted === true,
        };
      else
        yield {
          ...base(use.time, use.cwd),
          ...tool,
          name: "PostToolUse",
          toolResponse: use.response,
        };
    }
    for (const message of prompt.agentMessages)
      yield {
        ...base(last),
        name: "SubagentStop",
        agent: message.agent,
        lastAssistantMessage: message.text,
      };
    yield {
      ...base(last),
      name: "Stop",
      stopHookActive: false,
      lastAssistantMessage: prompt.lastAssistantMessage,
    };
  }
  yield { ...base(session.prompts.at(-1)?.time ?? 0), name: "SessionEnd", reason: "other" };
}

/** A recorded session and where it was found. */
export interface RecordedIn {
  /** Name of the first-level folder. */
  folder: string;
  /** The session's own transcript. */
  path: string;
  session: RecordedSession;
}

/** All recorded sessions below a folder, by the name of its first-level folders; subagent files join their parent. */
export async function readSessions(root: string): Promise<RecordedIn[]> {
  const names = (await readdir(root, { recursive: true }))
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  const isAgent = (name: string) => /(?:^|\/)agent-[^/]*\.jsonl$/.test(name);
  const found: RecordedIn[] = [];
  for (const name of names) {
    if (isAgent(name)) continue;
    const agents = names.filter(
      (other) => isAgent(other) && dirname(other).startsWith(`${name.slice(0, -".jsonl".length)}/`),
    );
    const files = await Promise.all(
      [name, ...agents].map(async (file) => ({
        name: file,
        text: await readFile(join(root, file), "utf8"),
      })),
    );
    const folder = name.split("/")[0] ?? "";
    found.push({ folder, path: join(root, name), session: sessionFrom(files) });
  }
  return found;
}

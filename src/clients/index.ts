// The table of clients that memoir can listen to, as data; which of them an event is from; and how their recorded sessions are read. An
// adapter is loaded when its client calls.
import type { Environment } from "../home/paths.ts";
import { MemoirError } from "../sdk/errors.ts";
import { dropOldest, recordOf, textField } from "../text/text.ts";
import type { Chunks, TranscriptFormOf } from "../transcript/form.ts";
import type { LineParser } from "../transcript/read.ts";
import type { Client, ClientAbilities, ClientAdapter, ClientTranscripts } from "./adapter.ts";
import type { RecordedClient } from "./normal/transcript-events.ts";
import type { toolsOnlyAdapter } from "./tools-only/index.ts";

export type { Client, ClientAbilities, ClientAdapter, Delivery } from "./adapter.ts";

/** Of a client whose hooks say all that memoir asks; each row below says where its own do not. */
const hooks: ClientAbilities = {
  way: "hooks",
  sessionContext: true,
  promptContext: true,
  prompts: "hook",
  outcomes: "hook",
  results: false,
  sessionEnd: "hook",
  mcp: true,
  backfill: true,
};

/** Of a client that is given memoir's tools and a word on when to use them, and tells memoir nothing. */
const toolsOnly: ClientAbilities = {
  way: "tools",
  sessionContext: false,
  promptContext: false,
  prompts: "none",
  outcomes: "none",
  results: false,
  sessionEnd: "none",
  mcp: true,
  backfill: false,
};

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  abilities: { ...hooks, results: true, driven: "2.1.329" },
  remark:
    "Its settings, or a project's (`--scope`), its MCP servers, and a skill that says when to search. Its form of events and tools is the one that memoir thinks in.",
  load: () => import("./claude-code/index.ts"),
};

/** In the order of the page of clients. */
const table: readonly Client[] = [
  claudeCode,
  {
    name: "codex",
    title: "Codex CLI",
    abilities: { ...hooks, outcomes: "transcript", sessionEnd: "quiet", driven: "0.169.0" },
    remark:
      "It runs hooks only after you trusted them: start `codex` once after the install and review them; until then it skips them, `codex exec` without a word. `memoir doctor` asks Codex itself whether it trusts them; memoir never sets that, and what you trusted stays noted in `config.toml` after an uninstall. A resumed session has its context still and gets none again. Its interactive form tells of no session's end.",
    load: () => import("./codex/index.ts"),
  },
  {
    name: "copilot",
    title: "GitHub Copilot CLI",
    abilities: { ...hooks, results: true, driven: "1.0.102" },
    remark:
      "It runs hooks of `~/.copilot` without asking, and Claude Code's of a project that you trust: one event by both is one. Its tool uses have no ids; memoir gives them one that its transcript has too. A resumed session has lost the context of its beginning and is given it anew, a compacted one with its next prompt. A line for the person at the terminal is not shown there.",
    variable: "COPILOT_CLI",
    load: () => import("./copilot/index.ts"),
  },
  {
    name: "cursor",
    title: "Cursor",
    abilities: { ...hooks, promptContext: false, backfill: false },
    remark:
      "It could not be run for the tests: what is known of it are the payloads that its makers and others document, and those are tested. It takes context when a session starts and after a tool; with a prompt it takes none, so its agent should search. Without a screen (`cursor-agent -p`) its hooks tell no prompt. It reads Claude Code's settings too: one event by both is one. Its history has no times and is not read.",
    variable: "CURSOR_VERSION",
    load: () => import("./cursor/index.ts"),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    abilities: { ...hooks, driven: "0.61.0" },
    remark:
      "It runs hooks and tools only in folders that you trust. Its hooks give no ids of tool uses and nothing of a tool that was refused or never ran: both come from its transcript. It can take another result for a tool's as an error alone, so `live` of Endless Mode leaves its results as they are. What a session is to know comes with its first prompt, since Gemini drops context that comes earlier after `/clear` and when a session continues; a resumed session still has it, and gets what came since.",
    variable: "GEMINI_SESSION_ID",
    load: () => import("./gemini/index.ts"),
  },
  {
    name: "opencode",
    title: "OpenCode",
    abilities: { ...hooks, results: true, driven: "1.18.33" },
    remark:
      "memoir is a small plugin there, one file that also names its MCP server, so that no setting of yours changes. A session's context is part of the system prompt and is kept nowhere; a later prompt's context stays with that prompt. Its history is read from its database, beside an OpenCode that writes to it. OpenCode fetches a package of its own for whoever has plugins, and waits for it at each start that cannot reach the npm registry; `memoir doctor` says when it is not there yet.",
    load: () => import("./opencode/index.ts"),
  },
  {
    name: "qwen",
    title: "Qwen Code",
    abilities: { ...hooks, sessionEnd: "quiet", driven: "0.24.4" },
    remark:
      "Without a screen it tells of no session's end. It takes context, and no other result for a tool's, so `live` of Endless Mode does nothing there.",
    variable: "QWEN_PROJECT_DIR",
    load: () => import("./qwen/index.ts"),
  },
  {
    name: "droid",
    title: "Factory droid",
    abilities: {
      ...{ ...hooks, promptContext: false, prompts: "transcript", outcomes: "transcript" },
      driven: "0.215.0",
    },
    remark:
      "Without a screen (`droid exec`) its hooks tell no prompt, no ids and nothing of a tool that failed: all of that comes from its transcript. It takes context when a session starts; a prompt gets none.",
    variable: "DROID_PROJECT_DIR",
    load: () => import("./droid/index.ts"),
  },
  {
    name: "pi",
    title: "pi",
    abilities: { ...hooks, results: true, driven: "0.87.1" },
    remark:
      "It has no hooks: memoir writes an extension of a few functions, which hands on what happens and offers memoir's tools as pi's own, as versions before 1 have no MCP. Calls of tools that pi refuses by itself come from the transcript. Tried with 1.5.2 and with 0.73.1 of `@mariozechner/pi-coding-agent` too, which does not tell of a prompt that is typed into a running turn.",
    load: () => import("./pi/index.ts"),
  },
  {
    name: "antigravity",
    title: "Antigravity CLI",
    abilities: {
      ...hooks,
      promptContext: false,
      prompts: "transcript",
      outcomes: "transcript",
      sessionEnd: "quiet",
    },
    remark:
      "It could not be run for the tests: what is known of it are the payloads and transcripts that its makers and others document, and those are tested. Its versions differ in which hooks they run, so memoir uses the two that its latest versions are known to run (from 1.1 on): before the model is asked first in a turn, where it gives what a session is to know, and when a turn ends. Prompts and tools come from its transcript.",
    variable: "ANTIGRAVITY_CONVERSATION_ID",
    load: () => import("./antigravity/index.ts"),
  },
  {
    name: "grok",
    title: "Grok Build",
    abilities: {
      ...hooks,
      sessionContext: false,
      promptContext: false,
      backfill: false,
      driven: "1.0.41",
    },
    remark:
      "It runs Claude Code's hooks and MCP servers by itself: where memoir is installed for Claude Code, Grok's sessions are remembered without more, under its own name. Its hooks take no context, so its agent should search. A subagent's prompts are nobody's and are not kept.",
    load: () => import("./grok/index.ts"),
  },
  {
    name: "cline",
    title: "Cline",
    abilities: { ...toolsOnly, driven: "3.0.65" },
    remark:
      "Its hooks tell no prompt, and what they answer is dropped when a task starts. The extension in an editor and the program share these files.",
    load: () => toolsOnlyClient("cline"),
  },
  {
    name: "windsurf",
    title: "Windsurf",
    abilities: toolsOnly,
    remark:
      "What its hooks print never reaches the model. The word on when to search is a marked block in your global rules.",
    load: () => toolsOnlyClient("windsurf"),
  },
  {
    name: "kiro",
    title: "Kiro",
    abilities: toolsOnly,
    remark:
      "Its hooks belong to one agent's own description each, and memoir changes none of them. The steering file counts in every project.",
    load: () => toolsOnlyClient("kiro"),
  },
  {
    name: "amp",
    title: "Amp",
    abilities: toolsOnly,
    remark:
      "It works with its own servers only, so nothing could be tried. Your `AGENTS.md` gets a marked block; where there is a `settings.jsonc`, that is the one that is changed.",
    load: () => toolsOnlyClient("amp"),
  },
  {
    name: "zed",
    title: "Zed",
    abilities: toolsOnly,
    remark:
      "For its own agent; agents that it runs for you (Claude Code, Codex, …) are clients by themselves. Your `AGENTS.md` gets a marked block, which Zed reads since May 2026.",
    load: () => toolsOnlyClient("zed"),
  },
  {
    name: "roo",
    title: "Roo Code",
    abilities: toolsOnly,
    remark:
      "In Visual Studio Code itself; its relatives (VSCodium, Insiders) have folders of their own. Its makers ended it in May 2026; what is installed goes on.",
    load: () => toolsOnlyClient("roo"),
  },
];

async function toolsOnlyClient(name: Parameters<typeof toolsOnlyAdapter>[0]) {
  const { toolsOnlyAdapter } = await import("./tools-only/index.ts");
  return { adapter: toolsOnlyAdapter(name) };
}

/** Every client by its name: one word each. */
export const clients: ReadonlyMap<string, Client> = new Map(
  table.map((client) => [client.name, client]),
);

/** The client of that name; throws MemoirError `client_unknown`. */
export function clientNamed(name: string): Client {
  const client = clients.get(name);
  if (client) return client;
  const known = [...clients.keys()].join(", ");
  throw new MemoirError("client_unknown", `There is no client of that name; known: ${known}.`);
}

/** The client's adapter; a module is loaded once. */
export async function adapterOf(client: Client): Promise<ClientAdapter> {
  return (await client.load()).adapter;
}

/** The adapter of that name; rejects with MemoirError `client_unknown`. */
export async function adapterNamed(name: string): Promise<ClientAdapter> {
  return adapterOf(clientNamed(name));
}

/** The adapters of all clients: for work that is not on an event's way. */
export function allAdapters(): Promise<ClientAdapter[]> {
  return Promise.all([...clients.values()].map(adapterOf));
}

// Which client an event is from: chosen here, once. The name that the hook command was given decides, but for Claude Code's
// hooks: other clients read its settings and run them with payloads of their own.

type Payload = Readonly<Record<string, unknown>>;

/** Payloads that only one of those clients writes, by its name; Claude Code's come first, as the most usual. */
const marks: ReadonlyArray<readonly [name: string, isIts: (payload: Payload) => boolean]> = [
  ["claude-code", (payload) => hasPath(payload, /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/)],
  [
    "cursor",
    (payload) =>
      hasText(payload, "cursor_version") ||
      (hasText(payload, "conversation_id") && hasText(payload, "generation_id")),
  ],
  // Each field in two spellings.
  ["grok", (payload) => hasText(payload, "hookEventName") && hasText(payload, "hook_event_name")],
  [
    "codex",
    (payload) =>
      hasPath(payload, /[\\/]rollout-[^\\/]+\.jsonl$/) ||
      hasText(payload, "turn_id") ||
      // It keeps none of some sessions, and says so.
      (payload.transcript_path === null && hasText(payload, "model")),
  ],
  [
    "qwen",
    (payload) =>
      hasPath(payload, /[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]+\.jsonl$/) &&
      "timestamp" in payload,
  ],
  [
    "gemini",
    (payload) =>
      hasPath(payload, /[\\/]chats[\\/](?:[^\\/]+[\\/])?session-[\dT-]{16}-[^\\/]+\.jsonl?$/) ||
      /^(?:Before|After)(?:Agent|Tool|Model)$|^BeforeToolSelection$|^PreCompress$/.test(
        textField(payload, "hook_event_name"),
      ),
  ],
  ["droid", (payload) => hasPath(payload, /[\\/]\.factory[\\/]sessions[\\/]/)],
  [
    "copilot",
    (payload) =>
      hasPath(payload, /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/) ||
      hasText(payload, "initial_prompt") ||
      hasText(payload.tool_result, "text_result_for_llm") ||
      (hasText(payload, "sessionId") && typeof payload.timestamp === "number"),
  ],
];

/** One that runs Claude Code's hooks and that memoir does not know: kept under a name that is nobody's. */
const unknownClient: Client = {
  name: "unknown",
  title: "an unknown client",
  abilities: claudeCode.abilities,
  remark: "",
  load: async () => ({ adapter: (await import("./claude-code/index.ts")).unknownAdapter }),
};

/**
 * The client of one event that came by the command of `road`; undefined where memoir knows none of that name, though a
 * plugin may. `variables`: those of the hook's environment that clients set; an agent that was started in another's
 * shell has that one's too, so the payload counts first.
 */
export function chooseClient(
  road: string,
  payload: unknown,
  variables: ReadonlySet<string>,
): Client | undefined {
  if (road !== claudeCode.name) return clients.get(road);
  const fields = recordOf(payload);
  const [shown] = marks.find(([, isIts]) => isIts(fields)) ?? [];
  if (shown !== undefined) return clients.get(shown);
  const setting = [...clients.values()].find(
    ({ variable }) => variable !== undefined && variables.has(variable),
  );
  return setting ?? (isForeign(fields) ? unknownClient : claudeCode);
}

/** Claude Code neither tells the time nor writes its fields like this. */
function isForeign(payload: Payload): boolean {
  return "timestamp" in payload || "sessionId" in payload || "hookEventName" in payload;
}

const mostSessions = 1_000;

/** The same, which stays with what it chose for a session: one event may show less than another. */
export function createClientChoice(): typeof chooseClient {
  const chosen = new Map<string, Client>();
  return (road, payload, variables) => {
    const client = chooseClient(road, payload, variables);
    if (road !== claudeCode.name || !client) return client;
    const session = textField(payload, "session_id", "sessionId", "conversation_id");
    const before = chosen.get(session);
    if (before) return before;
    if (session !== "") chosen.set(session, client);
    dropOldest(chosen, mostSessions);
    return client;
  };
}

function hasText(value: unknown, name: string): boolean {
  return textField(value, name) !== "";
}

function hasPath(payload: Payload, form: RegExp): boolean {
  return form.test(textField(payload, "transcript_path", "transcriptPath"));
}

// How a client's recorded sessions are read: an adapter is loaded for a session of its client's only.

/** How a client's sessions become events; `of` and `parse` absent for Claude Code's. */
export interface RecordedForm {
  of?: RecordedClient;
  parse?: LineParser | undefined;
  /** What lies at a session's path. */
  chunks: Chunks;
}

/** Of the client that is named; absent: Claude Code. `cwd`: where the session worked, where that is known of its file. */
export async function recordedForm(name = "claude-code", cwd?: string): Promise<RecordedForm> {
  const client = clients.get(name);
  const { fileChunks } = await import("../transcript/read.ts");
  if (name === "claude-code" || !client) return { chunks: fileChunks };
  const { transcripts } = await adapterOf(client);
  const chunks = transcripts?.store?.chunks ?? fileChunks;
  return { of: { ...transcripts, name, cwd }, parse: await parserOf(transcripts), chunks };
}

/** The same for whoever reads around an event, asked by a client's name. */
export function transcriptForms(env: Environment): TranscriptFormOf {
  return async (name) => {
    const client = clients.get(name);
    const { transcripts } = client ? await adapterOf(client) : {};
    if (!transcripts) return undefined;
    const { store, reaches } = transcripts;
    return {
      folder: transcripts.folder(env),
      parse: await parserOf(transcripts),
      chunks: store?.chunks,
      isLate: reaches !== undefined,
    };
  };
}

async function parserOf(
  transcripts: ClientTranscripts | undefined,
): Promise<LineParser | undefined> {
  const { normalLine } = transcripts ?? {};
  if (!normalLine) return undefined;
  const { parseTranslated } = await import("../transcript/parse-entry.ts");
  return (line) => parseTranslated(line, normalLine);
}

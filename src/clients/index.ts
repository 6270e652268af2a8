// The clients that memoir can listen to, its own and those that plugins bring; which of them an event is from; and how their recorded
// sessions are read. An adapter is loaded when its client calls.
import type { Environment } from "../home/paths.ts";
import type { ClientDescription } from "../sdk/client.ts";
import { MemoirError } from "../sdk/errors.ts";
import { dropOldest, recordOf, textField } from "../text/text.ts";
import type { Chunks, TranscriptFormOf } from "../transcript/discover.ts";
import type { LineParser } from "../transcript/parse-entry.ts";
import type { Client, ClientAbilities, ClientAdapter, ClientTranscripts } from "./adapter.ts";
import { describedClient } from "./described/client.ts";
import type { RecordedClient } from "./normal/transcript-events.ts";

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

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  abilities: { ...hooks, results: true, driven: "2.1.329" },
  remark:
    "Its settings, or a project's (`--scope`), its MCP servers, and a skill that says when to search.",
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
      "Start `codex` once after the install and trust its hooks; until then it skips them, `codex exec` silently. `memoir doctor` asks Codex whether it trusts them. Your trust stays in `config.toml` after an uninstall. A resumed session keeps its context and gets none again.",
    load: () => import("./codex/index.ts"),
  },
  {
    name: "copilot",
    title: "GitHub Copilot CLI",
    abilities: { ...hooks, results: true, driven: "1.0.102" },
    remark:
      "It runs hooks in `~/.copilot` without asking, and Claude Code's in projects you trust; an event from both counts once. A resumed session gets its context again, a compacted one with its next prompt. It doesn't show lines for the person at the terminal. Its tool uses have no ids, so memoir uses those it finds in the transcript.",
    variable: "COPILOT_CLI",
    load: () => import("./copilot/index.ts"),
  },
  {
    name: "cursor",
    title: "Cursor",
    abilities: { ...hooks, promptContext: false, backfill: false },
    remark:
      "Tested with documented payloads, not with the program. It takes context at a session's start and after a tool, but not at a prompt, so its agent should search. Without a screen (`cursor-agent -p`) hooks don't report prompts. It reads Claude Code's settings too; an event from both counts once. Its history has no times and isn't read.",
    variable: "CURSOR_VERSION",
    load: () => import("./cursor/index.ts"),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    abilities: { ...hooks, driven: "0.61.0" },
    remark:
      "It runs hooks and tools only in folders you trust. Tool ids, and tools that were refused or never ran, come from its transcript. `live` of Endless Mode doesn't work here. Context comes with the first prompt, because Gemini drops what comes earlier after `/clear` or when a session continues; a resumed session gets only what is new.",
    variable: "GEMINI_SESSION_ID",
    load: () => import("./gemini/index.ts"),
  },
  {
    name: "opencode",
    title: "OpenCode",
    abilities: { ...hooks, results: true, driven: "1.18.33" },
    remark:
      "memoir is one plugin file that also names its MCP server, so none of your settings change. A session's context is part of the system prompt and isn't stored; a later prompt's context stays with that prompt. Its history is read from its database. With plugins, OpenCode fetches a package of its own, and waits at each start until it can; `memoir doctor` says when it is missing.",
    load: () => import("./opencode/index.ts"),
  },
  {
    name: "qwen",
    title: "Qwen Code",
    abilities: { ...hooks, sessionEnd: "quiet", driven: "0.24.4" },
    remark:
      "Without a screen it doesn't report a session's end. `live` of Endless Mode doesn't work here.",
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
      "Without a screen (`droid exec`) prompts, ids and failed tools come from its transcript. Context comes at a session's start, not at a prompt.",
    variable: "DROID_PROJECT_DIR",
    load: () => import("./droid/index.ts"),
  },
  {
    name: "pi",
    title: "pi",
    abilities: { ...hooks, results: true, driven: "0.87.1" },
    remark:
      "It has no hooks: memoir writes an extension that reports what happens and offers memoir's tools, because versions before 1 have no MCP. Calls that pi refuses come from the transcript. Also tested with 1.5.2, and with 0.73.1 of `@mariozechner/pi-coding-agent`, which doesn't report a prompt typed into a running turn.",
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
      "Tested with documented payloads and transcripts, not with the program. memoir uses the two hooks that its latest versions (from 1.1 on) are known to run: before the model is first asked in a turn, where it adds context, and at the end of a turn. Prompts and tools come from its transcript.",
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
      "It runs Claude Code's hooks and MCP servers: if memoir is installed for Claude Code, Grok's sessions are captured too, under its own name. Its hooks take no context, so its agent should search. Prompts of subagents are not kept.",
    load: () => import("./grok/index.ts"),
  },
  describedClient(
    "cline",
    {
      title: "Cline",
      program: "cline",
      folder: "~/.cline",
      remark:
        "Its hooks report no prompt, and it drops their answers when a task starts. The editor extension and the program share these files.",
      install: [
        { path: "data/settings/cline_mcp_settings.json", server: {} },
        { path: "rules/memoir.md", rules: "file" },
      ],
    },
    undefined,
    "3.0.65",
  ),
  describedClient("windsurf", {
    title: "Windsurf",
    program: "windsurf",
    folder: "~/.codeium/windsurf",
    remark:
      "What its hooks print never reaches the model. A marked block in your global rules says when to search.",
    install: [
      { path: "mcp_config.json", server: {} },
      { path: "memories/global_rules.md", rules: "block" },
    ],
  }),
  describedClient("kiro", {
    title: "Kiro",
    program: "kiro-cli",
    folder: "~/.kiro",
    remark:
      "Its hooks belong to single agents, and memoir changes none of them. The steering file counts in every project.",
    install: [
      { path: "settings/mcp.json", server: {} },
      { path: "steering/memoir.md", rules: "file" },
    ],
  }),
  describedClient("amp", {
    title: "Amp",
    program: "amp",
    folder: "~/.config/amp",
    remark:
      "It works only with its own servers, so it wasn't tried. Your `AGENTS.md` gets a marked block; if there is a `settings.jsonc`, memoir changes that one.",
    install: [
      // One key with a dot in it.
      { path: ["settings.jsonc?", "settings.json"], server: { at: ["amp.mcpServers", "memoir"] } },
      { path: "AGENTS.md", rules: "block" },
    ],
  }),
  describedClient("zed", {
    title: "Zed",
    program: "zed",
    // On a Mac too it is the one that Linux has.
    folder: ["$XDG_CONFIG_HOME/zed?", "$APPDATA/Zed?", "~/.config/zed"],
    remark:
      "For its own agent; agents that it runs for you (Claude Code, Codex, …) are clients themselves. Your `AGENTS.md` gets a marked block, which Zed reads since May 2026.",
    install: [
      { path: "settings.json", server: { at: ["context_servers", "memoir"] } },
      { path: "AGENTS.md", rules: "block" },
    ],
  }),
  describedClient("roo", {
    title: "Roo Code",
    // It is no program of its own.
    folder: [
      "~/Library/Application Support/Code?/User/globalStorage/rooveterinaryinc.roo-cline",
      "$APPDATA/Code?/User/globalStorage/rooveterinaryinc.roo-cline",
      "~/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline",
    ],
    remark:
      "In Visual Studio Code itself; VSCodium and Insiders have folders of their own. Its makers ended it in May 2026; installed copies continue to work.",
    install: [
      { path: "settings/mcp_settings.json", server: {} },
      { path: "~/.roo/rules/memoir.md", rules: "file" },
    ],
  }),
];

/** memoir's own clients by name: one word each. */
export const clients: ReadonlyMap<string, Client> = new Map(
  table.map((client) => [client.name, client]),
);
let brought: ReadonlyMap<string, Client> = new Map();

/**
 * Takes the clients that plugins describe in the place of those of earlier plugins: of one process, as is what plugins
 * are in force. A name that memoir has itself stays its own.
 */
export function bringClients(described: Readonly<Record<string, ClientDescription>>): void {
  const found = Object.entries(described).map(
    ([name, one]) =>
      [
        name,
        describedClient(
          name,
          one,
          one.like === undefined || one.like === claudeCode.name
            ? undefined
            : clients.get(one.like),
        ),
      ] as const,
  );
  brought = new Map(found);
}

/** The client that has this name; undefined where none has. */
export function clientOf(name: string): Client | undefined {
  return clients.get(name) ?? brought.get(name);
}

/** Whether a plugin brings the client: then its hooks may know more of it than its description. */
export function isBrought(name: string): boolean {
  return !clients.has(name) && brought.has(name);
}

/** memoir's own, then those that plugins bring. */
export function allClients(): Client[] {
  return [...clients.values(), ...[...brought.values()].filter(({ name }) => !clients.has(name))];
}

/** The client of that name; throws MemoirError `client_unknown`. */
export function clientNamed(name: string): Client {
  const client = clientOf(name);
  if (client) return client;
  const known = allClients()
    .map((one) => one.name)
    .join(", ");
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
  return Promise.all(allClients().map(adapterOf));
}

// Which client an event is from: chosen here, once. The name that the hook command was given decides, but for Claude Code's
// hooks: other clients read its settings and run them with payloads of their own.

type Payload = Readonly<Record<string, unknown>>;

/** Payloads that only one of those clients writes, by its name; Claude Code's come first, as the most usual. */
const payloadSigns: ReadonlyArray<readonly [name: string, isIts: (payload: Payload) => boolean]> = [
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
 * The client of one event whose hook command was given `commandName`; undefined where memoir knows none of that name, though
 * a plugin may. `variables`: those of the hook's environment that clients set; an agent that was started in another's
 * shell has that one's too, so the payload counts first.
 */
export function chooseClient(
  commandName: string,
  payload: unknown,
  variables: ReadonlySet<string>,
): Client | undefined {
  if (commandName !== claudeCode.name) return clientOf(commandName);
  const fields = recordOf(payload);
  const [shown] = payloadSigns.find(([, isIts]) => isIts(fields)) ?? [];
  if (shown !== undefined) return clientOf(shown);
  const setting = table.find(({ variable }) => variable !== undefined && variables.has(variable));
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
  return (commandName, payload, variables) => {
    const client = chooseClient(commandName, payload, variables);
    if (commandName !== claudeCode.name || !client) return client;
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
  const client = clientOf(name);
  const { fileChunks } = await import("../transcript/read.ts");
  if (name === "claude-code" || !client) return { chunks: fileChunks };
  const { transcripts } = await adapterOf(client);
  const chunks = transcripts?.store?.chunks ?? fileChunks;
  return { of: { ...transcripts, name, cwd }, parse: await parserOf(transcripts), chunks };
}

/** The same for whoever reads around an event, asked by a client's name. Claude Code's form and folder are what readers know anyway. */
export function transcriptForms(env: Environment): TranscriptFormOf {
  return async (name) => {
    const client = name === "claude-code" ? undefined : clientOf(name);
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

// A client as data: what a plugin says of a coding agent, so that memoir can install itself there, understand its events and read its history.
import type { ClientEventName } from "./events.ts";

/** The clients that memoir knows by itself, by their names in `memoir install`. */
export const clientNames = [
  ...(["claude-code", "codex", "copilot", "cursor", "gemini", "opencode", "qwen"] as const),
  ...(["droid", "pi", "antigravity", "grok"] as const),
  ...(["cline", "windsurf", "kiro", "amp", "zed", "roo"] as const),
] as const;
export type ClientName = (typeof clientNames)[number];

/**
 * Where something is in a JSON value: names with dots between them (`message.content`, `roots.0`). Of a list the first
 * that holds anything.
 */
export type FieldPath = string | readonly string[];

/**
 * A path on disk: `~` is the user's home, `$NAME` at the beginning a variable, and what stands before a `?` has to exist.
 * Of a list the first that fits so, else the last. A relative path in `install` is below `folder`.
 */
export type DiskPath = string | readonly string[];

/**
 * A coding agent that memoir does not know. What is left out is as in `like`: by default Claude Code, whose payloads,
 * answers and transcripts many agents share. Plain JSON: no function, no pattern.
 *
 * @example
 * ```ts
 * import { definePlugin } from "memoir/sdk";
 *
 * export default definePlugin({
 *   name: "kilo-client",
 *   description: "Kilo, an agent that grew out of OpenCode.",
 *   sdk: 1,
 *   clients: {
 *     kilo: {
 *       title: "Kilo",
 *       like: "opencode",
 *       program: "kilo",
 *       folder: ["$XDG_CONFIG_HOME/kilo", "~/.config/kilo"],
 *       transcripts: { folder: ["$KILO_DB", "$XDG_DATA_HOME/kilo/kilo.db", "~/.local/share/kilo/kilo.db"] },
 *     },
 *   },
 *   hooks: {},
 * });
 * ```
 */
export interface ClientDescription {
  /** How people call it. */
  title: string;
  /** The built-in client that it is like. */
  like?: ClientName;
  /** Its program, as a shell finds it. */
  program?: string;
  /** The folder of its settings: where it is, so is the client. */
  folder: DiskPath;
  /** What a user should know of it, in a sentence. */
  remark?: string;
  /** How its payloads differ. Without it and `like`, a plugin's `client.payload` is asked first. */
  payload?: PayloadForm;
  /** How its tools differ. */
  tools?: ToolTable;
  /** How a tool's result is read. */
  results?: ResultForm;
  /** Event → where in the answer context for the model goes; events that take none are left out. */
  answer?: Readonly<Partial<Record<ClientEventName, string>>>;
  /** The files that memoir is put into. Without any, and with `like`, those of that client below `folder`. */
  install?: readonly InstalledFile[];
  /** Its history. */
  transcripts?: TranscriptDescription;
}

/** A client's payload in Claude Code's form. */
export interface PayloadForm {
  /** Claude Code's field → where the payload has it; other fields stay as they are. */
  fields?: Readonly<Record<string, FieldPath>>;
  /** The client's name of an event → the usual one. */
  events?: Readonly<Record<string, ClientEventName>>;
}

/** A client's tools by their usual names. */
export interface ToolTable {
  /** Its own name of a tool → Claude Code's: `Bash`, `Read`, `Edit`, `Write`, `Grep`, … */
  names?: Readonly<Record<string, string>>;
  /** Claude Code's tool → the client's name of a field → the usual one. */
  fields?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How it names an MCP server's tool: `mcp_{server}_{tool}`. */
  server?: string;
}

/** How a client says what came of a tool. */
export interface ResultForm {
  /** What the model was shown; default: the whole `tool_response`. */
  text?: FieldPath;
  /** A command's exit code, as a number. */
  exit?: FieldPath;
  /** The same inside the text: `Exit code: {exit}`. */
  exitIn?: string;
  /** What is there, and neither empty nor false, where the tool failed; a text says why. */
  failed?: FieldPath;
  /** A change, as `diff -u` writes it. */
  diff?: FieldPath;
}

/** A file of the client's settings, and what of memoir goes into it. */
export interface InstalledFile {
  path: DiskPath;
  /** Command hooks below `hooks`, in Claude Code's form. */
  hooks?: {
    /** The usual event → the client's name for it; default: those of Claude Code. */
    events?: Readonly<Partial<Record<ClientEventName, string>>> | readonly ClientEventName[];
    /** The unit of `timeout`; default: seconds. */
    timeout?: "milliseconds" | "none";
    /** A list of commands for each event, without groups, and this `version` beside it. */
    flat?: number;
    /** Further fields of each command. */
    named?: Readonly<Record<string, string>>;
  };
  /** The MCP server, at this place in a JSON file; default: `["mcpServers", "memoir"]`. `toml`: a table `mcp_servers.memoir`. */
  server?: { at?: readonly string[]; more?: Readonly<Record<string, unknown>>; toml?: boolean };
  /** A rule that says when to search: a file of memoir's own, or a marked block in the user's. */
  rules?: "file" | "block";
}

/** A client's recorded sessions. */
export interface TranscriptDescription {
  /** The folder, or for a client that is like OpenCode its database. */
  folder: DiskPath;
  /** The session's id in a file's name: `*_{session}.jsonl`; default: the name without its ending. */
  session?: string;
  /** Where each line has its id, its time (ISO or ms) and the working directory. */
  id?: FieldPath;
  time?: FieldPath;
  cwd?: FieldPath;
  /** What lines say; the first that fits counts for each `is`. Without any, lines are those of `like`. */
  lines?: readonly LineForm[];
  /** Hooks leave out what is in the transcript by then: it is read before each event. */
  fillsIn?: boolean;
}

/** One thing that a line says. */
export interface LineForm {
  /** `prompt`: the person's words; `said`: the agent's; `used`: a tool was called; `ended`: what came of it; `start`: a session's first line. */
  is: "prompt" | "said" | "used" | "ended" | "start";
  /** Path → the value, or one of the values, that it has to have. */
  when?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** The list in the line whose entries say it; paths below begin there. */
  each?: string;
  /** The words, or what the tool gave. */
  text?: FieldPath;
  /** The tool use's id, its tool's name, its input (an object, or JSON in a text). */
  id?: FieldPath;
  name?: FieldPath;
  input?: FieldPath;
  /** There, and neither empty nor false, where the tool failed. */
  failed?: FieldPath;
}

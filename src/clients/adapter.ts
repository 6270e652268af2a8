// What every client adapter offers: a client's payload in, memoir's event out; memoir's reply in, the client's answer out; how memoir is put
// into its settings; and where its transcripts are, each line in the normal form.
import type { Environment } from "../home/paths.ts";
import type { ClientDescription } from "../sdk/client.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import type { ClientEvent, ClientEventName, Reply } from "../sdk/events.ts";
import type { AboutFile, TranscriptStore } from "../transcript/discover.ts";
import type { TranscriptEntry } from "../transcript/entry.ts";
import type { TranscriptToolUse } from "../transcript/tool-uses.ts";
import type { ToolResult } from "./normal/tools.ts";

/** What sets one delivery apart from another: the hook command makes both values, so a posted and a spooled copy agree. */
export interface Delivery {
  id: string;
  /** Epoch ms at which the hook ran. */
  time: number;
}

/**
 * What a client lets memoir do, by its hooks. `hook`: its hooks say it; `transcript`: memoir reads it in the session's
 * transcript; `quiet`: a session is over when nothing came for a while.
 */
export interface ClientAbilities {
  /** `hooks`: commands or a plugin that the client runs; `tools`: an MCP server and a rules file, nothing is captured. */
  way: "hooks" | "tools";
  /** Memory reaches the model when a session starts. */
  sessionContext: boolean;
  /** Memory reaches the model with a prompt. */
  promptContext: boolean;
  prompts: "hook" | "transcript" | "none";
  /** How a command ended, and which tools failed. */
  outcomes: "hook" | "transcript" | "none";
  /** A tool's result can be made smaller before the model sees it: Endless Mode's `live`. */
  results: boolean;
  sessionEnd: "hook" | "quiet" | "none";
  /** Its agent can call memoir's tools. */
  mcp: boolean;
  /** What it remembers on disk can be read into memory. */
  backfill: boolean;
  /** The version that was driven by tests; without one only documented payloads were. */
  driven?: string;
}

/** What is known of a client without loading its adapter: data. `chooseClient` of `index.ts` says who is calling. */
export interface Client {
  /** How the hook command, events and records name it. */
  name: string;
  /** How people name it. */
  title: string;
  abilities: ClientAbilities;
  /** What a user should know of it beside that, in a sentence or two, for the page of clients. */
  remark: string;
  /** A variable that the client sets for its hooks; tells it where Claude Code's hooks were run and the payload does not. */
  variable?: string;
  load(): Promise<{ adapter: ClientAdapter }>;
}

/** Loaded when the client calls, or is asked about; never for a client that is not used. */
export interface ClientAdapter {
  name: string;
  /**
   * The event in memoir's normal form: tools by Claude Code's names, with its inputs and results. Undefined for what is no
   * event at all, such as an empty prompt. Throws MemoirError `payload_invalid` naming the field that is missing or wrong.
   */
  parse(payload: unknown, delivery: Delivery): ClientEvent | undefined;
  /** The tool use of a result's payload in normal form, whole, where `parse` may shorten it; undefined for other payloads. */
  original(payload: unknown): ToolOriginal | undefined;
  /** The one JSON object to print, or undefined when there is nothing to say. Never a field that the client may misread. */
  render(event: ClientEvent, reply: Reply): Record<string, unknown> | undefined;
  /** How memoir is put into the client's settings, and taken out; absent where the client has no settings for it. */
  registration?: ClientRegistration;
  /** What the client remembers of sessions; absent where it is not read. */
  transcripts?: ClientTranscripts;
}

// How memoir is put into a client's settings: a description, which `src/install` carries out and takes back byte for byte.

/** What a client's settings are to say. */
export interface RegistrationPlace {
  env: Environment;
  /** `<home>/bin/memoir`. */
  binary: string;
  /** memoir's home where it is not the usual one. */
  home: string | undefined;
  /** Of a client that is like another: its own name in commands. */
  client?: string;
  /** Of such a client: where its history is. */
  history?: string;
  /** The command that the client's hooks run; it must not change between versions. */
  command: string;
  /** Events that enabled plugins live from, with the seconds after which the client may give up. */
  events: ReadonlyMap<ClientEventName, number>;
}

/**
 * One thing of memoir's in a file. Others' settings stay as they are, byte for byte; ours come last.
 * - `hooks`: command hooks below `hooks`, in Claude Code's form or without its groups.
 * - `server`: an MCP server in a JSON object of servers, the last of `at` being its name; or anything else that runs memoir by
 *   a name of its own (`what`).
 * - `whole`: the file is memoir's own.
 * - `edit`: any other form, as pure functions of the text. `take(put(text))` need not be `text`: what nobody changed since
 *   is given back from a copy.
 */
export type RegistrationPart =
  | {
      kind: "hooks";
      /** The client's name of an event → what it is to run. */
      events: ReadonlyMap<string, { matcher?: string; timeout?: number }>;
      /** Further fields of each command: how the client names it where it shows that it runs. */
      named?: Readonly<Record<string, string>>;
      /** A list of commands for each event, without groups; what must stand beside `hooks`, where it is missing. */
      flat?: { version: number };
    }
  | {
      kind: "server";
      at: readonly string[];
      entry: Readonly<Record<string, unknown>>;
      /** What it is, in a word or two; absent: an MCP server. */
      what?: string;
    }
  | { kind: "whole"; text: string }
  | {
      kind: "edit";
      /** What it is, in a word or two: `hooks`, `MCP server`. */
      what: string;
      put(text: string, path: string): string;
      take(text: string, path: string): string;
      /** Whether something of memoir's stands in it, as it should or not. */
      state(text: string, path: string): "none" | "current" | "other";
    };

export type HooksPart = RegistrationPart & { kind: "hooks" };

/** A file that is changed. */
export interface RegistrationFile {
  /** Absolute. */
  path: string;
  parts: readonly RegistrationPart[];
}

/** What a look at the client itself found, for `doctor`. */
export interface ClientFinding {
  state: "ok" | "warn" | "fail";
  message: string;
  fix?: string;
}

/** Where a client is, and what has to stand in its settings. */
export interface ClientRegistration {
  /** The client's program, as a shell finds it; it is asked for `--version`. Empty where it is none of its own. */
  program: string;
  /** The folder of its settings: where it is, so is the client, also without a program in the PATH. */
  folder(env: Environment): string;
  /** Events that can be registered. */
  events: readonly ClientEventName[];
  files(place: RegistrationPlace): readonly RegistrationFile[];
  /** What a person has to do after an install, one line each. */
  notes?(place: RegistrationPlace): readonly string[];
  /** What only the client can tell of its hooks, such as whether they are trusted. Never rejects. */
  look?(place: RegistrationPlace): Promise<readonly ClientFinding[]>;
}

// What an adapter says of its client's transcripts: where they lie, and each line in the normal form, which is Claude Code's.

/** How a tool use ended, and its input where that is known better only then. */
export type EndedUse = ToolResult & { input?: unknown };

/** A tool use as a hook reported it. */
export type ReportedUse = Pick<TranscriptToolUse, "id" | "name" | "input">;
export type { AboutFile } from "../transcript/discover.ts";

/** How a session is read afterwards. */
export interface ClientTranscripts {
  /** The folder in which the client keeps those of all projects. */
  folder(env: Environment): string;
  /** For a client that has no files, what is read in their place; `folder` is its path then. */
  store?: TranscriptStore;
  /** Where a session's file is, for a client whose hooks do not say it. */
  pathOf?(session: string, env: Environment): string;
  /** The session's id in the name of its file, or in its path; absent: the name without its ending. */
  sessionOf?(file: string, path: string): string | undefined;
  /** What a file says of itself; undefined for one that is no session of its own, such as a subagent's of another one. Never rejects. */
  about?(path: string): Promise<AboutFile | undefined>;
  /** What a line of a file says, in normal form; undefined for one that says nothing. Absent: the file is in that form. */
  normalLine?(line: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined;
  /** How a finished tool use ended, as the client's hook tells it; absent: as Claude Code tells it. */
  outcome?(use: TranscriptToolUse): EndedUse | undefined;
  /** The finished tool use that a hook reported under an id of its own, where a line says so; it stands before the use's end. */
  reported?(entry: TranscriptEntry): ReportedUse | undefined;
  /**
   * Whether everything that led to a Stop stands in the file once this entry does: for a client that writes its lines
   * a while after it runs its hooks. Absent: it writes them first.
   */
  reaches?(event: ClientEvent, entry: TranscriptEntry): boolean;
  /**
   * The hooks leave something out that the transcript has by then (ids, the prompt, how a tool ended, a failed one, a last
   * message): what is new in it is taken in before each event.
   */
  fillsIn?: boolean;
  /** Neither hooks nor the transcript at that time have an id for a tool use: it is counted within its prompt instead. */
  countsUses?: boolean;
}

// How a described client is served.

/** By hooks, or by tools and a rule alone. */
export function wayOf({ like, payload, install }: ClientDescription): ClientAbilities["way"] {
  const isHeard = like !== undefined || payload !== undefined || !install;
  return isHeard || install.some(({ hooks }) => hooks) ? "hooks" : "tools";
}

// What every client adapter offers: a client's payload in, memoir's event out; memoir's reply in, the client's answer out.
import type { ToolOriginal } from "../sdk/endless.ts";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { ClientRegistration } from "./registration.ts";
import type { ClientTranscripts } from "./transcripts.ts";

/** How one delivery is told from another: the hook command makes both values, so a posted and a spooled copy agree. */
export interface Delivery {
  id: string;
  /** Epoch ms at which the hook ran. */
  time: number;
}

/**
 * What a client lets memoir do, by its hooks. `told`: its hooks say it; `transcript`: memoir reads it in the session's
 * transcript; `quiet`: a session is over when nothing came for a while.
 */
export interface ClientAbilities {
  /** `hooks`: commands or a plugin that the client runs; `tools`: an MCP server and a rules file, nothing is captured. */
  way: "hooks" | "tools";
  /** Memory reaches the model when a session starts. */
  sessionContext: boolean;
  /** Memory reaches the model with a prompt. */
  promptContext: boolean;
  prompts: "told" | "transcript" | "none";
  /** How a command ended, and which tools failed. */
  outcomes: "told" | "transcript" | "none";
  /** A tool's result can be made smaller before the model sees it: Endless Mode's `live`. */
  results: boolean;
  sessionEnd: "told" | "quiet" | "none";
  /** Its agent can call memoir's tools. */
  mcp: boolean;
  /** What it remembers on disk can be read into memory. */
  backfill: boolean;
  /** The version that was driven by tests; without one only documented payloads were. */
  driven?: string;
}

/** What is known of a client without loading its adapter: data. `choose.ts` tells who is calling. */
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
  /** How memoir is put into the client's settings, and taken out; absent where the client cannot be told. */
  registration?: ClientRegistration;
  /** What the client remembers of sessions; absent where it is not read. */
  transcripts?: ClientTranscripts;
}

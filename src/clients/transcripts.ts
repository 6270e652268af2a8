// What an adapter says of its client's transcripts: where they lie, and each line in the normal form, which is Claude Code's.
import type { Environment } from "../home/paths.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { AboutFile } from "../transcript/discover.ts";
import type { TranscriptEntry } from "../transcript/entry.ts";
import type { TranscriptStore } from "../transcript/form.ts";
import type { LineParser } from "../transcript/read.ts";
import type { TranscriptToolUse } from "../transcript/tool-uses.ts";
import type { ToolResult } from "./normal/tools.ts";

/** How a tool use ended, and its input where that is known better only then. */
export type EndedUse = ToolResult & { input?: unknown };

/** A tool use as a hook told of it. */
export type ToldUse = Pick<TranscriptToolUse, "id" | "name" | "input">;
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
  /** One line of a file as an entry in normal form; absent: the file is in that form. */
  parse?: LineParser;
  /** How a finished tool use ended, as the client's hook tells it; absent: as Claude Code tells it. */
  outcome?(use: TranscriptToolUse): EndedUse | undefined;
  /** The finished tool use that a hook told of under an id of its own, where a line says so; it stands before the use's end. */
  told?(entry: TranscriptEntry): ToldUse | undefined;
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

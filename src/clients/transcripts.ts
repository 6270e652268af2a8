// What an adapter says of its client's transcripts: where they lie, and each line in the normal form, which is Claude Code's.
import type { Environment } from "../home/paths.ts";
import type { LineParser } from "../transcript/read.ts";
import type { TranscriptToolUse } from "../transcript/tool-uses.ts";
import type { ToolResult } from "./normal/tools.ts";

/** How a tool use ended, and its input where that is known better only then. */
export type EndedUse = ToolResult & { input?: unknown };

/** How a session is read afterwards. */
export interface ClientTranscripts {
  /** The folder in which the client keeps those of all projects. */
  folder(env: Environment): string;
  /** The session's id in the name of its file; absent: the name without its ending. */
  sessionOf?(file: string): string | undefined;
  /** Whether a file is a session of its own, not a subagent's of another one; absent: each is. Never rejects. */
  isSession?(path: string): Promise<boolean>;
  /** One line of a file as an entry in normal form; absent: the file is in that form. */
  parse?: LineParser;
  /** How a finished tool use ended, as the client's hook tells it; absent: as Claude Code tells it. */
  outcome?(use: TranscriptToolUse): EndedUse | undefined;
  /**
   * The hooks leave something out that the transcript has by then (ids, the prompt, how a tool ended, a failed one, a last
   * message): what is new in it is taken in before each event.
   */
  fillsIn?: boolean;
}
